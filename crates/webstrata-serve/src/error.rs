//! Errors when starting a server. Request errors are in `http/error.rs`.

use std::net::SocketAddr;
use std::path::PathBuf;

/// The reason why a server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        source: std::io::Error,
    },
    /// Other machines could connect, which needs `public`.
    #[error("{0} can be reached from other machines; add --public if that is what you want, or listen on 127.0.0.1")]
    Public(SocketAddr),
    /// Other machines could connect without a token.
    #[error("a server that can be reached from other machines needs a token; name a file that contains one with --token-file")]
    NoToken,
    /// The token is easy to guess.
    #[error("the token has {0} characters; it needs at least 16, for example from `openssl rand -hex 16`")]
    ShortToken(usize),
    /// The token cannot be sent in a header.
    #[error("the token may contain visible ASCII characters only, without ; , \" and \\")]
    TokenCharacters,
    /// A folder cannot be read.
    #[error("cannot read {path}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// There is nothing to show in a folder.
    #[error(
        "there is nothing to show in {0}: no tables (`webstrata run`), index (`webstrata index`), site evidence (`webstrata site`), graph (`webstrata graph build`) or ranks (`webstrata rank`)"
    )]
    Empty(PathBuf),
    /// Something in the folder is damaged.
    #[error("{path}: {reason}")]
    Damaged {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The system provides no threads or no random numbers.
    #[error("cannot start: {0}")]
    System(String),
}

//! Errors of starting a server. Those of requests are in `http/error.rs`.

use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// Others could connect, which has to be asked for.
    #[error("{0} can be reached from other machines; add --public if that is what you want, or listen on 127.0.0.1")]
    Public(SocketAddr),
    /// Others could connect, and nothing would keep them out.
    #[error("a server that can be reached from other machines needs a token; give a file with one by --token-file")]
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
        /// Why.
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
    /// The system has no threads or no random numbers for us.
    #[error("cannot start: {0}")]
    System(String),
}

//! The host file: one address per line.

use super::error::DistributedError;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use webstrata_corpus::io::IoError;

/// Limits of the number of processes, and of the bytes of a host file.
pub const MAX_PROCESSES: usize = 1024;
const MAX_BYTES: u64 = 1 << 20;

/// Addresses of all processes, `name:port`, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    path: PathBuf,
    /// Line numbers and addresses.
    entries: Vec<(usize, String)>,
}

impl Hosts {
    /// Reads a host file: one address per line, `name:port`, `192.0.2.1:port` or `[2001:db8::1]:port`; `#` starts a comment.
    ///
    /// # Errors
    /// If it cannot be read, if a line is not an address, or if an address occurs twice.
    pub fn read(path: &Path) -> Result<Hosts, DistributedError> {
        let mut text = Vec::new();
        let file = File::open(path).map_err(IoError::on("read", path))?;
        file.take(MAX_BYTES + 1).read_to_end(&mut text).map_err(IoError::on("read", path))?;
        let invalid = |line: usize, reason: String| DistributedError::Hosts { path: path.to_owned(), line, reason };
        if text.len() as u64 > MAX_BYTES {
            return Err(invalid(1, format!("the file has more than {MAX_BYTES} bytes; check that it is a host file")));
        }
        Hosts::parse(path, &String::from_utf8_lossy(&text))
    }

    /// Parses the text of a host file; `path` is for messages.
    ///
    /// ```
    /// use webstrata_distributed::Hosts;
    /// let hosts = Hosts::parse("hosts.txt".as_ref(), "# four cores each\nnode1:4700\nnode2:4700\n")?;
    /// assert_eq!((hosts.len(), hosts.address(1)), (2, "node2:4700"));
    /// assert!(Hosts::parse("hosts.txt".as_ref(), "node1\n").unwrap_err().to_string().starts_with("hosts.txt, line 1: "));
    /// # Ok::<(), webstrata_distributed::DistributedError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Hosts::read`].
    pub fn parse(path: &Path, text: &str) -> Result<Hosts, DistributedError> {
        let invalid = |line: usize, reason: String| DistributedError::Hosts { path: path.to_owned(), line, reason };
        let mut entries: Vec<(usize, String)> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let address = line.split('#').next().unwrap_or_default().trim();
            if address.is_empty() {
                continue;
            }
            let line = at + 1;
            check(address).map_err(|reason| {
                let shown: String = address.chars().take(80).collect();
                invalid(line, format!("`{shown}` {reason}; give an address such as node1:4700"))
            })?;
            if let Some((other, _)) = entries.iter().find(|(_, other)| other == address) {
                return Err(invalid(line, format!("{address} is also in line {other}; each process needs its own address")));
            }
            if entries.len() == MAX_PROCESSES {
                return Err(invalid(line, format!("more than {MAX_PROCESSES} processes")));
            }
            entries.push((line, address.to_owned()));
        }
        if entries.is_empty() {
            return Err(invalid(1, "there is no address; give one per line, such as node1:4700".into()));
        }
        Ok(Hosts { path: path.to_owned(), entries })
    }

    /// Number of processes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Always false: a host file without addresses is an error.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The address of a process; empty for an unknown process.
    #[must_use]
    pub fn address(&self, process: usize) -> &str {
        self.entries.get(process).map_or("", |(_, address)| address)
    }

    /// File and line of the address of a process.
    pub(crate) fn place(&self, process: usize) -> String {
        let line = self.entries.get(process).map_or(0, |&(line, _)| line);
        format!("{}, line {line}", self.path.display())
    }
}

/// Checks that a text is `name:port`; the error says what is wrong.
fn check(address: &str) -> Result<(), &'static str> {
    let (name, port) = address.rsplit_once(':').ok_or("has no port")?;
    let inner = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    if let Some(inner) = inner {
        inner.parse::<std::net::Ipv6Addr>().map_err(|_| "has brackets without an IPv6 address in them")?;
    } else if name.contains(':') {
        return Err("has an IPv6 address without brackets");
    }
    let plain = |message: char| message.is_ascii_alphanumeric() || "-._".contains(message);
    if inner.is_none() && (name.is_empty() || name.len() > 253 || !name.chars().all(plain)) {
        return Err("has no name of a machine");
    }
    match port.parse::<u16>() {
        Ok(1..) if port.bytes().all(|digit| digit.is_ascii_digit()) => Ok(()),
        _ => Err("has no port from 1 to 65535"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_errors_reported() {
        let hosts = Hosts::parse(Path::new("h"), "\n# two\nlocalhost:1 # first\r\n [::1]:65535\n").unwrap();
        assert_eq!((hosts.len(), hosts.address(0), hosts.address(1)), (2, "localhost:1", "[::1]:65535"));
        assert_eq!((hosts.place(1).as_str(), hosts.address(7)), ("h, line 4", ""));
        for (text, want) in [
            ("", "line 1: there is no address"),
            ("a:1\nb\n", "line 2: `b` has no port"),
            ("a:1\n\nb:0\n", "line 3: `b:0` has no port from 1"),
            ("a:65536", "no port from 1"),
            ("a:+1", "no port from 1"),
            ("a:x", "no port from 1"),
            (":1", "no name"),
            ("a b:1", "no name"),
            ("::1:5", "without brackets"),
            ("[zz]:5", "brackets"),
            ("a:1\na:1", "line 2: a:1 is also in line 1"),
        ] {
            let error = Hosts::parse(Path::new("h"), text).unwrap_err().to_string();
            assert!(error.starts_with("h, line") && error.contains(want), "{text:?}: {error} should say {want}");
        }
        let many: String = (0..1100).map(|n| format!("a{n}:1\n")).collect();
        assert!(Hosts::parse(Path::new("h"), &many).unwrap_err().to_string().contains("line 1025"));
    }
}

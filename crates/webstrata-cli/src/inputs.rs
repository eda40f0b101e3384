//! Which pages: names from the arguments and from lists, and their bytes.

use crate::args::PageArgs;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The name of standard input.
const STDIN: &str = "-";

/// Names of all pages, in the order in which they were given.
pub(crate) fn names(args: &PageArgs) -> Result<Vec<PathBuf>> {
    let mut names = args.files.clone();
    let mut list_is_stdin = false;
    if let Some(list) = &args.files_from {
        list_is_stdin = list.as_os_str() == STDIN;
        let lines: Box<dyn BufRead> = if list_is_stdin {
            Box::new(io::stdin().lock())
        } else {
            let file = File::open(list).with_context(|| format!("cannot read the list of pages {}", list.display()))?;
            Box::new(BufReader::new(file))
        };
        for (number, line) in lines.split(b'\n').enumerate() {
            let name = line.and_then(name_of_line);
            let name = name.with_context(|| format!("cannot read line {} of the list of pages {}", number + 1, list.display()))?;
            if !name.as_os_str().is_empty() {
                names.push(name);
            }
        }
    } else if names.is_empty() {
        bail!("no pages given; name files, or give a list with --files-from, or `-` for standard input");
    }
    match names.iter().filter(|name| name.as_os_str() == STDIN).count() {
        0 => {}
        _ if list_is_stdin => bail!("standard input cannot be both a page and the list of pages; give the list in a file"),
        1 => {}
        _ => bail!("standard input can be only one page; give `-` once"),
    }
    Ok(names)
}

/// The name on a line of a list; it may end as lines do on Windows.
fn name_of_line(mut line: Vec<u8>) -> io::Result<PathBuf> {
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    // Names of files are bytes here and text elsewhere.
    #[cfg(unix)]
    let name = <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(line);
    #[cfg(not(unix))]
    let name = String::from_utf8(line).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(PathBuf::from(name))
}

/// The bytes of a page, at most one more than `cap`, so that the reader sees that it was cut.
pub(crate) fn read(name: &Path, cap: usize) -> io::Result<Vec<u8>> {
    let most = (cap as u64).saturating_add(1);
    let mut bytes = Vec::new();
    if name.as_os_str() == STDIN {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(name)?;
        let size = file.metadata().map_or(0, |m| m.len().min(most));
        bytes.reserve(usize::try_from(size).unwrap_or(0));
        file.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

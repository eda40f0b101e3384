//! Which pages: names from arguments, folders, patterns and lists, one after the other and never all at once.

mod folder;
mod glob;
mod list;
mod read;

pub(crate) use read::read;

use crate::args::PageArgs;
use anyhow::{Result, bail};
use folder::{Walk, Want};
use list::List;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of standard input.
pub(crate) const STDIN: &str = "-";

/// A page that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) name: PathBuf,
    /// The address that the list has for it.
    pub(crate) url: Option<String>,
    /// Why there is no use in reading it.
    pub(crate) trouble: Option<String>,
    /// The file that its result goes to, if results go to files.
    pub(crate) place: Option<PathBuf>,
}

impl Input {
    fn new(name: impl Into<PathBuf>) -> Self {
        Input { name: name.into(), ..Input::default() }
    }

    fn trouble(name: impl Into<PathBuf>, trouble: impl Into<String>) -> Self {
        Input { name: name.into(), trouble: Some(trouble.into()), ..Input::default() }
    }

    /// Is it standard input?
    pub(crate) fn is_stdin(&self) -> bool {
        self.name.as_os_str() == STDIN
    }
}

/// What an argument stands for.
#[derive(Clone, Debug)]
enum Argument {
    /// A page; also what turns out not to be one.
    Page(Input),
    Folder(PathBuf),
    Pattern(PathBuf, Arc<glob::Pattern>),
}

impl Argument {
    fn new(path: &Path) -> Result<Self> {
        let text = path.to_string_lossy();
        if path.as_os_str() == STDIN {
            return Ok(Argument::Page(Input::new(path)));
        }
        // What is there is meant, whatever characters its name has.
        match path.metadata() {
            Ok(found) if found.is_dir() => Ok(Argument::Folder(path.to_owned())),
            Ok(_) => Ok(Argument::Page(Input::new(path))),
            Err(_) if is_address(&text) => Ok(Argument::Page(Input::trouble(path, NO_FETCHING))),
            Err(_) if glob::is_pattern(&text) => Ok(Argument::Pattern(path.to_owned(), Arc::new(glob::Pattern::new(&text)?))),
            Err(_) => Ok(Argument::Page(Input::new(path))),
        }
    }
}

const NO_FETCHING: &str = "it is an address, and webstrata does not fetch pages; download it (with wget or curl, say), give the \
file, and the address with --base-url or behind a tab in the list";

/// Is it an address of the Web?
fn is_address(text: &str) -> bool {
    let start = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    start("http://") || start("https://")
}

/// Where the pages of a run come from.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    arguments: Vec<Argument>,
    list: Option<PathBuf>,
    endings: Arc<[String]>,
    /// The folder that results go to: it is no place to look for pages.
    skip: Option<PathBuf>,
}

impl Inputs {
    /// What the arguments ask for. Folders and lists are opened when their turn comes.
    pub(crate) fn new(args: &PageArgs) -> Result<Self> {
        if args.paths.is_empty() && args.files_from.is_none() {
            bail!("no pages given; name files or folders, or give a list with --files-from, or `-` for standard input");
        }
        let list_is_stdin = args.files_from.as_ref().is_some_and(|list| list.as_os_str() == STDIN);
        match args.paths.iter().filter(|name| name.as_os_str() == STDIN).count() {
            0 => {}
            _ if list_is_stdin => bail!("standard input cannot be both a page and the list of pages; give the list in a file"),
            1 => {}
            _ => bail!("standard input can be only one page; give `-` once"),
        }
        Ok(Inputs {
            arguments: args.paths.iter().map(|path| Argument::new(path)).collect::<Result<_>>()?,
            list: args.files_from.clone(),
            endings: args.ext.iter().map(|ending| ending.trim_start_matches(['*', '.']).to_ascii_lowercase()).collect(),
            skip: None,
        })
    }

    /// May there be more pages than one? Judged by what was typed, not by what is there.
    pub(crate) fn several(&self) -> bool {
        self.list.is_some() || self.arguments.len() != 1 || !matches!(self.arguments[0], Argument::Page(_))
    }

    /// The folder that all pages are in, if that is all that was typed.
    pub(crate) fn only_folder(&self) -> Option<&Path> {
        match self.arguments.as_slice() {
            [Argument::Folder(folder)] if self.list.is_none() => Some(folder),
            _ => None,
        }
    }

    /// Is `path` a page that was named?
    pub(crate) fn names(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let is =
            |argument: &Argument| matches!(argument, Argument::Page(page) if page.name.canonicalize().is_ok_and(|p| p == path));
        self.arguments.iter().any(is)
    }

    /// Does not look for pages in this folder.
    pub(crate) fn skip(&mut self, folder: &Path) {
        self.skip = folder.canonicalize().ok();
    }

    /// How many pages there are, as far as that can be found out without taking them: not if they come from a pipe.
    /// Gives up when `tick`, which hears the number so far now and then, says so.
    pub(crate) fn count(&self, mut tick: impl FnMut(u64) -> bool) -> Option<u64> {
        if self.list.as_ref().is_some_and(|list| !list.is_file()) {
            return None;
        }
        let mut count: u64 = 0;
        for _ in self.open().ok()? {
            count += 1;
            if count.is_multiple_of(1000) && !tick(count) {
                return None;
            }
        }
        Some(count)
    }

    /// The pages in their order. A list that cannot be opened is an error here, before anything is done.
    pub(crate) fn open(&self) -> Result<Names> {
        let list = self.list.as_deref().map(List::open).transpose()?;
        Ok(Names { inputs: self.clone(), next: 0, current: None, list })
    }
}

/// The pages of a run, found one after the other.
#[derive(Debug)]
pub(crate) struct Names {
    inputs: Inputs,
    next: usize,
    current: Option<Search>,
    list: Option<List>,
}

/// A folder or a pattern that is being looked through.
#[derive(Debug)]
struct Search {
    walk: Walk,
    /// What was typed.
    typed: PathBuf,
    found: bool,
    /// What to say if nothing is found.
    nothing: String,
}

impl Names {
    /// Is the next name at hand, or would one have to wait for it?
    pub(crate) fn ready(&self) -> bool {
        self.current.is_some() || self.next < self.inputs.arguments.len() || self.list.as_ref().is_none_or(List::ready)
    }
}

impl Iterator for Names {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        loop {
            if let Some(search) = &mut self.current {
                if let Some(input) = search.walk.next() {
                    search.found = true;
                    return Some(input);
                }
                if let Some(Search { found: false, typed, nothing, .. }) = self.current.take() {
                    return Some(Input::trouble(typed, nothing));
                }
            }
            let Some(argument) = self.inputs.arguments.get(self.next) else {
                return self.list.as_mut()?.next();
            };
            self.next += 1;
            let skip = self.inputs.skip.clone();
            self.current = match argument {
                Argument::Page(input) => return Some(input.clone()),
                Argument::Folder(folder) => Some(Search {
                    walk: Walk::new(folder, Want::Endings(Arc::clone(&self.inputs.endings)), skip),
                    typed: folder.clone(),
                    found: false,
                    nothing: format!(
                        "no pages in it: no file whose name ends in .{}; other endings can be given with --ext",
                        self.inputs.endings.join(" or .")
                    ),
                }),
                Argument::Pattern(typed, pattern) => Some(Search {
                    walk: Walk::new(pattern.root(), Want::Pattern(Arc::clone(pattern)), skip),
                    typed: typed.clone(),
                    found: false,
                    nothing: "no file matches; check the pattern, and that it is relative to the current folder".into(),
                }),
            };
        }
    }
}

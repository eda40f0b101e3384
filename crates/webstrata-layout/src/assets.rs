//! The files next to a saved page: style sheets, images and fonts that it refers to by relative addresses.
//!
//! The page is untrusted, so it may read little: regular files in one folder and below it, of limited size and number. An address
//! is percent-decoded first and split afterwards, so that `%2e%2e%2f` does not escape, and symbolic links that leave the folder are
//! not followed.

use crate::LayoutError;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::{Component, Path, PathBuf};

/// Maximum size of a file that a page may load, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// Characters of an address that are not percent-encoded.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// A folder with the files that a saved page needs, and the page's position in it.
///
/// ```no_run
/// use webstrata_layout::Assets;
/// // Files in `saved/` and below it.
/// let beside = Assets::beside("saved/page.html".as_ref())?;
/// // Files of other hosts are in folders beside the page's own, as `wget -p -H -k` saves them.
/// let around = Assets::within("saved".as_ref(), "saved/www.example.org/index.html".as_ref())?;
/// # Ok::<(), webstrata_layout::LayoutError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assets {
    /// Resolved: no links, no `..`.
    root: PathBuf,
    /// The page's address below the root, percent-encoded.
    address: String,
}

impl Assets {
    /// The folder of a page's file and everything below it.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be read.
    pub fn beside(page: &Path) -> Result<Self, LayoutError> {
        let folder = page.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let root = folder.canonicalize().map_err(LayoutError::file("open the folder", folder))?;
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        Ok(Assets { root, address: utf8_percent_encode(&name, PLAIN).to_string() })
    }

    /// A folder and everything below it; the page is one of its files.
    ///
    /// # Errors
    /// If the folder or the page does not exist, or the page is not in the folder.
    pub fn within(root: &Path, page: &Path) -> Result<Self, LayoutError> {
        let outside = || std::io::Error::new(std::io::ErrorKind::NotFound, "it is outside the folder of its assets");
        let folder = root.canonicalize().map_err(LayoutError::file("open the folder", root))?;
        let file = page.canonicalize().map_err(LayoutError::file("open", page))?;
        let below = file.strip_prefix(&folder).map_err(|_| LayoutError::file("use", page)(outside()))?;
        let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        Ok(Assets { root: folder, address: utf8_percent_encode(&parts.join("/"), PLAIN).to_string() })
    }

    /// The page's address below the root.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The content of the file at an address below the root, without its leading slash and fragment. `None` if there is no such
    /// file, or the page may not read it.
    ///
    /// Programs that save pages keep a query (`a.css?v=2`) in the name of the file or drop it, so both names are tried.
    pub(crate) fn read(&self, address: &str) -> Option<Vec<u8>> {
        let path = address.split('?').next().unwrap_or_default();
        [address, path].into_iter().find_map(|name| self.read_file(&percent_decode_str(name).decode_utf8().ok()?))
    }

    fn read_file(&self, below: &str) -> Option<Vec<u8>> {
        let below = Path::new(below);
        // A backslash or a drive letter is a component on other systems, and is refused there as well.
        if below.as_os_str().is_empty() || !below.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let file = self.root.join(below).canonicalize().ok()?;
        if !file.starts_with(&self.root) {
            return None;
        }
        let about = file.metadata().ok()?;
        if !about.is_file() || about.len() > MAX_FILE {
            return None;
        }
        let mut content = Vec::new();
        let opened = std::fs::File::open(&file).ok()?;
        // The file may have grown since.
        std::io::Read::read_to_end(&mut std::io::Read::take(opened, MAX_FILE), &mut content).ok()?;
        Some(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder() -> (tempfile::TempDir, Assets) {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("site");
        fs::create_dir_all(root.join("css/deep")).unwrap();
        for (name, text) in [("page.html", "page"), ("css/a.css", "a"), ("css/b.css?v=2", "b"), ("two words.css", "c")] {
            fs::write(root.join(name), text).unwrap();
        }
        fs::write(outer.path().join("secret.css"), "secret").unwrap();
        let assets = Assets::beside(&root.join("page.html")).unwrap();
        (outer, assets)
    }

    #[test]
    fn files_below_the_folder_are_found() {
        let (_outer, assets) = folder();
        let read = |address: &str| assets.read(address).map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(assets.address(), "page.html");
        assert_eq!(read("css/a.css").as_deref(), Some("a"));
        assert_eq!(read("css/a.css?v=9").as_deref(), Some("a"));
        assert_eq!(read("css/b.css?v=2").as_deref(), Some("b"));
        assert_eq!(read("css/b.css%3Fv=2").as_deref(), Some("b"));
        assert_eq!(read("two%20words.css").as_deref(), Some("c"));
        assert_eq!(read("css/none.css"), None);
        assert_eq!(read("css"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn nothing_outside_of_the_folder_is_read() {
        let (outer, assets) = folder();
        let absolute = outer.path().join("secret.css");
        let absolute = absolute.to_str().unwrap();
        for address in
            ["../secret.css", "%2e%2e/secret.css", "..%2fsecret.css", "css/../../secret.css", "css/%2e%2e/%2e%2e/secret.css"]
        {
            assert_eq!(assets.read(address), None, "{address}");
        }
        assert_eq!(assets.read(absolute), None);
        assert_eq!(assets.read(&format!("/{absolute}")), None);
        assert_eq!(assets.read("css/a.css\0"), None);
        assert!(Assets::within(&outer.path().join("site"), absolute.as_ref()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_that_leave_the_folder_are_not_followed() {
        let (outer, assets) = folder();
        let site = outer.path().join("site");
        std::os::unix::fs::symlink(outer.path().join("secret.css"), site.join("link.css")).unwrap();
        std::os::unix::fs::symlink(outer.path(), site.join("up")).unwrap();
        std::os::unix::fs::symlink(site.join("css/a.css"), site.join("inside.css")).unwrap();
        assert_eq!(assets.read("link.css"), None);
        assert_eq!(assets.read("up/secret.css"), None);
        assert_eq!(assets.read("inside.css").as_deref(), Some(&b"a"[..]));
    }

    #[test]
    fn large_files_are_refused() {
        let (outer, assets) = folder();
        fs::File::create(outer.path().join("site/large.css")).unwrap().set_len(MAX_FILE + 1).unwrap();
        assert_eq!(assets.read("large.css"), None);
    }
}

//! Starts a browser that can reach nothing, and ends it with all its processes.

use super::ChromiumOptions;
use super::connection::Connection;
use crate::LayoutError;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Names of Chromium's executable on the systems we know.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The variable that names another browser.
const VARIABLE: &str = "WEBSTRATA_BROWSER";

/// Number of bytes of standard error kept for messages.
const KEPT: usize = 4096;

/// Grace period for a browser whose pipe is closed to end and report why.
const GRACE: Duration = Duration::from_secs(2);

/// Arguments of every browser.
///
/// The first group makes it unable to reach anything, in case a request is not intercepted: no name resolves, not even an IP,
/// and everything, loopback included, goes through a proxy whose name does not resolve either. The second stops
/// services that would use the network by themselves. The third makes rendering the same everywhere.
const FLAGS: [&str; 40] = [
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://proxy.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--block-new-web-contents",
    "--blink-settings=scriptEnabled=false",
    //
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-notifications",
    "--disable-plugins",
    "--disable-print-preview",
    "--disable-search-engine-choice-screen",
    "--disable-speech-api",
    "--disable-sync",
    "--disable-features=AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,\
MediaRouter,OptimizationHints,Translate,NetworkTimeServiceQuerying,AsyncDns,DnsOverHttps,InterestFeedContentSuggestions",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-service-autorun",
    "--use-mock-keychain",
    "--password-store=basic",
    //
    "--headless",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
];

/// The browser's executable: the option, the variable, or the first name on the search path.
pub(crate) fn find(option: Option<&Path>) -> Result<PathBuf, LayoutError> {
    let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    find_in(option, variable, std::env::var_os("PATH"))
}

fn find_in(option: Option<&Path>, variable: Option<OsString>, path: Option<OsString>) -> Result<PathBuf, LayoutError> {
    let names: Vec<PathBuf> = match (option, variable) {
        (Some(option), _) => vec![option.to_owned()],
        (None, Some(variable)) => vec![variable.into()],
        (None, None) => NAMES.iter().map(PathBuf::from).collect(),
    };
    let folders: Vec<PathBuf> = path.iter().flat_map(std::env::split_paths).collect();
    for name in &names {
        if name.components().count() > 1 {
            if name.is_file() {
                return Ok(name.clone());
            }
        } else if let Some(found) = folders.iter().map(|folder| folder.join(name)).find(|program| program.is_file()) {
            return Ok(found);
        }
    }
    let tried: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
    Err(LayoutError::NoBrowser { tried: tried.join(", ") })
}

/// A browser's process with its profile. Both are removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    browser: PathBuf,
    child: Child,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    /// Thread that reads standard error to its end.
    reader: Option<JoinHandle<()>>,
    /// Held until the process has ended.
    _profile: tempfile::TempDir,
}

impl Process {
    /// The error of a browser that has closed its pipe.
    pub(crate) fn ended(&mut self, step: &'static str) -> LayoutError {
        let started = Instant::now();
        let is_read = |reader: &Option<JoinHandle<()>>| reader.as_ref().is_none_or(JoinHandle::is_finished);
        while started.elapsed() < GRACE && (matches!(self.child.try_wait(), Ok(None)) || !is_read(&self.reader)) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let kept: Vec<u8> = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        LayoutError::Ended { browser: self.browser.clone(), step, stderr: String::from_utf8_lossy(&kept).into_owned() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            // The process group belongs to the browser alone, and exists until the browser has been waited for.
            let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a browser.
#[cfg(not(unix))]
pub(crate) fn start(_: &ChromiumOptions) -> Result<Connection, LayoutError> {
    Err(LayoutError::Unsupported)
}

/// Starts a browser with its own profile, connected by pipes.
#[cfg(unix)]
pub(crate) fn start(options: &ChromiumOptions) -> Result<Connection, LayoutError> {
    use command_fds::{CommandFdExt, FdMapping};
    use std::os::unix::process::CommandExt;

    let browser = find(options.browser.as_deref())?;
    let failed = |source| LayoutError::Start { browser: browser.clone(), source };
    let profile = tempfile::Builder::new().prefix("webstrata-browser-").tempdir().map_err(failed)?;
    let (commands, to) = std::io::pipe().map_err(failed)?;
    let (from, answers) = std::io::pipe().map_err(failed)?;
    let mut command = Command::new(&browser);
    command.args(FLAGS).arg("--remote-debugging-pipe");
    let mut folder = OsString::from("--user-data-dir=");
    folder.push(profile.path());
    command.arg(folder).arg(format!("--window-size={},{}", options.width, options.height));
    // Chromium refuses to run as root with its sandbox.
    if options.no_sandbox || nix::unistd::geteuid().is_root() {
        command.arg("--no-sandbox");
    }
    command.arg("about:blank");
    // Files that it keeps in a home folder are removed with the profile.
    command.env("HOME", profile.path()).env_remove("XDG_CONFIG_HOME").env_remove("XDG_CACHE_HOME");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    // The numbers are part of the browser's interface: it reads 3 and writes 4.
    let pipes = vec![FdMapping { parent_fd: commands.into(), child_fd: 3 }, FdMapping { parent_fd: answers.into(), child_fd: 4 }];
    command.fd_mappings(pipes).map_err(|error| failed(std::io::Error::other(error.to_string())))?;
    let mut child = command.spawn().map_err(failed)?;
    // Dropping the command closes our copies of the browser's pipe ends, so that we notice when it closes them.
    drop(command);
    let stderr = Arc::new(Mutex::new(VecDeque::new()));
    let kept = Arc::clone(&stderr);
    let reader = child.stderr.take().map(|source| std::thread::spawn(move || keep_end(source, &kept)));
    let process = Process { browser, child, stderr, reader, _profile: profile };
    Ok(Connection::new(process, from, to))
}

/// Reads everything and keeps the end.
fn keep_end(mut source: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = source.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&buffer[..read]);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_found_by_option_variable_and_name() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("chromium");
        std::fs::write(&program, "").unwrap();
        let path = Some(folder.path().as_os_str().to_owned());
        assert_eq!(find_in(None, None, path.clone()).unwrap(), program);
        assert_eq!(find_in(Some(&program), Some("other".into()), None).unwrap(), program);
        let missing = find_in(None, Some("other".into()), path).unwrap_err();
        assert_eq!(missing.to_string(), "no Chromium found (tried other); install it, or name its program with WEBSTRATA_BROWSER");
    }
}

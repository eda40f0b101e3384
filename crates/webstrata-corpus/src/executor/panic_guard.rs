//! Turns panics into errors of the page or file that caused them.
//!
//! Neither a page nor a file may end a run, whatever bug it triggers in our code or in a library.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// How many guards this thread is inside of.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Keeps the message and stack trace of guarded panics off standard error: the caller reports them with the page or file.
/// Programs call this once; it wraps the panic hook that is installed.
pub fn install() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if DEPTH.get() == 0 {
            default(panic);
        }
    }));
}

/// Runs `work`. If it panics, returns the message of the panic.
///
/// ```
/// use webstrata_corpus::executor::panic_guard;
/// panic_guard::install();
/// assert_eq!(panic_guard::catch(|| 1), Ok(1));
/// assert_eq!(panic_guard::catch(|| -> i32 { panic!("too bad") }), Err("too bad".to_owned()));
/// ```
///
/// # Errors
/// The message of the panic.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let attempt = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    attempt.map_err(|panic| message(&*panic))
}

pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("panic").to_owned()
}

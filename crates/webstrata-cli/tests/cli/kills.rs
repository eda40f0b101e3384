//! Kills the program at moments spread over its run.

use std::process::Child;
use std::time::Duration;

/// Number of kills that must arrive in time: `WEBSTRATA_KILLS`, or a few in the fast lane of `scripts/test`.
pub(crate) fn number() -> u32 {
    let default = if std::env::var_os("WEBSTRATA_FULL").is_some_and(|value| value == "1") { 20 } else { 4 };
    std::env::var("WEBSTRATA_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(default)
}

/// Kills one child after another.
pub(crate) struct Killer {
    /// Duration of a whole run, as far as known.
    whole: Duration,
    attempts: u32,
    hits: u32,
}

impl Killer {
    pub(crate) fn new(whole: Duration) -> Self {
        Killer { whole, attempts: 0, hits: 0 }
    }

    /// Whether more kills are needed. A child that ends before it is killed does not count, so a machine that was busy during
    /// the first run only costs attempts.
    pub(crate) fn needs_more(&self) -> bool {
        self.hits < number() && self.attempts < 20 * number()
    }

    /// Waits for some part of a run, then sends SIGKILL. Returns whether that came in time.
    pub(crate) fn kill(&mut self, mut child: Child) -> bool {
        // The golden ratio spreads the moments evenly without a pattern.
        let share = (f64::from(self.attempts) * 0.618_033_988_749_895).fract();
        self.attempts += 1;
        std::thread::sleep(self.whole.mul_f64(share));
        child.kill().unwrap();
        let hit = child.wait().unwrap().code().is_none(); // ended by the signal
        if hit {
            self.hits += 1;
        } else {
            self.whole = self.whole.mul_f64(0.75);
        }
        hit
    }

    /// Fails if the kills never came in time.
    #[track_caller]
    pub(crate) fn assert_enough(&self) {
        assert!(self.hits >= number(), "only {} of {} kills came in time", self.hits, self.attempts);
    }
}

//! An allocator that counts, per thread: calls, bytes in use and their peak.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Memory that a page may take: [`FACTOR`] times its size plus [`BASE`] bytes.
pub(crate) const FACTOR: usize = 12;
pub(crate) const BASE: usize = 50 << 20;

/// The system's allocator with counters for the current thread.
pub(crate) struct CountingAllocator;

#[derive(Clone, Copy)]
struct Counters {
    calls: usize,
    /// Negative where a thread frees what another one allocated.
    in_use: isize,
    peak: isize,
}

thread_local! {
    static COUNTERS: Cell<Counters> = const { Cell::new(Counters { calls: 0, in_use: 0, peak: 0 }) };
}

/// Updates the counters. A thread that is being torn down no longer has any, and does not matter.
fn count(calls: usize, taken: usize, freed: usize) {
    let _ = COUNTERS.try_with(|counters| {
        let mut now = counters.get();
        now.calls += calls;
        now.in_use += taken as isize;
        // While a block is moved, both copies exist: the peak comes before the old one is freed.
        now.peak = now.peak.max(now.in_use);
        now.in_use -= freed as isize;
        counters.set(now);
    });
}

// SAFETY: every call is passed on unchanged to the system's allocator, which keeps the contract; the counters are a
// `Cell` without a destructor in constant thread-local storage, so counting neither allocates nor races.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size(), 0);
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, 0, layout.size());
        // SAFETY: the caller's promise that `pointer` came from here with `layout` is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, size, layout.size());
        // SAFETY: as above; `size` is the caller's too.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Allocations made by this thread so far.
pub(crate) fn calls() -> usize {
    COUNTERS.with(|counters| counters.get().calls)
}

/// Peak of the memory that `job` takes on this thread, beyond what was in use before.
pub(crate) fn peak(job: impl FnOnce() -> usize) -> usize {
    let before = COUNTERS.with(|counters| {
        let mut now = counters.get();
        now.peak = now.in_use;
        counters.set(now);
        now.in_use
    });
    std::hint::black_box(job());
    usize::try_from(COUNTERS.with(|counters| counters.get().peak) - before).unwrap_or_default()
}

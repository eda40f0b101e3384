//! How much memory a job takes: an allocator that counts. A program that uses it names it its `global_allocator`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, with a count of the bytes in use and of their peak.
pub struct Measuring;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn taken(bytes: usize) {
    let now = IN_USE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every call is handed on unchanged to the system's allocator, which keeps the contract; the
// counters are atomics, so counting neither allocates nor races.
unsafe impl GlobalAlloc for Measuring {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise that `pointer` came from here with `layout` is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While a block is moved, both exist.
        taken(size);
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above; `size` is the caller's too.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Memory that a page may take: so many times its size, and so many bytes.
pub const FACTOR: usize = 12;
pub const BASE: usize = 50 << 20;

/// Peak of the memory that a job takes beside its input.
pub fn peak(bytes: &[u8], job: impl Fn(&[u8]) -> usize) -> usize {
    let before = IN_USE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    std::hint::black_box(job(bytes));
    PEAK.load(Ordering::Relaxed) - before
}

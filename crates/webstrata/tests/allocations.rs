//! Parsing with a warm [`Parser`] allocates nothing: shown with an allocator that counts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test program")]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use support::pages::{Manner, news};
use webstrata::html::token::Repair;
use webstrata::html::{ParseOptions, Parser};

/// The system's allocator, with a count of what the current thread asks of it.
struct Counting;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts one call. A thread that is being torn down has no counter any more, and is of no interest.
fn count() {
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call is handed on unchanged to the system's allocator, which keeps the contract; the
// counter is a `Cell` without a destructor in constant thread-local storage, so counting never allocates.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise that `pointer` came from here with `layout` is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above; `size` is the caller's too.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn calls() -> usize {
    CALLS.with(Cell::get)
}

/// Pages with attributes, misnesting, made-up tags, doctypes, late `html` and `body` tags, unclosed raw text.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = (0..40).map(|n| news(n, if n % 2 == 0 { Manner::Odd } else { Manner::Neat })).collect();
    let late = pages[0].replace("<article", "<html lang=en dir=ltr><body class=late id=b><article");
    pages.push(late.replacen("<body class=\"page", "<body><body class=\"page", 1));
    pages.push("<p>no doctype <b><i>x<div>y</b>z</i><table>a<tr>b<td>c</table>".repeat(200));
    pages.push(format!("<title>open {}", pages[1].replace("<title>", "").replace("</title>", "")));
    pages.push((0..600).map(|n| format!("<x-{n} a=b>w</x-{n}>")).collect());
    pages
}

#[test]
fn a_warm_parser_allocates_nothing() {
    let pages = pages();
    for repair in [Repair::On, Repair::Off] {
        let mut parser = Parser::new(ParseOptions { repair, ..ParseOptions::default() });
        for round in 0..2 {
            for (n, page) in pages.iter().enumerate() {
                let before = calls();
                let dom = parser.parse(page);
                parser.recycle(dom);
                let made = calls() - before;
                assert!(round == 0 || made == 0, "page {n} made {made} allocations in round {round}");
            }
        }
    }
    println!("{} pages, second round: no allocation", pages.len());
}

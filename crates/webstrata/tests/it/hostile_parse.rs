//! Hostile pages through [`Parser`] alone: linear time, and at full size a minimum speed that no quadratic parser would reach.

use crate::support::clock::{assert_all_linear, check_linear, now};
use crate::support::hostile::KINDS;
use std::cell::RefCell;
use webstrata::html::token::Repair;
use webstrata::html::{ParseOptions, Parser};

/// Growth is measured at this fraction of the full size.
const SIZE_DIVISOR: usize = 8;

/// Minimum speed at full size, in MB per second of CPU time. The slowest kind reaches 74 on an idle machine and 33 on a busy one.
const MIN_SPEED: f64 = 5.0;

fn parse(parser: &mut Parser, page: &str) -> usize {
    let dom = parser.parse(page);
    let nodes = dom.len();
    parser.recycle(dom);
    nodes
}

fn check(repair: Repair) {
    let parser = || Parser::new(ParseOptions::default().repair(repair));
    assert_all_linear(KINDS.iter().map(|kind| {
        // Shared by all runs: its buffers have grown after the first.
        let parser = RefCell::new(parser());
        check_linear(kind.name, (kind.n / SIZE_DIVISOR).max(4), kind.page, |bytes, timer| {
            let page = std::str::from_utf8(bytes).unwrap();
            timer.time(|| parse(&mut parser.borrow_mut(), page));
        })
    }));
    let mut slow = Vec::new();
    for kind in KINDS {
        let mut parser = parser();
        let page = (kind.page)(2 * kind.n);
        let once = |parser: &mut Parser| {
            let start = now();
            parse(parser, &page);
            now().saturating_sub(start)
        };
        let best = (0..3).map(|_| once(&mut parser)).min().unwrap();
        let speed = page.len() as f64 / 1e6 / best.as_secs_f64().max(1e-6);
        if speed < MIN_SPEED {
            slow.push(format!("{}: {speed:.1} MB/s", kind.name));
        }
    }
    assert!(slow.is_empty(), "too slow: {slow:#?}");
}

#[test]
fn parsing_with_repair_is_linear() {
    check(Repair::On);
}

#[test]
fn parsing_without_repair_is_linear() {
    check(Repair::Off);
}

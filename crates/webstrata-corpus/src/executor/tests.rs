//! Order, limits, panics and cancellation, with the tests' own source and clock.

use super::endless::Endless;
use super::*;
use crate::input::Reason;
use std::sync::atomic::AtomicU64;

/// The numbers below `end`.
struct Numbers {
    next: u64,
    end: u64,
    read: Arc<AtomicU64>,
}

impl Numbers {
    fn new(end: u64) -> Numbers {
        Numbers { next: 0, end, read: Arc::default() }
    }
}

impl Source for Numbers {
    type Item = u64;
    type Error = String;

    fn next(&mut self) -> Option<Result<u64, String>> {
        if self.next == self.end {
            return None;
        }
        self.next += 1;
        self.read.fetch_add(1, Ordering::SeqCst);
        Some(Ok(self.next - 1))
    }
}

/// Calls a function with each number.
struct Call<F>(F, usize);

impl<F: Fn(u64) + Send + Sync + 'static> Job for Call<F> {
    type Source = Numbers;
    type Tools = ();
    type Output = Result<u64, Failure>;
    type Background = u64;

    fn tools(&self) {}

    fn run(&self, (): &mut (), item: &u64, phase: &dyn Fn(Phase)) -> Result<u64, Failure> {
        phase(Phase::Working);
        (self.0)(*item);
        Ok(*item)
    }

    fn failed(&self, _: &u64, failure: Failure) -> Result<u64, Failure> {
        Err(failure)
    }

    fn item_size(&self, _: &u64) -> usize {
        self.1
    }

    fn output_size(&self, _: &Result<u64, Failure>) -> usize {
        self.1
    }
}

fn options(threads: usize) -> ExecutorOptions {
    ExecutorOptions { threads, ..ExecutorOptions::default() }
}

/// All outputs, and why the work stopped.
fn outputs<F>(executor: &Executor<Call<F>>) -> (Vec<Result<u64, Failure>>, Option<Stop<String>>)
where
    F: Fn(u64) + Send + Sync + 'static,
{
    let mut all = Vec::new();
    loop {
        match executor.next(Duration::from_secs(60)) {
            Ok(Event::Outputs(outputs)) => {
                let push = |item: &u64, output: Result<u64, Failure>| {
                    assert!(output.as_ref().is_err() || output.as_ref() == Ok(item));
                    all.push(output);
                    Ok::<(), ()>(())
                };
                outputs.try_for_each(push).unwrap();
            }
            Ok(Event::Background(_) | Event::Idle) => {}
            Ok(Event::End) => return (all, None),
            Err(stop) => return (all, Some(stop)),
        }
    }
}

#[test]
fn outputs_come_in_the_order_of_the_input() {
    for threads in [1, 2, 7] {
        let job = Call(|number| std::thread::sleep(Duration::from_micros(number * 7919 % 300)), 1);
        let executor = Executor::start(Numbers::new(500), job, &options(threads)).unwrap();
        let (all, stop) = outputs(&executor);
        assert!(stop.is_none());
        assert_eq!(all, (0..500).map(Ok).collect::<Vec<_>>());
    }
    let executor = Executor::start(Numbers::new(0), Call(|_| (), 1), &options(2)).unwrap();
    assert_eq!(outputs(&executor).0, []);
}

#[test]
fn a_panic_fails_its_item_only() {
    panic_guard::install();
    let executor = Executor::start(Numbers::new(50), Call(|number| assert!(number != 20, "asked for it"), 1), &options(3)).unwrap();
    let (all, stop) = outputs(&executor);
    assert!(stop.is_none());
    let failure = all[20].clone().unwrap_err();
    assert!(failure.reason == Reason::Failed && failure.message.contains("asked for it"), "{failure:?}");
    assert_eq!(all.iter().filter(|output| output.is_ok()).count(), 49);
}

#[test]
fn an_item_that_does_not_end_is_abandoned() {
    let endless = Endless::default();
    let (job, clock) = (endless.clone(), endless.clock());
    // One thread: while the endless item runs nothing else does, so no other item can time out.
    let options = ExecutorOptions { timeout: Some(Duration::from_millis(10)), ..options(1) };
    let job = Call(
        move |number| {
            if number == 20 || number == 21 {
                job.run();
            }
        },
        1,
    );
    let executor = Executor::start_with_clock(Numbers::new(60), job, &options, clock).unwrap();
    let (all, stop) = outputs(&executor);
    assert!(stop.is_none());
    let failed: Vec<usize> = (0..60).filter(|&number| all[number].is_err()).collect();
    assert_eq!(failed, [20, 21]);
    assert_eq!(all[20].clone().unwrap_err().reason, Reason::TimedOut);
}

#[test]
fn too_many_items_that_do_not_end_stop_the_work() {
    let endless = Endless::default();
    let (job, clock) = (endless.clone(), endless.clock());
    let options = ExecutorOptions { timeout: Some(Duration::from_millis(10)), ..options(1) };
    let job = Call(
        move |number| {
            if number >= 40 {
                job.run();
            }
        },
        1,
    );
    let executor = Executor::start_with_clock(Numbers::new(60), job, &options, clock).unwrap();
    let (all, stop) = outputs(&executor);
    assert!(matches!(stop, Some(Stop::TooManyStuck(4))), "{stop:?}");
    assert!(all.len() >= 40 && all[..40].iter().all(Result::is_ok), "finished outputs are returned");
}

#[test]
fn without_a_limit_items_never_time_out() {
    let endless = Endless::default();
    let (job, clock) = (endless.clone(), endless.clock());
    let job = Call(
        move |number| {
            if number == 0 {
                job.run();
            }
        },
        1,
    );
    let executor = Executor::start_with_clock(Numbers::new(3), job, &options(1), clock).unwrap();
    assert!(matches!(executor.next(Duration::ZERO), Ok(Event::Idle)));
    endless.release();
    assert_eq!(outputs(&executor).0.len(), 3);
}

#[test]
fn reading_waits_for_processing() {
    let endless = Endless::default();
    let job = endless.clone();
    let source = Numbers::new(100_000);
    let read = Arc::clone(&source.read);
    let executor = Executor::start(source, Call(move |_| job.run(), 1 << 20), &options(2)).unwrap();
    while endless.begun() < 2 {
        std::thread::yield_now();
    }
    assert!(matches!(executor.next(Duration::from_millis(100)), Ok(Event::Idle)));
    assert!(read.load(Ordering::SeqCst) <= 200, "{} items of 1 MB were read", read.load(Ordering::SeqCst));
}

#[test]
fn cancelled_work_stops() {
    let endless = Endless::default();
    let (job, options) = (endless.clone(), options(2));
    let executor = Executor::start(Numbers::new(100), Call(move |_| job.run(), 1), &options).unwrap();
    options.cancel.store(true, Ordering::SeqCst);
    assert!(matches!(outputs(&executor).1, Some(Stop::Cancelled)));
}

#[test]
fn background_results_come_in_the_order_of_submission() {
    let executor = Executor::start(Numbers::new(0), Call(|_| (), 1), &options(4)).unwrap();
    for number in 0..50 {
        executor.submit(1 << 20, move || {
            std::thread::sleep(Duration::from_micros(number * 7919 % 300));
            number
        });
    }
    let mut results = Vec::new();
    loop {
        match executor.next(Duration::from_secs(60)).unwrap() {
            Event::Background(number) => results.push(number),
            Event::End => break,
            _ => {}
        }
    }
    assert_eq!(results, (0..50).collect::<Vec<_>>());
}

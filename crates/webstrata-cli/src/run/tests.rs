//! Pages that do not end, and what the run makes of them.
use super::*;
use crate::args::{Cli, Command};
use clap::Parser;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Loops on pages that say `forever`, until the test lets go.
struct Looping {
    let_go: Arc<AtomicBool>,
    came_back: Arc<AtomicBool>,
}

impl Job for Looping {
    fn page(&self, _: &Input, page: &Page<'_>) -> Result<String> {
        let text = page.dom().text();
        if text.contains("forever") {
            while !self.let_go.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
            self.came_back.store(true, Ordering::SeqCst);
        }
        Ok(text)
    }

    fn failure(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

const TEXT: Shape = Shape { extension: "txt", between: "\n", one_file: false, array: false };

/// Runs the job over pages with these texts, results in `out`.
fn run_over(here: &Path, texts: &[&str], options: &[&str], job: Looping) -> Result<Summary> {
    std::fs::create_dir(here.join("in")).unwrap();
    for (i, text) in texts.iter().enumerate() {
        std::fs::write(here.join(format!("in/{i:03}.html")), format!("<p>{text}")).unwrap();
    }
    let (input, output) = (here.join("in"), here.join("out"));
    let typed = ["webstrata", "extract", "--quiet", "-o"].into_iter().chain([output.to_str().unwrap(), input.to_str().unwrap()]);
    let cli = Cli::try_parse_from(typed.chain(options.iter().copied())).unwrap();
    let Command::Extract(args) = cli.command else { panic!("it was typed") };
    run(&args.pages, args.pages.output.as_deref(), TEXT, Arc::new(job))
}

fn looping() -> (Looping, Arc<AtomicBool>, Arc<AtomicBool>) {
    let (let_go, came_back) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
    (Looping { let_go: Arc::clone(&let_go), came_back: Arc::clone(&came_back) }, let_go, came_back)
}

#[test]
fn a_page_that_loops_is_given_up_and_its_late_result_dropped() {
    for threads in ["1", "2"] {
        let here = tempfile::tempdir().unwrap();
        let texts: Vec<&str> = (0..100).map(|i| if i == 40 || i == 47 { "forever" } else { "fine" }).collect();
        let (job, let_go, came_back) = looping();
        let started = Instant::now();
        let summary = run_over(here.path(), &texts, &["--timeout", "1", "--threads", threads], job).unwrap();
        assert!(started.elapsed() < Duration::from_secs(60));
        assert_eq!((summary.done, summary.failed), (98, 2));
        let_go.store(true, Ordering::SeqCst);
        while !came_back.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(std::fs::read_dir(here.path().join("out")).unwrap().count(), 98);
        assert!(!here.path().join("out/040.txt").exists() && here.path().join("out/041.txt").exists());
    }
}

#[test]
fn too_many_pages_that_loop_end_the_run() {
    let here = tempfile::tempdir().unwrap();
    let (job, let_go, _) = looping();
    let texts = [["fine"; 3].as_slice(), &["forever"; 20]].concat();
    let error = run_over(here.path(), &texts, &["--timeout", "0.5", "--threads", "1"], job).unwrap_err().to_string();
    let_go.store(true, Ordering::SeqCst);
    assert!(error.contains("stopped: 4 pages did not end") && error.contains("3 pages came out"), "{error}");
}

#[test]
fn without_a_limit_a_page_has_all_the_time() {
    let here = tempfile::tempdir().unwrap();
    let (job, let_go, _) = looping();
    let later = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        let_go.store(true, Ordering::SeqCst);
    });
    let summary = run_over(here.path(), &["forever", "fine"], &["--timeout", "0"], job).unwrap();
    assert_eq!((summary.done, summary.failed), (2, 0));
    later.join().unwrap();
}

#[test]
fn the_encodings_that_are_listed_exist() {
    for name in ENCODINGS.split(' ') {
        let encoding = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
        assert_eq!(encoding.map(encoding_rs::Encoding::name), Some(name));
    }
}

//! `webstrata rank pagerank --host-file`: several processes on one machine, also if one of them is killed.

use crate::common::{program, run};
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

/// Writes a host file of so many free ports and gives their addresses.
fn hosts(folder: &Path, count: usize) -> Vec<String> {
    let listeners: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect();
    fs::write(folder.join("hosts"), format!("# this machine\n{}\n", addresses.join("\n"))).unwrap();
    addresses
}

fn start(folder: &Path, process: usize, arguments: &[&str]) -> Child {
    let number = process.to_string();
    let mut command = program(folder, &["rank", "pagerank"]);
    command.args(arguments).args(["--host-file", "hosts", "--process", &number]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn said(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!text.contains("panicked") && !text.contains("please report"), "{text}");
    text
}

/// Runs all processes to a good end and gives what each said.
fn all(folder: &Path, count: usize, arguments: &[&str]) -> Vec<String> {
    let children: Vec<Child> = (0..count).map(|process| start(folder, process, arguments)).collect();
    let outputs: Vec<Output> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    for output in &outputs {
        assert_eq!(output.status.code(), Some(0), "{}", said(output));
        assert!(output.stdout.is_empty());
    }
    outputs.iter().map(said).collect()
}

fn generate(folder: &Path, name: &str, pages: &str, links: &str) {
    let hosts = (pages.parse::<u32>().unwrap() / 50).to_string();
    let size = ["--num-pages", pages, "--num-hosts", &hosts, "--num-links", links, "--quiet"];
    run(folder, &[&["graph", "generate", "--out", name][..], &size].concat()).quiet();
}

fn ranks(path: &Path) -> Vec<(String, f64)> {
    let text = fs::read_to_string(path).unwrap();
    let line = |line: &str| line.split_once('\t').map(|(page, rank)| (page.to_owned(), rank.parse().unwrap())).unwrap();
    text.lines().map(line).collect()
}

#[test]
fn two_and_four_processes_come_to_the_ranks_of_one() {
    let here = tempfile::tempdir().unwrap();
    let path = |name: &str| here.path().join(name);
    generate(here.path(), "g", "10000", "90000");
    run(here.path(), &["rank", "pagerank", "g", "--tolerance", "1e-14", "--out", "one.tsv", "--quiet"]).quiet();
    let one = ranks(&path("one.tsv"));
    for count in [2, 4] {
        hosts(here.path(), count);
        let arguments = [
            "g", "--tolerance", "1e-14", "--threads", "1", "--out", "many.tsv", "--residuals", "r.csv", "--checkpoint-dir", "kept",
        ];
        let said = all(here.path(), count, &arguments);
        assert!(
            said[0].contains(&format!("by {count} processes")) && said[0].contains("votes") && said[0].contains("bytes"),
            "{said:?}"
        );
        assert!(said[1].contains(&format!("process 1 of {count}")), "{said:?}");
        let many = ranks(&path("many.tsv"));
        assert!(many.iter().map(|(page, _)| page).eq(one.iter().map(|(page, _)| page)));
        let distance: f64 = many.iter().zip(&one).map(|(many, one)| (many.1 - one.1).abs()).sum();
        assert!(distance < 1e-12, "{count} processes: {distance:e}");
        assert!(fs::read_to_string(path("r.csv")).unwrap().lines().count() > 20);
        // Nothing is left of the checkpoints.
        assert!(!path("kept").exists());
        fs::remove_file(path("many.tsv")).unwrap();
    }
}

/// Moments at which a process is killed: `WEBSTRATA_KILLS` of them, or a few.
fn moments() -> usize {
    std::env::var("WEBSTRATA_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(2)
}

/// The others end soon and say why, and the same commands come to the same bytes.
#[test]
fn a_killed_process_ends_the_others_and_a_restart_goes_on() {
    const COUNT: usize = 3;
    let here = tempfile::tempdir().unwrap();
    let path = |name: &str| here.path().join(name);
    generate(here.path(), "g", "20000", "180000");
    let plain = ["g", "--tolerance", "1e-14", "--damping", "0.95", "--threads", "1", "--connect-timeout", "8"];
    let arguments =
        |out: &'static str| [&plain[..], &["--out", out, "--checkpoint-dir", "kept", "--checkpoint-every", "0"]].concat();
    hosts(here.path(), COUNT);
    let begun = Instant::now();
    all(here.path(), COUNT, &arguments("whole.tsv"));
    let mut whole = begun.elapsed();
    let mut state = 0x9e37_79b9_7f4a_7c15u64 ^ u64::from(std::process::id());
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let (mut killed, mut went_on) = (0, 0);
    // More of them if none came in time.
    for moment in 0..moments() + 20 {
        if moment >= moments() && killed > 0 {
            break;
        }
        let addresses = hosts(here.path(), COUNT);
        let mut children: Vec<Child> = (0..COUNT).map(|process| start(here.path(), process, &arguments("out.tsv"))).collect();
        std::thread::sleep(whole.mul_f64((random() % 1000) as f64 / 1000.0));
        let victim = random() % COUNT;
        children[victim].kill().unwrap(); // SIGKILL
        let begun = Instant::now();
        let outputs: Vec<Output> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        let took = begun.elapsed();
        if outputs[victim].status.code().is_some() {
            // It was done before: what else the machine had to do during the first run may be done.
            fs::remove_file(path("out.tsv")).unwrap();
            whole = whole.mul_f64(0.75);
            continue;
        }
        killed += 1;
        for (process, output) in outputs.iter().enumerate().filter(|&(process, _)| process != victim) {
            let said = said(output);
            if output.status.code() == Some(0) {
                // All ranks were there, and only the good-bye was missing.
                assert!(path("out.tsv").exists(), "{said}");
                continue;
            }
            assert_eq!(output.status.code(), Some(2), "process {process}: {said}");
            let missing = format!("process {victim} at {}", addresses[victim]);
            assert!(said.contains(&missing), "process {process} should name process {victim}: {said}");
            let remedy = ["resume from the last checkpoint", "start it there with the same command"];
            assert!(remedy.iter().any(|remedy| said.contains(remedy)), "{said}");
        }
        assert!(took < Duration::from_secs(10), "it took {took:?} at moment {moment}");
        let said = all(here.path(), COUNT, &arguments("out.tsv"));
        went_on += usize::from(said.iter().all(|said| said.contains("resuming from the checkpoint of iteration")));
        assert_eq!(fs::read(path("out.tsv")).unwrap(), fs::read(path("whole.tsv")).unwrap(), "killed at moment {moment}");
        assert!(!path("kept").exists());
        fs::remove_file(path("out.tsv")).unwrap();
    }
    eprintln!("{killed} kills hit, {went_on} runs went on from a checkpoint");
    assert!(killed > 0, "not one kill came in time");
}

#[test]
fn what_is_wrong_is_named_and_leaves_nothing() {
    let here = tempfile::tempdir().unwrap();
    generate(here.path(), "g", "1000", "5000");
    generate(here.path(), "h", "1050", "5000");
    let one = |hosts: &str, more: &[&str]| {
        fs::write(here.path().join("hosts"), hosts).unwrap();
        let arguments = ["rank", "pagerank", "g", "--out", "out.tsv", "--host-file", "hosts", "--connect-timeout", "1"];
        let before = fs::read_dir(here.path()).unwrap().count();
        let ran = run(here.path(), &[&arguments[..], more].concat());
        assert_eq!(fs::read_dir(here.path()).unwrap().count(), before);
        ran
    };
    let free = hosts(here.path(), 2);
    let text = free.join("\n");
    one(&text, &["--process", "0"]).complains(2, &["hosts, line 2: nobody answers as process 1 at", &free[1], "--process 1"]);
    one(&text, &["--process", "1"]).complains(2, &["hosts, line 1: nobody answers as process 0 at", &free[0], "refused"]);
    one(&text, &["--process", "2"]).complains(2, &["there is no process 2", "0 to 1"]);
    one(&text, &[]).complains(2, &["--process"]);
    one("# nobody\n", &["--process", "0"]).complains(2, &["hosts, line 1", "node1:4700"]);
    one("127.0.0.1:4700\nlocalhost\n", &["--process", "0"]).complains(2, &["hosts, line 2: `localhost` has no port"]);
    one("127.0.0.1:4700\n127.0.0.1:4700\n", &["--process", "0"]).complains(2, &["hosts, line 2", "is in line 1, too"]);
    run(here.path(), &["rank", "pagerank", "g", "--host-file", "none", "--process", "0"]).complains(2, &["none"]);
    run(here.path(), &["rank", "pagerank", "g", "--host-file", "hosts", "--process", "0", "--out", "hosts"])
        .complains(2, &["would overwrite"]);

    // Another graph, other options.
    for (other, want) in [
        (&["h"][..], "has another graph"),
        (&["g", "--damping", "0.5"], "other options"),
        (&["g", "--tolerance", "1e-3"], "tolerance"),
    ] {
        let addresses = hosts(here.path(), 2);
        let children =
            [start(here.path(), 0, &["g", "--out", "out.tsv"]), start(here.path(), 1, &[other, &["--out", "out.tsv"]].concat())];
        for (process, child) in children.into_iter().enumerate() {
            let output = child.wait_with_output().unwrap();
            let (said, other) = (said(&output), 1 - process);
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains(want) && said.contains(&format!("process {other} at {}", addresses[other])), "{said}");
        }
        assert!(!here.path().join("out.tsv").exists());
    }
}

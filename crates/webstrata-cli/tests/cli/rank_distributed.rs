//! `webstrata rank pagerank --host-file`: several processes on one machine, also if one of them is killed.

use crate::common::{program, run};
use crate::kills;
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::Duration;
use webstrata_corpus::io::Random;

/// Writes a host file of free ports and returns their addresses.
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

fn stderr_of(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!text.contains("panicked") && !text.contains("please report"), "{text}");
    text
}

/// Runs all processes, which must succeed, and returns the standard error of each.
fn all(folder: &Path, count: usize, arguments: &[&str]) -> Vec<String> {
    let children: Vec<Child> = (0..count).map(|process| start(folder, process, arguments)).collect();
    let outputs: Vec<Output> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    for output in &outputs {
        assert_eq!(output.status.code(), Some(0), "{}", stderr_of(output));
        assert!(output.stdout.is_empty());
    }
    outputs.iter().map(stderr_of).collect()
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
fn two_and_four_processes_give_the_ranks_of_one() {
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
        let stderr = all(here.path(), count, &arguments);
        assert!(
            stderr[0].contains(&format!("by {count} processes")) && stderr[0].contains("votes") && stderr[0].contains("bytes"),
            "{stderr:?}"
        );
        assert!(stderr[1].contains(&format!("process 1 of {count}")), "{stderr:?}");
        let many = ranks(&path("many.tsv"));
        assert!(many.iter().map(|(page, _)| page).eq(one.iter().map(|(page, _)| page)));
        let distance: f64 = many.iter().zip(&one).map(|(many, one)| (many.1 - one.1).abs()).sum();
        assert!(distance < 1e-12, "{count} processes: {distance:e}");
        assert!(fs::read_to_string(path("r.csv")).unwrap().lines().count() > 20);
        // The checkpoints are removed.
        assert!(!path("kept").exists());
        fs::remove_file(path("many.tsv")).unwrap();
    }
}

/// The last iteration with a checkpoint of all processes; 0 if there is none.
fn last_checkpoint(folder: &Path, processes: usize) -> usize {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut counts = BTreeMap::<usize, usize>::new();
    for name in names.filter_map(|name| name.strip_suffix(".checkpoint").map(str::to_owned)) {
        let iteration = name.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or_default();
        *counts.entry(iteration).or_default() += 1;
    }
    counts.into_iter().rev().find(|&(_, count)| count == processes).map_or(0, |(iteration, _)| iteration)
}

/// A process is killed once a checkpoint of some iteration appears: the others end and report it, and the same commands resume and
/// write the same bytes.
#[test]
fn a_killed_process_ends_the_others_and_a_restart_resumes() {
    const COUNT: usize = 3;
    let here = tempfile::tempdir().unwrap();
    let path = |name: &str| here.path().join(name);
    generate(here.path(), "g", "20000", "180000");
    let plain = ["g", "--tolerance", "1e-14", "--damping", "0.95", "--threads", "1", "--connect-timeout", "120"];
    let arguments =
        |out: &'static str| [&plain[..], &["--out", out, "--checkpoint-dir", "kept", "--checkpoint-every", "0"]].concat();
    hosts(here.path(), COUNT);
    let stderr = all(here.path(), COUNT, &arguments("whole.tsv"));
    let words: Vec<&str> = stderr[1].split_whitespace().collect();
    let at = words.iter().position(|word| word.starts_with("iterations")).unwrap();
    let iterations: usize = words[at - 1].parse().unwrap();
    let mut random = Random::new(u64::from(std::process::id()));
    let (mut killed, mut attempts) = (0, 0);
    while killed < kills::number() {
        attempts += 1;
        assert!(attempts <= 20 * kills::number(), "{killed} of {attempts} kills came before the end");
        let addresses = hosts(here.path(), COUNT);
        let mut children: Vec<Child> = (0..COUNT).map(|process| start(here.path(), process, &arguments("out.tsv"))).collect();
        let (iteration, victim) = (1 + random.below(iterations / 2), random.below(COUNT));
        while last_checkpoint(&path("kept"), COUNT) < iteration && children[victim].try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        children[victim].kill().unwrap(); // SIGKILL
        let outputs: Vec<Output> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        if outputs[victim].status.code().is_some() {
            // It had finished already.
            fs::remove_file(path("out.tsv")).unwrap();
            continue;
        }
        killed += 1;
        for (process, output) in outputs.iter().enumerate().filter(|&(process, _)| process != victim) {
            let stderr = stderr_of(output);
            if output.status.code() == Some(0) {
                // All ranks were written, and only the goodbye was missing.
                assert!(path("out.tsv").exists(), "{stderr}");
                continue;
            }
            assert_eq!(output.status.code(), Some(2), "process {process}: {stderr}");
            let lost = format!("process {victim} at {}", addresses[victim]);
            assert!(stderr.contains(&lost), "process {process} should name process {victim}: {stderr}");
            assert!(stderr.contains("resume from the last checkpoint"), "{stderr}");
        }
        let stderr = all(here.path(), COUNT, &arguments("out.tsv"));
        assert!(stderr.iter().all(|stderr| stderr.contains("resuming from the checkpoint of iteration")), "{stderr:?}");
        assert_eq!(fs::read(path("out.tsv")).unwrap(), fs::read(path("whole.tsv")).unwrap(), "killed at iteration {iteration}");
        assert!(!path("kept").exists());
        fs::remove_file(path("out.tsv")).unwrap();
    }
}

#[test]
fn errors_are_reported_and_leave_no_files() {
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
    one(&text, &["--process", "0"]).complains(2, &["hosts, line 2: no answer from process 1 at", &free[1], "--process 1"]);
    one(&text, &["--process", "1"]).complains(2, &["hosts, line 1: no answer from process 0 at", &free[0], "refused"]);
    one(&text, &["--process", "2"]).complains(2, &["there is no process 2", "0 to 1"]);
    one(&text, &[]).complains(2, &["--process"]);
    one("# nobody\n", &["--process", "0"]).complains(2, &["hosts, line 1", "node1:4700"]);
    one("127.0.0.1:4700\nlocalhost\n", &["--process", "0"]).complains(2, &["hosts, line 2: `localhost` has no port"]);
    one("127.0.0.1:4700\n127.0.0.1:4700\n", &["--process", "0"]).complains(2, &["hosts, line 2", "also in line 1"]);
    run(here.path(), &["rank", "pagerank", "g", "--host-file", "none", "--process", "0"]).complains(2, &["none"]);
    run(here.path(), &["rank", "pagerank", "g", "--host-file", "hosts", "--process", "0", "--out", "hosts"])
        .complains(2, &["would overwrite"]);

    // A different graph, different options.
    for (other, want) in [
        (&["h"][..], "has a different graph"),
        (&["g", "--damping", "0.5"], "different options"),
        (&["g", "--tolerance", "1e-3"], "tolerance"),
    ] {
        let addresses = hosts(here.path(), 2);
        let children =
            [start(here.path(), 0, &["g", "--out", "out.tsv"]), start(here.path(), 1, &[other, &["--out", "out.tsv"]].concat())];
        for (process, child) in children.into_iter().enumerate() {
            let output = child.wait_with_output().unwrap();
            let (stderr, other) = (stderr_of(&output), 1 - process);
            assert_eq!(output.status.code(), Some(2), "{stderr}");
            assert!(stderr.contains(want) && stderr.contains(&format!("process {other} at {}", addresses[other])), "{stderr}");
        }
        assert!(!here.path().join("out.tsv").exists());
    }
}

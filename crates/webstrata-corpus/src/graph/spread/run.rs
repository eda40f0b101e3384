//! Brings workers together, starts them, and sees to their end.

use super::super::rank::jump::Jumps;
use super::super::rank::{Jump, Ranks, SolveOptions};
use super::super::{Graph, GraphError};
use super::alarm::{Alarm, Trouble};
use super::checkpoint::{Shelf, common};
use super::deal::Deal;
use super::error::SpreadError;
use super::fingerprint::Fingerprint;
use super::greet::{self, Hello};
use super::hosts::{Hosts, MOST_PROCESSES};
use super::line::Mesh;
use super::pipe::Pipe;
use super::work::{Done, Stop, Task, work};
use super::{News, Plan, Report, Team};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards};
use timely::execute::execute_from;

/// How long workers may go on behind an alarm: a round of a large part takes its time, and nobody needs it any more.
const GRACE: Duration = Duration::from_secs(3);
/// How often it is looked whether there is an alarm.
const LOOK: Duration = Duration::from_millis(50);

/// Ranks that several workers came to.
#[derive(Debug)]
pub struct Spread {
    /// The ranks of all pages, in the first process; nothing in the others.
    pub ranks: Option<Ranks>,
    /// How it went.
    pub report: Report,
    process: usize,
    hosts: Option<Hosts>,
    mesh: Option<Mesh>,
    shelves: Vec<Shelf>,
}

impl Spread {
    /// Ends in order. The first process calls this when the ranks are where they belong; the others wait for it, and end as it does. Then
    /// nobody needs the checkpoints, and they are removed, unless more rounds may be asked for.
    ///
    /// A first process that does not come to this point tells the others that it has failed.
    ///
    /// # Errors
    /// When the first process fails or is lost.
    pub fn finish(mut self) -> Result<Report, SpreadError> {
        if let (Some(mesh), Some(hosts)) = (self.mesh.take(), &self.hosts) {
            if self.process != 0
                && let Err(trouble) = mesh.wait_for(0)
            {
                let kept = !self.shelves.is_empty();
                return Err(trouble.error(hosts, kept).unwrap_or(GraphError::Stopped.into()));
            }
            mesh.part();
        }
        if self.report.converged {
            self.shelves.iter().for_each(Shelf::clear);
        }
        Ok(std::mem::take(&mut self.report))
    }
}

impl Drop for Spread {
    fn drop(&mut self) {
        if let Some(mesh) = self.mesh.take() {
            mesh.give_up(&Trouble::Own, self.process, "it could not write the ranks");
        }
    }
}

/// Ranks the pages of a graph by several workers. All processes call this with the same graph and options.
///
/// `watch` is told how it goes, and ends the work by saying no.
///
/// ```
/// use webstrata_corpus::graph::{Graph, rank};
/// use webstrata_corpus::graph::spread::{Plan, Team, solve_spread};
/// let graph = Graph::from_names([("http://a.org/", "http://b.org/"), ("http://b.org/", "http://a.org/")])?;
/// let plan = Plan { team: Team::Workers(2), checkpoints: None };
/// let spread = solve_spread(&graph, &rank::Jump::Uniform, &rank::SolveOptions::default(), &plan, &mut |_| true)?;
/// assert!(spread.ranks.as_ref().unwrap().values.iter().all(|rank| (rank - 0.5).abs() < 1e-10));
/// let report = spread.finish()?;
/// assert_eq!((report.links_between, report.votes), (2, 2));
/// # Ok::<(), webstrata_corpus::graph::spread::SpreadError>(())
/// ```
///
/// # Errors
/// When the options make no sense, a process is missing, does something else or is lost, or checkpoints cannot be read or written.
pub fn solve_spread(
    graph: &Graph,
    jump: &Jump,
    options: &SolveOptions,
    plan: &Plan,
    watch: &mut dyn FnMut(News) -> bool,
) -> Result<Spread, SpreadError> {
    options.check(graph)?;
    Jumps::<1>::new(std::slice::from_ref(jump), graph.pages(), 1.0)?;
    let (workers, own, hosts, process) = match &plan.team {
        Team::Workers(workers) => (*workers, 0..*workers, None, 0),
        Team::Processes { hosts, process, .. } => (hosts.len(), *process..*process + 1, Some(hosts), *process),
    };
    if !(1..=MOST_PROCESSES).contains(&workers) {
        return Err(GraphError::Option(format!("{workers} workers; give a number from 1 to {MOST_PROCESSES}")).into());
    }
    if process >= workers {
        let reason =
            format!("there is no process {process}: the host file has {workers} lines, for processes 0 to {}", workers - 1);
        return Err(GraphError::Option(reason).into());
    }
    let deal = Deal::new(graph, workers);
    let fingerprint = Fingerprint::new(graph, jump, options, workers);
    let (shelves, rounds) = shelves(plan, &deal, fingerprint.task, own.clone(), watch)?;
    let alarm = Arc::new(Alarm::default());
    let mut mesh = None;
    let mut resume = rounds.last().copied().unwrap_or_default();
    if let Team::Processes { hosts, patience, .. } = &plan.team {
        let mine = Hello { process, processes: workers, fingerprint, rounds: rounds.clone() };
        let mut waiting = |process: usize| watch(News::Waiting { process, address: hosts.address(process).to_owned() });
        let met = greet::meet(hosts, &mine, *patience, &mut waiting)?;
        let others: Vec<&[u64]> = met.iter().flatten().map(|(_, hello)| hello.rounds.as_slice()).collect();
        resume = common(&rounds, &others);
        let sockets = met.into_iter().map(|met| met.map(|(socket, _)| socket)).collect();
        mesh = Some(Mesh::new(sockets, &alarm).map_err(|error| SpreadError::Worker(error.to_string()))?);
    }
    if resume > 0 {
        watch(News::Resumed(resume));
    } else if !rounds.is_empty() {
        watch(News::Note("there is no checkpoint of a round that all processes have; it begins anew".to_owned()));
    }
    let (sender, news) = channel();
    let lines: Vec<_> = mesh.iter().flat_map(|mesh| mesh.lines.iter().flatten().cloned()).collect();
    let task = Task {
        graph: graph.clone(),
        jump: jump.clone(),
        options: options.clone(),
        deal,
        alarm: Arc::clone(&alarm),
        news: Mutex::new(sender),
        first: own.start,
        shelves: shelves.clone(),
        every: plan.checkpoints.as_ref().map_or(Duration::ZERO, |checkpoints| checkpoints.every),
        resume,
        sent: Box::new(move || lines.iter().map(|line| line.sent()).sum()),
    };
    let (builders, others) = allocators(workers, process, mesh.as_ref())?;
    let guards = execute_from(builders, others, WorkerConfig::default(), move |worker| work(worker, &task));
    let guards = guards.map_err(SpreadError::Worker)?;
    let ended = wait(guards, &news, &alarm, watch);
    match ended {
        Ok((ranks, report)) => Ok(Spread { ranks, report, process, hosts: hosts.cloned(), mesh, shelves }),
        Err(failed) => {
            let trouble = if failed.is_some() { Trouble::Own } else { alarm.trouble().unwrap_or(Trouble::Own) };
            let of_others = hosts.and_then(|hosts| trouble.error(hosts, !shelves.is_empty()));
            let error = failed.or(of_others).unwrap_or(GraphError::Stopped.into());
            if let Some(mesh) = mesh {
                mesh.give_up(&trouble, process, &error.to_string());
            }
            Err(error)
        }
    }
}

/// The checkpoints of the workers of this process, and the rounds that all of these have.
fn shelves(
    plan: &Plan,
    deal: &Deal,
    task: u64,
    own: std::ops::Range<usize>,
    watch: &mut dyn FnMut(News) -> bool,
) -> Result<(Vec<Shelf>, Vec<u64>), SpreadError> {
    let Some(checkpoints) = &plan.checkpoints else { return Ok(Default::default()) };
    let (mut shelves, mut rounds) = (Vec::new(), None);
    for worker in own {
        let (shelf, its_rounds, notes) = Shelf::open(&checkpoints.folder, task, worker, deal.partitions(), deal.pages(worker))?;
        for note in notes {
            watch(News::Note(note));
        }
        shelves.push(shelf);
        rounds = Some(match rounds {
            None => its_rounds,
            Some(rounds) => {
                let mut rounds: Vec<u64> = rounds;
                rounds.retain(|round| its_rounds.contains(round));
                rounds
            }
        });
    }
    let rounds = rounds.unwrap_or_default();
    Ok((shelves, rounds[rounds.len().saturating_sub(greet::MOST_ROUNDS)..].to_vec()))
}

/// What timely's workers talk by.
fn allocators(
    workers: usize,
    process: usize,
    mesh: Option<&Mesh>,
) -> Result<(Vec<AllocatorBuilder>, Box<dyn Any + Send>), SpreadError> {
    let Some(mesh) = mesh.filter(|_| workers > 1) else {
        let workers = if mesh.is_some() { 1 } else { workers };
        return timely::CommunicationConfig::Process(workers).try_build().map_err(SpreadError::Worker);
    };
    let pipe =
        |line: &Option<_>| line.as_ref().map(|line| Pipe::new(line, process).ok_or("a connection is used twice")).transpose();
    let pipes = mesh.lines.iter().map(pipe).collect::<Result<Vec<_>, _>>();
    let pipes = pipes.map_err(|error| SpreadError::Worker(error.to_owned()))?;
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let (builders, guard) = initialize_networking_from_sockets(inner, pipes, process, 1, hooks)
        .map_err(|error| SpreadError::Worker(format!("cannot start a thread: {error}")))?;
    Ok((builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard)))
}

/// Waits for the workers of this process and passes on what they tell. Without an error of their own the alarm knows why they ended.
fn wait(
    guards: WorkerGuards<Result<Done, Stop>>,
    news: &Receiver<News>,
    alarm: &Alarm,
    watch: &mut dyn FnMut(News) -> bool,
) -> Result<Done, Option<SpreadError>> {
    let mut raised: Option<Instant> = None;
    loop {
        match news.recv_timeout(LOOK) {
            Ok(news) => {
                if !watch(news) {
                    alarm.raise(Trouble::Own);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if alarm.is_raised() && raised.get_or_insert_with(Instant::now).elapsed() > GRACE {
            // Nobody waits for a round that is good for nothing. Its thread sees the alarm at the end of it.
            std::mem::forget(guards);
            return Err(None);
        }
    }
    // Timely's own threads panic where one of ours has.
    let joined = catch_unwind(AssertUnwindSafe(|| guards.join()));
    let mut done = None;
    let mut ended = Ok(());
    for result in joined.map_err(|_| Some(SpreadError::Worker("a thread panicked".into())))? {
        match result {
            Ok(Ok((ranks, report))) => {
                let (all, _) = done.get_or_insert((None, report));
                *all = all.take().or(ranks);
            }
            Ok(Err(Stop::Ended)) => {
                if ended.is_ok() {
                    ended = Err(None);
                }
            }
            Ok(Err(Stop::Failed(error))) => ended = Err(Some(error)),
            Err(panic) => ended = Err(Some(SpreadError::Worker(panic))),
        }
    }
    ended?;
    done.ok_or_else(|| Some(SpreadError::Worker("no worker has ended".into())))
}

//! Connects processes, starts workers and collects their results.

use super::abort::{AbortSignal, Failure};
use super::checkpoint::{CheckpointStore, common};
use super::connection::Mesh;
use super::error::DistributedError;
use super::fingerprint::Fingerprint;
use super::handshake::{self, Hello};
use super::hosts::{Hosts, MAX_PROCESSES};
use super::partition::Partitioning;
use super::transport::Transport;
use super::worker::{Done, Stop, Task, run_worker};
use super::{Event, Plan, Report, Topology};
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
use webstrata_corpus::graph::internals::PreferenceTable;
use webstrata_corpus::graph::rank::{Preference, Ranks, SolveOptions};
use webstrata_corpus::graph::{Graph, GraphError};

/// How long workers may continue after an abort: an iteration over a large subgraph takes time, and its result is useless.
const ABORT_GRACE: Duration = Duration::from_secs(3);
/// Polling interval of the abort signal.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The result of a distributed computation.
#[derive(Debug)]
pub struct DistributedRanks {
    /// Ranks of all pages, in the first process only.
    pub ranks: Option<Ranks>,
    /// Statistics.
    pub report: Report,
    process: usize,
    hosts: Option<Hosts>,
    mesh: Option<Mesh>,
    stores: Vec<CheckpointStore>,
}

impl DistributedRanks {
    /// Ends all processes together. The first process calls this after storing the ranks; the others wait for it, and end as it does.
    /// Then the checkpoints are removed, unless the computation has not converged.
    ///
    /// If the first process never calls this, the others fail.
    ///
    /// # Errors
    /// If the first process fails or is lost.
    pub fn finish(mut self) -> Result<Report, DistributedError> {
        if let (Some(mesh), Some(hosts)) = (self.mesh.take(), &self.hosts) {
            if self.process != 0
                && let Err(failure) = mesh.wait_for(0)
            {
                let kept = !self.stores.is_empty();
                return Err(failure.error(hosts, kept).unwrap_or(GraphError::Stopped.into()));
            }
            mesh.say_goodbye();
        }
        if self.report.converged {
            self.stores.iter().for_each(CheckpointStore::clear);
        }
        Ok(std::mem::take(&mut self.report))
    }
}

impl Drop for DistributedRanks {
    fn drop(&mut self) {
        if let Some(mesh) = self.mesh.take() {
            mesh.report_failure(&Failure::Own, self.process, "it could not write the ranks");
        }
    }
}

/// Ranks the pages of a graph with several workers. All processes call this with the same graph and options. `progress` receives
/// events, and stops the computation by returning false.
///
/// ```
/// use webstrata_corpus::graph::{Graph, rank};
/// use webstrata_distributed::{Plan, Topology, solve_distributed};
/// let graph = Graph::from_names([("http://a.org/", "http://b.org/"), ("http://b.org/", "http://a.org/")])?;
/// let plan = Plan { topology: Topology::Workers(2), checkpoints: None };
/// let ranks = solve_distributed(&graph, &rank::Preference::Uniform, &rank::SolveOptions::default(), &plan, &mut |_| true)?;
/// assert!(ranks.ranks.as_ref().unwrap().values.iter().all(|rank| (rank - 0.5).abs() < 1e-10));
/// let report = ranks.finish()?;
/// assert_eq!((report.links_between, report.votes), (2, 2));
/// # Ok::<(), webstrata_distributed::DistributedError>(())
/// ```
///
/// # Errors
/// If options are invalid, if a process is missing, computes something else or is lost, or if checkpoints cannot be read or written.
pub fn solve_distributed(
    graph: &Graph,
    preference: &Preference,
    options: &SolveOptions,
    plan: &Plan,
    progress: &mut dyn FnMut(Event) -> bool,
) -> Result<DistributedRanks, DistributedError> {
    options.check(graph)?;
    if options.surfer.is_some() || options.arrivals {
        let reason = "several processes rank for plain and weighted links only; a surfer who chooses a kind of link first, and counts of \
                      arrivals, need a single process";
        return Err(GraphError::Option(reason.into()).into());
    }
    PreferenceTable::<1>::new(std::slice::from_ref(preference), graph.num_pages(), 1.0)?;
    let (workers, own, hosts, process) = match &plan.topology {
        Topology::Workers(workers) => (*workers, 0..*workers, None, 0),
        Topology::Processes { hosts, process, .. } => (hosts.len(), *process..*process + 1, Some(hosts), *process),
    };
    if !(1..=MAX_PROCESSES).contains(&workers) {
        return Err(GraphError::Option(format!("{workers} workers; give a number from 1 to {MAX_PROCESSES}")).into());
    }
    if process >= workers {
        let reason =
            format!("there is no process {process}: the host file has {workers} addresses, for processes 0 to {}", workers - 1);
        return Err(GraphError::Option(reason).into());
    }
    let partitioning = Partitioning::new(graph, workers);
    let fingerprint = Fingerprint::new(graph, preference, options, workers);
    let (stores, iterations) = stores(plan, &partitioning, fingerprint.task, own.clone(), progress)?;
    let abort = Arc::new(AbortSignal::default());
    let mut mesh = None;
    let mut resume = iterations.last().copied().unwrap_or_default();
    if let Topology::Processes { hosts, timeout, .. } = &plan.topology {
        let mine = Hello { process, processes: workers, fingerprint, iterations: iterations.clone() };
        let mut waiting = |process: usize| progress(Event::Waiting { process, address: hosts.address(process).to_owned() });
        let met = handshake::connect_all(hosts, &mine, *timeout, &mut waiting)?;
        let others: Vec<&[u64]> = met.iter().flatten().map(|(_, hello)| hello.iterations.as_slice()).collect();
        resume = common(&iterations, &others);
        let sockets = met.into_iter().map(|met| met.map(|(socket, _)| socket)).collect();
        mesh = Some(Mesh::new(sockets, &abort).map_err(|error| DistributedError::Worker(error.to_string()))?);
    }
    if resume > 0 {
        progress(Event::Resumed(resume));
    } else if !iterations.is_empty() {
        progress(Event::Note("the processes have no checkpoint in common; starting over".to_owned()));
    }
    let (sender, event) = channel();
    let connections: Vec<_> = mesh.iter().flat_map(|mesh| mesh.connections.iter().flatten().cloned()).collect();
    let task = Task {
        graph: graph.clone(),
        preference: preference.clone(),
        options: options.clone(),
        partitioning,
        abort: Arc::clone(&abort),
        event: Mutex::new(sender),
        first: own.start,
        stores: stores.clone(),
        every: plan.checkpoints.as_ref().map_or(Duration::ZERO, |checkpoints| checkpoints.every),
        resume,
        sent: Box::new(move || connections.iter().map(|connection| connection.sent()).sum()),
    };
    let (builders, others) = allocators(workers, process, mesh.as_ref())?;
    let guards = execute_from(builders, others, WorkerConfig::default(), move |worker| run_worker(worker, &task));
    let guards = guards.map_err(DistributedError::Worker)?;
    let ended = wait(guards, &event, &abort, progress);
    match ended {
        Ok((ranks, report)) => Ok(DistributedRanks { ranks, report, process, hosts: hosts.cloned(), mesh, stores }),
        Err(failed) => {
            let failure = if failed.is_some() { Failure::Own } else { abort.failure().unwrap_or(Failure::Own) };
            let of_others = hosts.and_then(|hosts| failure.error(hosts, !stores.is_empty()));
            let error = failed.or(of_others).unwrap_or(GraphError::Stopped.into());
            if let Some(mesh) = mesh {
                mesh.report_failure(&failure, process, &error.to_string());
            }
            Err(error)
        }
    }
}

/// The checkpoints of the workers of this process, and the iterations for which all of them have one.
fn stores(
    plan: &Plan,
    partitioning: &Partitioning,
    task: u64,
    own: std::ops::Range<usize>,
    progress: &mut dyn FnMut(Event) -> bool,
) -> Result<(Vec<CheckpointStore>, Vec<u64>), DistributedError> {
    let Some(checkpoints) = &plan.checkpoints else { return Ok(Default::default()) };
    let (mut stores, mut iterations) = (Vec::new(), None);
    for worker in own {
        let (store, its_iterations, notes) =
            CheckpointStore::open(&checkpoints.folder, task, worker, partitioning.partitions(), partitioning.pages(worker))?;
        for note in notes {
            progress(Event::Note(note));
        }
        stores.push(store);
        iterations = Some(match iterations {
            None => its_iterations,
            Some(iterations) => {
                let mut iterations: Vec<u64> = iterations;
                iterations.retain(|iteration| its_iterations.contains(iteration));
                iterations
            }
        });
    }
    let iterations = iterations.unwrap_or_default();
    Ok((stores, iterations[iterations.len().saturating_sub(handshake::MAX_ITERATIONS)..].to_vec()))
}

/// Communication for timely's workers.
fn allocators(
    workers: usize,
    process: usize,
    mesh: Option<&Mesh>,
) -> Result<(Vec<AllocatorBuilder>, Box<dyn Any + Send>), DistributedError> {
    let Some(mesh) = mesh.filter(|_| workers > 1) else {
        let workers = if mesh.is_some() { 1 } else { workers };
        return timely::CommunicationConfig::Process(workers).try_build().map_err(DistributedError::Worker);
    };
    let transport = |connection: &Option<_>| {
        connection.as_ref().map(|connection| Transport::new(connection, process).ok_or("a connection is used twice")).transpose()
    };
    let transports = mesh.connections.iter().map(transport).collect::<Result<Vec<_>, _>>();
    let transports = transports.map_err(|error| DistributedError::Worker(error.to_owned()))?;
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let (builders, guard) = initialize_networking_from_sockets(inner, transports, process, 1, hooks)
        .map_err(|error| DistributedError::Worker(format!("cannot start a thread: {error}")))?;
    Ok((builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard)))
}

/// Waits for the workers of this process and passes on their events. If they stop without an error, the abort signal knows why.
fn wait(
    guards: WorkerGuards<Result<Done, Stop>>,
    event: &Receiver<Event>,
    abort: &AbortSignal,
    progress: &mut dyn FnMut(Event) -> bool,
) -> Result<Done, Option<DistributedError>> {
    let mut raised: Option<Instant> = None;
    loop {
        match event.recv_timeout(POLL_INTERVAL) {
            Ok(event) => {
                if !progress(event) {
                    abort.raise(Failure::Own);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if abort.is_raised() && raised.get_or_insert_with(Instant::now).elapsed() > ABORT_GRACE {
            // Do not wait for an iteration whose result is useless; its thread sees the signal at the end of it.
            std::mem::forget(guards);
            return Err(None);
        }
    }
    // Timely's own threads panic if one of ours has.
    let joined = catch_unwind(AssertUnwindSafe(|| guards.join()));
    let mut done = None;
    let mut ended = Ok(());
    for result in joined.map_err(|_| Some(DistributedError::Worker("a thread panicked".into())))? {
        match result {
            Ok(Ok((ranks, report))) => {
                let (all, _) = done.get_or_insert((None, report));
                *all = all.take().or(ranks);
            }
            Ok(Err(Stop::Aborted)) => {
                if ended.is_ok() {
                    ended = Err(None);
                }
            }
            Ok(Err(Stop::Failed(error))) => ended = Err(Some(error)),
            Err(panic) => ended = Err(Some(DistributedError::Worker(panic))),
        }
    }
    ended?;
    done.ok_or_else(|| Some(DistributedError::Worker("no worker has finished".into())))
}

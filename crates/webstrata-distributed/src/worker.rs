//! What each worker does: the same iterations as a single process, over its own pages, with votes from the others.
//!
//! Votes from other partitions are additions to the preference vector: amounts that a page gets independently of its own
//! predecessors. So an iteration is exactly the solver's, and within a partition pages read the newest values.

use super::abort::{AbortSignal, Failure};
use super::checkpoint::{CheckpointStore, State};
use super::error::DistributedError;
use super::exchange::{Aborted, Exchange, LocalTotals, Message, Outcome, Payload};
use super::partition::Partitioning;
use super::subgraph::Subgraph;
use super::{Event, Report};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use webstrata_corpus::graph::internals::{
    Computation, IterationState, Mass, PreferenceTable, StratumWeights, UniformWeights, WeightModel, bound,
};
use webstrata_corpus::graph::rank::{Iteration, Preference, Ranks, SolveOptions};
use webstrata_corpus::graph::{Graph, GraphError};
use webstrata_corpus::io::IoError;

/// State shared by the workers of a process.
pub(crate) struct Task {
    pub(crate) graph: Graph,
    pub(crate) preference: Preference,
    pub(crate) options: SolveOptions,
    pub(crate) partitioning: Partitioning,
    pub(crate) abort: Arc<AbortSignal>,
    pub(crate) event: Mutex<Sender<Event>>,
    /// The first worker of this process, which reports progress.
    pub(crate) first: usize,
    /// Checkpoints of the workers of this process, their interval, and the iteration to resume from.
    pub(crate) stores: Vec<CheckpointStore>,
    pub(crate) every: Duration,
    pub(crate) resume: u64,
    /// Number of bytes this process has sent so far.
    pub(crate) sent: Box<dyn Fn() -> u64 + Send + Sync>,
}

/// Why a worker stops early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The abort signal knows why.
    Aborted,
    Failed(DistributedError),
}

impl From<Aborted> for Stop {
    fn from(_: Aborted) -> Self {
        Stop::Aborted
    }
}

impl From<GraphError> for Stop {
    fn from(error: GraphError) -> Self {
        Stop::Failed(error.into())
    }
}

impl From<IoError> for Stop {
    fn from(error: IoError) -> Self {
        Stop::Failed(error.into())
    }
}

impl From<DistributedError> for Stop {
    fn from(error: DistributedError) -> Self {
        Stop::Failed(error)
    }
}

/// Result of a worker: the first has the ranks of all pages.
pub(crate) type Done = (Option<Ranks>, Report);

/// Runs one worker.
pub(crate) fn run_worker(worker: &mut timely::worker::Worker, task: &Task) -> Result<Done, Stop> {
    let exchange = Exchange::open(worker, &task.abort);
    let done = match &task.options.link_weights {
        None => {
            let rule = task.options.self_links;
            let whole = UniformWeights { degrees: task.graph.tables().degrees, rule };
            Subgraph::cut(&task.graph, &whole, false, &task.partitioning, exchange.me()).map_err(Stop::from).and_then(|subgraph| {
                let model = UniformWeights { degrees: subgraph.graph.tables().degrees, rule };
                iterations(exchange, task, &subgraph, &model)
            })
        }
        Some(link_weights) => {
            let whole = StratumWeights::new(&task.graph, link_weights, task.options.self_links);
            let me = exchange.me();
            Subgraph::cut(&task.graph, &whole, true, &task.partitioning, me).map_err(Stop::from).and_then(|subgraph| {
                let model = whole.for_subgraph(&subgraph.graph, task.partitioning.pages_of(&task.graph, me));
                drop(whole);
                iterations(exchange, task, &subgraph, &model)
            })
        }
    };
    if matches!(done, Err(Stop::Failed(_))) {
        task.abort.raise(Failure::Own);
    }
    done
}

/// A message that violates the protocol.
fn invalid(message: &Message, payload: &str) -> Stop {
    Stop::Failed(DistributedError::Worker(format!("worker {} sent {payload}", message.from)))
}

/// Votes of the other workers, in the preference table.
struct Inbound {
    preferences: PreferenceTable<1>,
    /// For each worker, the positions of its targets in the table, in the order of its list.
    places: Vec<Vec<u32>>,
}

impl Inbound {
    fn new(preferences: PreferenceTable<1>, targets: &[Vec<u32>]) -> Inbound {
        let own = preferences.at.len();
        let mut rows: Vec<(u32, u32)> = preferences.at.iter().enumerate().map(|(at, row)| (row.0, at as u32)).collect();
        for &target in targets.iter().flatten() {
            rows.push((target, rows.len() as u32));
        }
        // By page; for the same page, first the preference, then the workers in order.
        rows.sort_unstable();
        let mut place = vec![0u32; rows.len()];
        let at = rows.iter().enumerate().map(|(at, &(page, row))| {
            place[row as usize] = at as u32;
            (page, 0, preferences.at.get(row as usize).map_or(0.0, |row| row.2))
        });
        let at = at.collect();
        let mut rest = &place[own..];
        let places = targets.iter().map(|targets| {
            let (own, after) = rest.split_at(targets.len());
            rest = after;
            own.to_vec()
        });
        let places = places.collect();
        Inbound { preferences: PreferenceTable { everywhere: preferences.everywhere, at }, places }
    }
}

/// The preference vector of a subgraph.
fn subgraph_preferences(task: &Task, me: usize) -> Result<PreferenceTable<1>, GraphError> {
    let preference = std::slice::from_ref(&task.preference);
    let mut preferences = PreferenceTable::<1>::new(preference, task.graph.num_pages(), 1.0 - task.options.damping)?;
    preferences.at.retain_mut(|(page, ..)| {
        let (owner, local) = task.partitioning.page(&task.graph, *page as usize);
        *page = local;
        owner == me
    });
    Ok(preferences)
}

fn iterations<F: WeightModel>(mut exchange: Exchange<'_>, task: &Task, subgraph: &Subgraph, model: &F) -> Result<Done, Stop> {
    let (me, workers) = (exchange.me(), exchange.workers());
    let mut options = task.options.clone();
    options.start = options
        .start
        .map(|start| task.partitioning.pages_of(&task.graph, me).filter_map(|page| start.get(page).copied()).collect());
    let solver = Computation { graph: &subgraph.graph, model, options: &options };
    let preferences = subgraph_preferences(task, me)?;
    let (mut first, mass) = solver.initial_ranks(&preferences, 1);

    // Before the first iteration, workers exchange totals and targets.
    let totals = LocalTotals {
        ranks: mass.ranks[0],
        lost: mass.lost[0],
        loses: (0..subgraph.graph.num_pages()).any(|page| model.share(page).lost > 0.0),
        links: subgraph.borders.iter().map(|border| border.num_links()).sum(),
        votes: subgraph.borders.iter().map(|border| border.targets.len() as u64).sum(),
    };
    exchange.send_all(&Payload::LocalTotals(totals));
    for (to, border) in subgraph.borders.iter().enumerate() {
        exchange.send_list(to, border.targets.iter().copied(), Payload::Targets);
    }
    let (totals, targets) = read_totals(exchange.finish_step()?, workers, subgraph.graph.num_pages())?;
    let mut inbound = Inbound::new(preferences, &targets);
    drop(targets);
    let before = (task.sent)();

    let store = task.stores.get(me - task.first);
    let (mut residuals, mut sum) = (Vec::new(), 1.0);
    match store.filter(|_| task.resume > 0) {
        Some(store) => {
            let state: State = store.load(task.resume)?;
            (residuals, sum, first) = (state.residuals, state.sum, state.carried);
        }
        None => solver.scale(&mut first, &Mass { ranks: [totals.ranks], lost: [totals.lost] }),
    }
    let mut work = solver.iterations(first);
    let pool = match options.threads {
        1 => None,
        threads => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            Some(pool.map_err(|error| GraphError::Option(format!("cannot start {threads} threads: {error}")))?)
        }
    };
    let (begun, mut written) = (Instant::now(), Instant::now());
    let mut outcome: Option<Outcome> = None;
    let converged = loop {
        send_votes(&mut exchange, subgraph, &work);
        // The first worker decides when to write checkpoints.
        let checkpoint = store.is_some() && outcome.is_some() && me == 0 && written.elapsed() >= task.every;
        exchange.send_all(&Payload::Outcome(Outcome { checkpoint, ..outcome.unwrap_or_default() }));
        let all = take(exchange.finish_step()?, &mut inbound, options.damping)?;
        if outcome.is_some() {
            sum = all.sum;
            residuals.push(all.change / all.sum);
        }
        let residual = residuals.last().copied().unwrap_or(f64::INFINITY);
        if outcome.is_some() && me == task.first {
            report_event(task, Event::Iteration(Iteration { number: residuals.len(), residual, done: 0 }));
        }
        let converged = residual <= options.tolerance;
        if converged || residuals.len() >= options.max_iterations {
            break converged;
        }
        if let Some(store) = store.filter(|_| all.checkpoint) {
            store.write(&residuals, sum, &work.carried)?;
            written = Instant::now();
        }
        let tally = match &pool {
            Some(pool) => pool.install(|| solver.iteration(&inbound.preferences, &mut work)),
            None => solver.iteration(&inbound.preferences, &mut work),
        };
        outcome = Some(Outcome { change: tally.change[0], sum: tally.sum[0], checkpoint: false });
    };
    let seconds = begun.elapsed().as_secs_f64();

    // The first worker collects all ranks.
    let rank = |(page, carried): (usize, &[f64; 1])| carried[0] * model.share(page).divisor / sum;
    exchange.send(0, Payload::Bytes(before, (task.sent)()));
    exchange.send_list(0, work.carried.iter().enumerate().map(rank), Payload::Ranks);
    let messages = exchange.finish_step()?;
    let bound = residuals.last().map_or(f64::INFINITY, |&residual| bound(options.damping, totals.loses, residual, sum));
    let mut report = Report {
        workers,
        links: task.graph.num_links(),
        links_between: totals.links,
        votes: totals.votes,
        resumed: task.resume,
        iterations: residuals.len(),
        residual: residuals.last().copied().unwrap_or(f64::INFINITY),
        converged,
        ..Report::default()
    };
    let ranks = if me == 0 {
        let values = collect(messages, task, &mut report)?;
        Some(Ranks { values, residuals, bound, converged, seconds, arrivals: None })
    } else {
        None
    };
    exchange.close()?;
    Ok((ranks, report))
}

fn report_event(task: &Task, event: Event) {
    // If nobody listens, the computation was aborted.
    let _ = task.event.lock().unwrap_or_else(PoisonError::into_inner).send(event);
}

/// Reads the messages before the first iteration: sums of totals, and the targets of each worker, which must be pages of this one.
fn read_totals(messages: Vec<Message>, workers: usize, pages: usize) -> Result<(LocalTotals, Vec<Vec<u32>>), Stop> {
    let (mut sum, mut count) = (LocalTotals::default(), 0);
    let mut targets = vec![Vec::new(); workers];
    for message in messages {
        let from = message.from as usize;
        match &message.payload {
            Payload::LocalTotals(totals) => {
                sum.ranks += totals.ranks;
                sum.lost += totals.lost;
                sum.loses |= totals.loses;
                sum.links = sum.links.saturating_add(totals.links);
                sum.votes = sum.votes.saturating_add(totals.votes);
                count += 1;
            }
            Payload::Targets(list) => {
                let Some(targets) = targets.get_mut(from) else { return Err(invalid(&message, "an invalid number")) };
                let ascend = targets.last().zip(list.first()).is_none_or(|(last, first)| last < first);
                if !ascend || !list.is_sorted_by(|one, two| one < two) || list.last().is_some_and(|&last| last as usize >= pages) {
                    return Err(invalid(&message, "targets that are not pages of this worker"));
                }
                targets.extend_from_slice(list);
            }
            _ => return Err(invalid(&message, "an unexpected message")),
        }
    }
    if count != workers {
        return Err(Stop::Failed(DistributedError::Worker(format!("{count} of {workers} workers have sent their totals"))));
    }
    Ok((sum, targets))
}

fn send_votes(exchange: &mut Exchange<'_>, subgraph: &Subgraph, work: &IterationState<'_, 1>) {
    for (to, border) in subgraph.borders.iter().enumerate() {
        exchange.send_list(to, border.votes(&work.carried), Payload::Votes);
    }
}

/// Stores the votes of an iteration, and sums the outcomes of the previous one, in the order of workers.
fn take(messages: Vec<Message>, inbound: &mut Inbound, damping: f64) -> Result<Outcome, Stop> {
    let mut sum = Outcome::default();
    let mut taken = vec![0; inbound.places.len()];
    for message in messages {
        match &message.payload {
            Payload::Outcome(outcome) => {
                sum.change += outcome.change;
                sum.sum += outcome.sum;
                sum.checkpoint |= outcome.checkpoint;
            }
            Payload::Votes(votes) => {
                let from = message.from as usize;
                let places = inbound.places.get(from).and_then(|places| places.get(taken[from]..)?.get(..votes.len()));
                let Some(places) = places else { return Err(invalid(&message, "more votes than it has targets")) };
                if !votes.iter().all(|vote| vote.is_finite() && *vote >= 0.0) {
                    return Err(invalid(&message, "invalid votes"));
                }
                for (&place, vote) in places.iter().zip(votes) {
                    inbound.preferences.at[place as usize].2 = damping * vote;
                }
                taken[from] += votes.len();
            }
            _ => return Err(invalid(&message, "an unexpected message")),
        }
    }
    if taken.iter().zip(&inbound.places).any(|(&taken, places)| taken != places.len()) {
        return Err(Stop::Failed(DistributedError::Worker("votes are missing".into())));
    }
    Ok(sum)
}

/// Assembles the ranks of all workers.
fn collect(messages: Vec<Message>, task: &Task, report: &mut Report) -> Result<Vec<f64>, Stop> {
    let mut values = vec![0.0; task.graph.num_pages()];
    let mut messages = messages.into_iter().peekable();
    for partition in 0..task.partitioning.partitions() {
        let mut pages = task.partitioning.pages_of(&task.graph, partition);
        while let Some(message) = messages.next_if(|message| message.from as usize == partition) {
            match &message.payload {
                Payload::Bytes(before, all) => {
                    report.bytes_before = report.bytes_before.saturating_add(*before);
                    report.bytes = report.bytes.saturating_add(all.saturating_sub(*before));
                }
                Payload::Ranks(ranks) => {
                    for &rank in ranks {
                        let page = pages.next().ok_or_else(|| invalid(&message, "more ranks than it has pages"))?;
                        values[page] = rank;
                    }
                }
                _ => return Err(invalid(&message, "an unexpected message")),
            }
        }
        if pages.next().is_some() {
            return Err(Stop::Failed(DistributedError::Worker(format!("ranks of worker {partition} are missing"))));
        }
    }
    Ok(values)
}

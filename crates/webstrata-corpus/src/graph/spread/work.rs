//! What each worker does: the same rounds as in one process, over its own pages, with votes from the others.
//!
//! What comes from other partitions stands in the table of jumps: to a page it is something that it gets whatever its own
//! sources carry. So a round is the solver's, to the letter, and within a partition the newest values count.

use super::super::rank::flow::{Even, Flow, Weighted};
use super::super::rank::jump::Jumps;
use super::super::rank::solve::{Mass, Rounds, Solver, bound};
use super::super::rank::{Jump, Ranks, Round, SolveOptions};
use super::super::{Graph, GraphError};
use super::alarm::{Alarm, Trouble};
use super::checkpoint::{Shelf, State};
use super::deal::Deal;
use super::error::SpreadError;
use super::part::Part;
use super::post::{Ended, Facts, Letter, Outcome, Post, What};
use super::{News, Report};
use crate::store::StoreError;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What the workers of a process share.
pub(super) struct Task {
    pub(super) graph: Graph,
    pub(super) jump: Jump,
    pub(super) options: SolveOptions,
    pub(super) deal: Deal,
    pub(super) alarm: Arc<Alarm>,
    pub(super) news: Mutex<Sender<News>>,
    /// The first worker of this process: it tells how far it is.
    pub(super) first: usize,
    /// Checkpoints of the workers of this process, how often they are written, and the round to go on from.
    pub(super) shelves: Vec<Shelf>,
    pub(super) every: Duration,
    pub(super) resume: u64,
    /// Bytes that this process has sent so far.
    pub(super) sent: Box<dyn Fn() -> u64 + Send + Sync>,
}

/// Why a worker ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The alarm knows.
    Ended,
    Failed(SpreadError),
}

impl From<Ended> for Stop {
    fn from(_: Ended) -> Self {
        Stop::Ended
    }
}

impl From<GraphError> for Stop {
    fn from(error: GraphError) -> Self {
        Stop::Failed(error.into())
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Stop::Failed(error.into())
    }
}

impl From<SpreadError> for Stop {
    fn from(error: SpreadError) -> Self {
        Stop::Failed(error)
    }
}

/// What a worker comes to: the first has the ranks of all pages.
pub(super) type Done = (Option<Ranks>, Report);

/// The work of one worker.
pub(super) fn work(worker: &mut timely::worker::Worker, task: &Task) -> Result<Done, Stop> {
    let post = Post::open(worker, &task.alarm);
    let done = match &task.options.surfer {
        None => {
            let rule = task.options.self_links;
            let whole = Even { degrees: &task.graph.degrees, rule };
            Part::cut(&task.graph, &whole, false, &task.deal, post.me()).map_err(Stop::from).and_then(|part| {
                let flow = Even { degrees: &part.graph.degrees, rule };
                rounds(post, task, &part, &flow)
            })
        }
        Some(surfer) => {
            let whole = Weighted::new(&task.graph, surfer, task.options.self_links);
            let me = post.me();
            Part::cut(&task.graph, &whole, true, &task.deal, me).map_err(Stop::from).and_then(|part| {
                let flow = whole.of_part(&part.graph, task.deal.pages_of(&task.graph, me));
                drop(whole);
                rounds(post, task, &part, &flow)
            })
        }
    };
    if matches!(done, Err(Stop::Failed(_))) {
        task.alarm.raise(Trouble::Own);
    }
    done
}

/// What came is not what must come.
fn wrong(letter: &Letter, what: &str) -> Stop {
    Stop::Failed(SpreadError::Worker(format!("worker {} sent {what}", letter.from)))
}

/// Votes of the others, in the table of jumps.
struct Inbound {
    jumps: Jumps<1>,
    /// For each worker, the places of its targets in the table, in the order of its list.
    places: Vec<Vec<u32>>,
}

impl Inbound {
    fn new(jumps: Jumps<1>, targets: &[Vec<u32>]) -> Inbound {
        let own = jumps.at.len();
        let mut rows: Vec<(u32, u32)> = jumps.at.iter().enumerate().map(|(at, row)| (row.0, at as u32)).collect();
        for &target in targets.iter().flatten() {
            rows.push((target, rows.len() as u32));
        }
        // By page; of one page first what jumps to it, then the workers in their order.
        rows.sort_unstable();
        let mut place = vec![0u32; rows.len()];
        let at = rows.iter().enumerate().map(|(at, &(page, row))| {
            place[row as usize] = at as u32;
            (page, 0, jumps.at.get(row as usize).map_or(0.0, |row| row.2))
        });
        let at = at.collect();
        let mut rest = &place[own..];
        let places = targets.iter().map(|targets| {
            let (own, behind) = rest.split_at(targets.len());
            rest = behind;
            own.to_vec()
        });
        let places = places.collect();
        Inbound { jumps: Jumps { everywhere: jumps.everywhere, at }, places }
    }
}

/// The jump vector of a part.
fn jumps_of_part(task: &Task, me: usize) -> Result<Jumps<1>, GraphError> {
    let jump = std::slice::from_ref(&task.jump);
    let mut jumps = Jumps::<1>::new(jump, task.graph.pages(), 1.0 - task.options.damping)?;
    jumps.at.retain_mut(|(page, ..)| {
        let (owner, local) = task.deal.page(&task.graph, *page as usize);
        *page = local;
        owner == me
    });
    Ok(jumps)
}

fn rounds<F: Flow>(mut post: Post<'_>, task: &Task, part: &Part, flow: &F) -> Result<Done, Stop> {
    let (me, workers) = (post.me(), post.workers());
    let mut options = task.options.clone();
    options.start =
        options.start.map(|start| task.deal.pages_of(&task.graph, me).filter_map(|page| start.get(page).copied()).collect());
    let solver = Solver { graph: &part.graph, flow, options: &options };
    let jumps = jumps_of_part(task, me)?;
    let (mut first, mass) = solver.first(&jumps, 1);

    // Before the first round all learn what they must know of the others.
    let facts = Facts {
        ranks: mass.ranks[0],
        lost: mass.lost[0],
        loses: (0..part.graph.pages()).any(|page| flow.share(page).lost > 0.0),
        links: part.borders.iter().map(|border| border.links()).sum(),
        votes: part.borders.iter().map(|border| border.targets.len() as u64).sum(),
    };
    post.send_all(&What::Facts(facts));
    for (to, border) in part.borders.iter().enumerate() {
        post.send_list(to, border.targets.iter().copied(), What::Targets);
    }
    let (facts, targets) = learn(post.exchange()?, workers, part.graph.pages())?;
    let mut inbound = Inbound::new(jumps, &targets);
    drop(targets);
    let before = (task.sent)();

    let shelf = task.shelves.get(me - task.first);
    let (mut residuals, mut sum) = (Vec::new(), 1.0);
    match shelf.filter(|_| task.resume > 0) {
        Some(shelf) => {
            let state: State = shelf.load(task.resume)?;
            (residuals, sum, first) = (state.residuals, state.sum, state.carried);
        }
        None => solver.scale(&mut first, &Mass { ranks: [facts.ranks], lost: [facts.lost] }),
    }
    let mut work = solver.rounds(first);
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
        send_votes(&mut post, part, &work);
        // The first worker has the clock.
        let checkpoint = shelf.is_some() && outcome.is_some() && me == 0 && written.elapsed() >= task.every;
        post.send_all(&What::Outcome(Outcome { checkpoint, ..outcome.unwrap_or_default() }));
        let all = take(post.exchange()?, &mut inbound, options.damping)?;
        if outcome.is_some() {
            sum = all.sum;
            residuals.push(all.change / all.sum);
        }
        let residual = residuals.last().copied().unwrap_or(f64::INFINITY);
        if outcome.is_some() && me == task.first {
            tell(task, News::Round(Round { rounds: residuals.len(), residual, done: 0 }));
        }
        let converged = residual <= options.tolerance;
        if converged || residuals.len() >= options.max_rounds {
            break converged;
        }
        if let Some(shelf) = shelf.filter(|_| all.checkpoint) {
            shelf.write(&residuals, sum, &work.carried)?;
            written = Instant::now();
        }
        let tally = match &pool {
            Some(pool) => pool.install(|| solver.round(&inbound.jumps, &mut work)),
            None => solver.round(&inbound.jumps, &mut work),
        };
        outcome = Some(Outcome { change: tally.change[0], sum: tally.sum[0], checkpoint: false });
    };
    let seconds = begun.elapsed().as_secs_f64();

    // The first worker gets all ranks.
    let rank = |(page, carried): (usize, &[f64; 1])| carried[0] * flow.share(page).divisor / sum;
    post.send(0, What::Bytes(before, (task.sent)()));
    post.send_list(0, work.carried.iter().enumerate().map(rank), What::Ranks);
    let letters = post.exchange()?;
    let bound = residuals.last().map_or(f64::INFINITY, |residual| residual * bound(options.damping, facts.loses));
    let mut report = Report {
        workers,
        links: task.graph.links(),
        links_between: facts.links,
        votes: facts.votes,
        resumed: task.resume,
        rounds: residuals.len(),
        residual: residuals.last().copied().unwrap_or(f64::INFINITY),
        converged,
        ..Report::default()
    };
    let ranks = if me == 0 {
        let values = collect(letters, task, &mut report)?;
        Some(Ranks { values, residuals, bound, converged, seconds })
    } else {
        None
    };
    post.close()?;
    Ok((ranks, report))
}

fn tell(task: &Task, news: News) {
    // Who does not listen any more has raised the alarm.
    let _ = task.news.lock().unwrap_or_else(PoisonError::into_inner).send(news);
}

/// Reads what comes before the first round: sums of facts, and the targets of each worker, which must be pages of ours.
fn learn(letters: Vec<Letter>, workers: usize, pages: usize) -> Result<(Facts, Vec<Vec<u32>>), Stop> {
    let (mut sum, mut count) = (Facts::default(), 0);
    let mut targets = vec![Vec::new(); workers];
    for letter in letters {
        let from = letter.from as usize;
        match &letter.what {
            What::Facts(facts) => {
                sum.ranks += facts.ranks;
                sum.lost += facts.lost;
                sum.loses |= facts.loses;
                sum.links = sum.links.saturating_add(facts.links);
                sum.votes = sum.votes.saturating_add(facts.votes);
                count += 1;
            }
            What::Targets(list) => {
                let Some(targets) = targets.get_mut(from) else { return Err(wrong(&letter, "a number that it has not")) };
                let ascend = targets.last().zip(list.first()).is_none_or(|(last, first)| last < first);
                if !ascend || !list.is_sorted_by(|one, two| one < two) || list.last().is_some_and(|&last| last as usize >= pages) {
                    return Err(wrong(&letter, "targets that are no pages of this one"));
                }
                targets.extend_from_slice(list);
            }
            _ => return Err(wrong(&letter, "something before its time")),
        }
    }
    if count != workers {
        return Err(Stop::Failed(SpreadError::Worker(format!("{count} of {workers} workers have said what they have"))));
    }
    Ok((sum, targets))
}

fn send_votes(post: &mut Post<'_>, part: &Part, work: &Rounds<'_, 1>) {
    for (to, border) in part.borders.iter().enumerate() {
        post.send_list(to, border.votes(&work.carried), What::Votes);
    }
}

/// Takes the votes of a round in, and sums up what came of the last one, in the order of workers.
fn take(letters: Vec<Letter>, inbound: &mut Inbound, damping: f64) -> Result<Outcome, Stop> {
    let mut sum = Outcome::default();
    let mut taken = vec![0; inbound.places.len()];
    for letter in letters {
        match &letter.what {
            What::Outcome(outcome) => {
                sum.change += outcome.change;
                sum.sum += outcome.sum;
                sum.checkpoint |= outcome.checkpoint;
            }
            What::Votes(votes) => {
                let from = letter.from as usize;
                let places = inbound.places.get(from).and_then(|places| places.get(taken[from]..)?.get(..votes.len()));
                let Some(places) = places else { return Err(wrong(&letter, "more votes than it has targets")) };
                if !votes.iter().all(|vote| vote.is_finite() && *vote >= 0.0) {
                    return Err(wrong(&letter, "votes that are no ranks"));
                }
                for (&place, vote) in places.iter().zip(votes) {
                    inbound.jumps.at[place as usize].2 = damping * vote;
                }
                taken[from] += votes.len();
            }
            _ => return Err(wrong(&letter, "something that is no vote")),
        }
    }
    if taken.iter().zip(&inbound.places).any(|(&taken, places)| taken != places.len()) {
        return Err(Stop::Failed(SpreadError::Worker("votes are missing".into())));
    }
    Ok(sum)
}

/// Puts the ranks of all workers in their places.
fn collect(letters: Vec<Letter>, task: &Task, report: &mut Report) -> Result<Vec<f64>, Stop> {
    let mut values = vec![0.0; task.graph.pages()];
    let mut letters = letters.into_iter().peekable();
    for partition in 0..task.deal.partitions() {
        let mut pages = task.deal.pages_of(&task.graph, partition);
        while let Some(letter) = letters.next_if(|letter| letter.from as usize == partition) {
            match &letter.what {
                What::Bytes(before, all) => {
                    report.bytes_before = report.bytes_before.saturating_add(*before);
                    report.bytes = report.bytes.saturating_add(all.saturating_sub(*before));
                }
                What::Ranks(ranks) => {
                    for &rank in ranks {
                        let page = pages.next().ok_or_else(|| wrong(&letter, "more ranks than it has pages"))?;
                        values[page] = rank;
                    }
                }
                _ => return Err(wrong(&letter, "something that is no rank")),
            }
        }
        if pages.next().is_some() {
            return Err(Stop::Failed(SpreadError::Worker(format!("ranks of worker {partition} are missing"))));
        }
    }
    Ok(values)
}

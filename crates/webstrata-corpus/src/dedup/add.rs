//! Adds an input to an index: pages are signed on all threads and stored in order.

use super::Similarity;
use super::blocks;
use super::error::DedupError;
use super::index::{Index, Page as Known};
use super::signer::{Signature, Signer};
use super::source::{Item, Source, SourceReader, Text};
use super::text_source::TextSource;
use super::watch::{Stage, Watch};
use crate::executor::{Event, Executor, ExecutorOptions, ItemReader, Job, Phase, Stop};
use crate::input::Failure;
use std::time::Duration;
use webstrata::PageOptions;

/// Interval for checking whether the caller wants to stop.
const TICK: Duration = Duration::from_millis(50);

/// How an input is added.
#[derive(Clone, Debug, Default)]
pub struct AddOptions {
    /// Which text of a page is compared. Input that is already text is compared as it is.
    pub text_source: TextSource,
    /// Whether blocks are compared instead of whole pages; `text_source` is then ignored.
    pub blocks: bool,
    /// Whether the index may contain pages of other inputs.
    pub add: bool,
    /// How pages are parsed.
    pub page: PageOptions,
    /// Threads and time limit.
    pub executor: ExecutorOptions,
}

impl Index {
    /// Adds an input, resuming where an earlier call was killed. Does nothing if the input is already in the index.
    pub fn add(&mut self, source: &mut Source, options: &AddOptions, watch: &dyn Watch) -> Result<(), DedupError> {
        let similarity = self.settings().similarity;
        let job = SignJob { similarity, text_source: options.text_source, blocks: options.blocks, page: options.page.clone() };
        let fingerprint = source.fingerprint().to_owned();
        let Some(mut batch) = self.batch(&fingerprint, options.add)? else { return Ok(()) };
        watch.stage(Stage::Signing);
        let mut reader = source.reader();
        for _ in 0..batch.items() {
            if reader.read()?.is_none() {
                break;
            }
        }
        let executor = Executor::start(reader, job, &options.executor).map_err(stopped)?;
        loop {
            match executor.next(TICK).map_err(stopped)? {
                Event::Outputs(outputs) => {
                    let (mut pages, mut bytes) = (0, 0);
                    outputs.try_for_each(|_, output| {
                        pages += 1;
                        bytes += output.bytes;
                        match output.result {
                            Ok(Signed { date, confidence, parts }) => {
                                let known = |id| Known { id, date: date.as_deref(), confidence };
                                batch.push_all(parts.iter().map(|(id, signature)| (known(id.as_str()), signature)))
                            }
                            Err(failure) => {
                                watch.failed(&output.name, &failure);
                                batch.skip()
                            }
                        }
                    })?;
                    watch.signed(pages, bytes);
                }
                Event::Background(()) | Event::Idle => {}
                Event::End => return batch.finish(),
            }
            if watch.stop() {
                batch.cut()?;
                return Err(DedupError::Stopped);
            }
        }
    }
}

fn stopped(stop: Stop<DedupError>) -> DedupError {
    match stop {
        Stop::Source(error) => error,
        Stop::Cancelled => DedupError::Stopped,
        stop => DedupError::Input(stop.to_string()),
    }
}

/// Signs texts and pages.
struct SignJob {
    similarity: Similarity,
    text_source: TextSource,
    blocks: bool,
    page: PageOptions,
}

/// A signed page.
struct Signed {
    date: Option<String>,
    /// Confidence of the extraction.
    confidence: Option<f32>,
    /// Ids and signatures: of the page, or of its blocks.
    parts: Vec<(String, Signature)>,
}

/// The outcome for an item.
struct Output {
    name: String,
    bytes: u64,
    result: Result<Signed, Failure>,
}

impl SignJob {
    fn sign(&self, signer: &mut Signer, reader: &mut ItemReader, item: &Item, phase: &dyn Fn(Phase)) -> Result<Signed, Failure> {
        match item {
            Item::Broken(_, failure) => Err(failure.clone()),
            Item::Text(Text { id, text, date, confidence }) => {
                phase(Phase::Working);
                let parts = vec![(id.clone(), signer.sign(text))];
                Ok(Signed { date: date.clone(), confidence: *confidence, parts })
            }
            Item::Page(page) => {
                let sign = |document: &crate::Document, page: &webstrata::Page<'_>| {
                    let date = document.date.clone();
                    if self.blocks {
                        return Signed { date, confidence: None, parts: blocks::sign(document, page, signer) };
                    }
                    let (text, confidence) = self.text_source.text(page);
                    Signed { date, confidence, parts: vec![(document.origin.to_string(), signer.sign(&text))] }
                };
                reader.read(page, phase, sign)
            }
        }
    }
}

impl Job for SignJob {
    type Source = SourceReader;
    type Tools = (Signer, ItemReader);
    type Output = Output;
    type Background = ();

    fn tools(&self) -> (Signer, ItemReader) {
        (Signer::new(self.similarity), ItemReader::new(self.page.clone()))
    }

    fn run(&self, (signer, reader): &mut (Signer, ItemReader), item: &Item, phase: &dyn Fn(Phase)) -> Output {
        let result = self.sign(signer, reader, item, phase);
        let bytes = match item {
            Item::Page(_) => reader.page_bytes(),
            other => other.size() as u64,
        };
        Output { name: item.name(), bytes, result }
    }

    fn failed(&self, item: &Item, failure: Failure) -> Output {
        Output { name: item.name(), bytes: 0, result: Err(failure) }
    }

    fn item_size(&self, item: &Item) -> usize {
        item.size()
    }

    fn output_size(&self, output: &Output) -> usize {
        let part = |(id, signature): &(String, Signature)| {
            id.len() + size_of::<Signature>() + (signature.joins.len() + signature.hashes.len()) * size_of::<u64>()
        };
        let signature = |signed: &Signed| signed.parts.iter().map(part).sum::<usize>();
        output.name.len() + output.result.as_ref().map_or(0, signature)
    }
}

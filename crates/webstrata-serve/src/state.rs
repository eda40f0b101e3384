//! State shared by all requests.

use crate::data::{Data, SourceFiles};
use crate::fetch::Fetcher;
use crate::http::access::Access;
use crate::http::body::budget;
use crate::http::log::Ids;
use crate::http::rate::Rate;
use crate::metrics::Metrics;
use crate::work::Work;
use crate::{ServeError, ServeOptions};
use std::sync::Arc;
use tokio::sync::Semaphore;

pub(crate) struct App {
    pub(crate) options: ServeOptions,
    pub(crate) access: Access,
    pub(crate) rate: Rate,
    pub(crate) work: Work,
    /// Memory for request bodies, in KiB.
    pub(crate) memory: Arc<Semaphore>,
    pub(crate) metrics: Metrics,
    pub(crate) ids: Ids,
    pub(crate) data: Data,
    pub(crate) sources: Option<SourceFiles>,
    pub(crate) fetcher: Option<Arc<Fetcher>>,
}

impl App {
    pub(crate) fn new(options: ServeOptions) -> Result<Arc<App>, ServeError> {
        options.check()?;
        let ids = Ids::new().map_err(|error| ServeError::System(format!("cannot get random numbers: {error}")))?;
        let data = match &options.folder {
            Some(folder) => Data::open(folder)?,
            None => Data::default(),
        };
        let sources = options
            .sources
            .as_deref()
            .map(|folder| SourceFiles::open(folder).map_err(|source| ServeError::Folder { path: folder.to_owned(), source }));
        let sources = sources.transpose()?;
        Ok(Arc::new(App {
            access: Access::new(&options),
            rate: Rate::new(&options),
            work: Work::new(options.threads, options.queue, options.timeout),
            memory: Arc::new(Semaphore::new(budget(options.max_memory))),
            metrics: Metrics::default(),
            ids,
            data,
            sources,
            fetcher: options.fetch.clone().map(|fetch| Arc::new(Fetcher::new(fetch))),
            options,
        }))
    }
}

//! Pages on a bounded number of threads.
//!
//! If all threads are busy, a request waits in a bounded queue; if the queue is full, it is refused immediately. Under overload,
//! accepted requests are thus answered in time, and memory does not grow.
//!
//! A short page is processed by the thread of its connection: passing it to another thread and the answer back would take a third
//! as long as the page itself. Large pages, and tasks that read files or the Web, get their own thread, so that no connection waits
//! for more than a few short pages. A thread reads all requests that have arrived, then processes their pages, then writes the
//! answers: the code and tables of each step stay in the processor's caches, which would otherwise be cold for a short page.

use crate::http::error::ApiError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Maximum size of a short page in bytes: it takes a few milliseconds.
const SHORT: usize = 128 << 10;

/// The threads and their queue.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    /// Places on the threads and in the queue.
    places: Arc<Semaphore>,
    /// Total number of places.
    all: usize,
    threads: Arc<Semaphore>,
    timeout: Duration,
}

impl Work {
    pub(crate) fn new(threads: usize, queue: usize, timeout: Duration) -> Self {
        let threads = threads.clamp(1, 1024);
        let all = threads + queue.min(1 << 16);
        Work { places: Arc::new(Semaphore::new(all)), all, threads: Arc::new(Semaphore::new(threads)), timeout }
    }

    /// Runs a task on a page of this length, in time linear in the length.
    pub(crate) async fn page<T: Send + 'static>(
        &self,
        length: usize,
        task: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        if length > SHORT {
            return self.run(task).await;
        }
        let _place = self.places.try_acquire().map_err(|_| ApiError::Overloaded)?;
        // First, other requests that have arrived are read: they get a place in the queue or are refused, and do not wait for this page.
        tokio::task::yield_now().await;
        let thread = match self.threads.try_acquire() {
            Ok(thread) => thread,
            Err(_) => {
                let thread = tokio::time::timeout(self.timeout, self.threads.acquire());
                thread.await.map_err(|_| ApiError::Timeout)?.map_err(|_| ApiError::Overloaded)?
            }
        };
        // A panic drops everything the task owns; it shares no other state that could be left inconsistent.
        let result = catch_unwind(AssertUnwindSafe(task)).map_err(|_| ApiError::Internal);
        drop(thread);
        if self.busy() > 1 {
            // Other pages are waiting: the answer is written after them, together with theirs.
            tokio::task::yield_now().await;
        }
        result
    }

    /// Runs a task on its own thread. If it takes too long, the request is answered with a timeout, but the task keeps its place
    /// until it ends.
    pub(crate) async fn run<T: Send + 'static>(&self, task: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ApiError::Overloaded)?;
        let threads = Arc::clone(&self.threads);
        let result = async {
            let thread = threads.acquire_owned().await.map_err(|_| ApiError::Overloaded)?;
            let task = move || {
                let result = task();
                drop((thread, place));
                result
            };
            tokio::task::spawn_blocking(task).await.map_err(|_| ApiError::Internal)
        };
        tokio::time::timeout(self.timeout, result).await.map_err(|_| ApiError::Timeout)?
    }

    /// Whether a task would be refused now.
    pub(crate) fn is_full(&self) -> bool {
        self.places.available_permits() == 0
    }

    /// Tasks that run or wait.
    pub(crate) fn busy(&self) -> usize {
        self.all.saturating_sub(self.places.available_permits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
    }

    #[test]
    fn a_full_queue_refuses_and_a_panic_is_an_error() {
        let work = Work::new(1, 1, Duration::from_secs(60));
        runtime().block_on(async {
            let (release, wait) = channel::<()>();
            let first = tokio::spawn({
                let work = work.clone();
                async move { work.run(move || wait.recv().is_ok()).await }
            });
            let second = tokio::spawn({
                let work = work.clone();
                async move { work.run(|| 2).await }
            });
            while work.places.available_permits() > 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            assert!(matches!(work.run(|| 3).await, Err(ApiError::Overloaded)));
            release.send(()).unwrap();
            assert_eq!((first.await.unwrap().unwrap(), second.await.unwrap().unwrap()), (true, 2));
            #[allow(clippy::panic)]
            let panicked = work.run(|| -> u8 { panic!("a bug") }).await;
            assert!(matches!(panicked, Err(ApiError::Internal)));
            assert_eq!(work.run(|| 4).await.unwrap(), 4, "a panic gives its place back");
        });
    }

    #[test]
    fn short_pages_stay_on_the_thread_and_count_like_others() {
        let work = Work::new(1, 1, Duration::from_millis(50));
        runtime().block_on(async {
            let here = std::thread::current().id();
            let thread = |length| work.page(length, || std::thread::current().id());
            assert_eq!(thread(SHORT).await.unwrap(), here);
            assert_ne!(thread(SHORT + 1).await.unwrap(), here);
            #[allow(clippy::panic)]
            let panicked = work.page(1, || -> u8 { panic!("a bug") }).await;
            assert!(matches!(panicked, Err(ApiError::Internal)));
            let (release, wait) = channel::<()>();
            let long = tokio::spawn({
                let work = work.clone();
                async move { work.run(move || wait.recv().is_ok()).await }
            });
            while work.threads.available_permits() > 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let (waits, refused) = tokio::join!(work.page(1, || 1), work.page(1, || 2));
            assert!(matches!(waits, Err(ApiError::Timeout)), "the only thread is taken");
            assert!(matches!(refused, Err(ApiError::Overloaded)), "and so is the place in the queue");
            release.send(()).unwrap();
            assert!(matches!(long.await.unwrap(), Ok(true) | Err(ApiError::Timeout)));
            while work.threads.available_permits() == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            assert_eq!(work.page(1, || 3).await.unwrap(), 3, "places come back");
        });
    }

    #[test]
    fn slow_work_is_answered_in_time() {
        let work = Work::new(1, 0, Duration::from_millis(20));
        runtime().block_on(async {
            let (release, wait) = channel::<()>();
            assert!(matches!(work.run(move || wait.recv().is_ok()).await, Err(ApiError::Timeout)));
            assert!(matches!(work.run(|| 1).await, Err(ApiError::Overloaded)), "it still has its thread");
            release.send(()).unwrap();
        });
    }
}

//! Request bodies: limited in size, individually and together, and in time.

use super::error::ApiError;
use crate::state::App;
use axum::body::{Body, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use http_body_util::BodyExt;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// Unit of the memory budget: a semaphore has at most about 2^29 permits.
const UNIT: usize = 1024;

/// A page in a request body. It holds its share of the memory for all bodies until it is dropped.
pub(crate) struct PageBody {
    pub(crate) bytes: Bytes,
    pub(crate) content_type: Option<String>,
    _memory: Vec<OwnedSemaphorePermit>,
}

/// Number of permits for all bodies.
pub(crate) fn budget(bytes: usize) -> usize {
    (bytes / UNIT).clamp(1, tokio::sync::Semaphore::MAX_PERMITS)
}

impl FromRequest<Arc<App>> for PageBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let content_type = content_type(request.headers());
        if request.headers().get(header::CONTENT_ENCODING).is_some_and(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"))
        {
            // A compressed body could be a decompression bomb, and pages are small.
            return Err(ApiError::Encoded);
        }
        if app.work.is_full() {
            // Before the body is read: refusing has to be cheap.
            return Err(ApiError::Overloaded);
        }
        let reading = read(request.into_body(), app);
        let (bytes, memory) = tokio::time::timeout(app.options.timeout, reading).await.map_err(|_| ApiError::TooSlow)??;
        Ok(PageBody { bytes, content_type, _memory: memory })
    }
}

/// The content type, if it names an encoding.
fn content_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    value.to_ascii_lowercase().contains("charset").then(|| value.to_owned())
}

async fn read(mut body: Body, app: &App) -> Result<(Bytes, Vec<OwnedSemaphorePermit>), ApiError> {
    let most = app.options.max_body;
    let expected = body.size_hint().lower();
    if expected > most as u64 {
        return Err(ApiError::TooLarge(most));
    }
    let (mut memory, mut paid) = (Vec::new(), 0);
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::BadRequest("the body is cut off or malformed".into()))?;
        let Ok(data) = frame.into_data() else { continue };
        let length = bytes.len() + data.len();
        if length > most {
            return Err(ApiError::TooLarge(most));
        }
        if length > paid {
            let units = (length - paid).div_ceil(UNIT).max(64);
            let permit = Arc::clone(&app.memory).try_acquire_many_owned(u32::try_from(units).unwrap_or(u32::MAX));
            memory.push(permit.map_err(|_| ApiError::Overloaded)?);
            paid += units * UNIT;
        }
        if bytes.is_empty() {
            if data.len() as u64 == expected {
                // The whole body, which arrived together with the head.
                return Ok((data, memory));
            }
            bytes.reserve_exact((expected as usize).max(data.len()).min(1 << 20));
        }
        bytes.extend_from_slice(&data);
    }
    Ok((bytes.into(), memory))
}

//! Errors as HTTP responses.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;
use utoipa::{IntoResponses, ToSchema};

/// The reason why a request has no result.
#[derive(Debug)]
pub(crate) enum ApiError {
    BadRequest(Cow<'static, str>),
    NoToken,
    Forbidden(Cow<'static, str>),
    NotFound(Cow<'static, str>),
    TooSlow,
    TooLarge(usize),
    Encoded,
    TooMany,
    Internal,
    Overloaded,
    Timeout,
    /// The page could not be fetched.
    Fetch(String),
}

impl ApiError {
    pub(crate) fn bad(reason: impl std::fmt::Display) -> Self {
        ApiError::BadRequest(reason.to_string().into())
    }

    fn parts(self) -> (StatusCode, Cow<'static, str>) {
        match self {
            ApiError::BadRequest(reason) => (StatusCode::BAD_REQUEST, reason),
            ApiError::NoToken => (StatusCode::UNAUTHORIZED, "send the server's token: Authorization: Bearer TOKEN".into()),
            ApiError::Forbidden(reason) => (StatusCode::FORBIDDEN, reason),
            ApiError::NotFound(what) => (StatusCode::NOT_FOUND, what),
            ApiError::TooSlow => (StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time".into()),
            ApiError::TooLarge(most) => (
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the body has more than {most} bytes; the server's --max-bytes raises the limit").into(),
            ),
            ApiError::Encoded => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "send the page as it is, without Content-Encoding".into()),
            ApiError::TooMany => (StatusCode::TOO_MANY_REQUESTS, "too many requests; try again in a second".into()),
            ApiError::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "a bug in webstrata; please report it with the page".into()),
            ApiError::Overloaded => (StatusCode::SERVICE_UNAVAILABLE, "the server is busy; try again in a second".into()),
            ApiError::Timeout => (StatusCode::GATEWAY_TIMEOUT, "the page took too long".into()),
            ApiError::Fetch(reason) => (StatusCode::BAD_GATEWAY, reason.into()),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, error) = self.parts();
        let mut response = (status, Json(ErrorBody { error: error.into_owned() })).into_response();
        let headers = response.headers_mut();
        match status {
            StatusCode::UNAUTHORIZED => drop(headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            // The rest of the body is not read.
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}

/// The body of every error response.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// What is wrong, and what to do about it.
    pub(crate) error: String,
}

/// The errors that any request may get.
#[derive(IntoResponses)]
#[allow(dead_code)]
pub(crate) enum Failures {
    /// A parameter is unknown or has a wrong value.
    #[response(status = 400)]
    BadRequest(ErrorBody),
    /// The token is missing or wrong.
    #[response(status = 401)]
    NoToken(ErrorBody),
    /// The request comes from another site, or asks for something that is not enabled.
    #[response(status = 403)]
    Forbidden(ErrorBody),
    /// There is no such page, site or table.
    #[response(status = 404)]
    NotFound(ErrorBody),
    /// The body did not arrive in time.
    #[response(status = 408)]
    TooSlow(ErrorBody),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(ErrorBody),
    /// The body is compressed.
    #[response(status = 415)]
    Encoded(ErrorBody),
    /// Too many requests from this address.
    #[response(status = 429)]
    TooMany(ErrorBody),
    /// The address or the headers are too long.
    #[response(status = 431)]
    LongHead,
    /// A bug.
    #[response(status = 500)]
    Internal(ErrorBody),
    /// A page could not be fetched.
    #[response(status = 502)]
    Fetch(ErrorBody),
    /// All threads are busy and the queue is full.
    #[response(status = 503)]
    Overloaded(ErrorBody),
    /// The page took too long.
    #[response(status = 504)]
    Timeout(ErrorBody),
}

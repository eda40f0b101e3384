//! Code common to all requests.

pub(crate) mod access;
pub(crate) mod body;
pub(crate) mod error;
pub(crate) mod headers;
pub(crate) mod log;
pub(crate) mod params;
pub(crate) mod rate;

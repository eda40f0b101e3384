//! Errors of the libraries as the exceptions of `webstrata.exceptions`, with the same text as on the command line.

use pyo3::prelude::*;
use std::fmt::Display;

/// The exceptions, by cause.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// An option has an invalid value, or conflicts with another one.
    Option,
    /// A file or folder cannot be read.
    Input,
    /// A page could not be processed.
    Page,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Option => "OptionError",
            Kind::Input => "InputError",
            Kind::Page => "PageError",
        }
    }

    /// The exception with this text. The classes are written in Python, because they have two bases.
    pub(crate) fn raise(self, message: impl Display) -> PyErr {
        Python::attach(|py| {
            let class = py.import("webstrata.exceptions").and_then(|module| module.getattr(self.name()));
            let error = class.and_then(|class| class.call1((message.to_string(),)));
            error.map_or_else(|error| error, PyErr::from_value)
        })
    }
}

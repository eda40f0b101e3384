//! Pages as Python gives them: bytes, or text.

use encoding_rs::UTF_8;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use webstrata::PageOptions;

/// A page. The bytes belong to the Python object and are not copied.
#[derive(Debug)]
pub(crate) enum Html {
    /// Text: any encoding it declares no longer applies.
    Text(PyBackedStr),
    /// Text with lone surrogates, which UTF-8 cannot represent.
    Repaired(PyBackedBytes),
    Bytes(PyBackedBytes),
}

impl Html {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Html::Text(text) => text.as_bytes(),
            Html::Repaired(bytes) | Html::Bytes(bytes) => bytes,
        }
    }

    /// Whether it was decoded before.
    pub(crate) fn is_text(&self) -> bool {
        !matches!(self, Html::Bytes(_))
    }
}

/// The options for text: it is UTF-8, no matter what it declares.
pub(crate) fn for_text(options: &PageOptions) -> PageOptions {
    options.clone().transport(None).encoding(UTF_8)
}

impl<'py> FromPyObject<'_, 'py> for Html {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Html::Bytes(bytes.to_owned().into()));
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(match PyBackedStr::try_from(text.to_owned()) {
                Ok(text) => Html::Text(text),
                Err(_) => Html::Repaired(text.call_method1("encode", ("utf-8", "replace"))?.extract()?),
            });
        }
        if object.cast::<PyByteArray>().is_ok() || object.cast::<PyMemoryView>().is_ok() {
            let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
            return Ok(Html::Bytes(bytes.extract()?));
        }
        let kind = object.get_type();
        let message = format!("a page must be str or bytes, not {}", kind.name()?);
        Err(pyo3::exceptions::PyTypeError::new_err(message))
    }
}

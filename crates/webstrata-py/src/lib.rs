//! The extension module of the Python package `webstrata`: converts arguments and results, releases the GIL and maps errors.
//! What people call is in `python/webstrata`.

use pyo3::prelude::*;

#[pymodule]
mod _webstrata {
    use pyo3::prelude::*;

    /// The text of a page's main content.
    #[pyfunction]
    fn extract(py: Python<'_>, html: &[u8]) -> String {
        py.detach(|| webstrata::Page::parse(html).extract().text())
    }
}

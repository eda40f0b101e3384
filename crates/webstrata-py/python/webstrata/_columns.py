"""Lists and columns of other libraries. No library is imported unless the caller has done so."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any


def _of(name: str, module: str, value: Any) -> bool:
    """Whether a value is an instance of a class of a library, which is then already imported."""
    library = sys.modules.get(module)
    return library is not None and isinstance(value, getattr(library, name, ()))


def as_input(values: Any) -> Any:
    """Converts values for the extension module: to a list, or an object with Arrow's PyCapsule interface."""
    if isinstance(values, list):
        return values
    if isinstance(values, (str, bytes)):
        raise TypeError("one page is not a list of pages; call extract() for it")
    if _of("Series", "pandas", values):
        # Missing values may be NaN or NA.
        return values.astype(object).where(values.notna(), None).tolist()
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        return values
    if isinstance(values, Iterable):
        return list(values)
    raise TypeError(f"pages must be a list, a column or an Arrow array, not {type(values).__name__}")


def like(values: Any, texts: Any) -> Any:
    """Converts texts to the type of the values."""
    if _of("Series", "pandas", values):
        pandas = sys.modules["pandas"]
        return pandas.Series(texts, index=values.index, name=values.name, dtype=object)
    if _of("Series", "polars", values):
        return sys.modules["polars"].Series(texts).alias(values.name)
    if _of("ChunkedArray", "pyarrow", values):
        pyarrow = sys.modules["pyarrow"]
        return pyarrow.chunked_array([pyarrow.array(texts)])
    if _of("Array", "pyarrow", values):
        return sys.modules["pyarrow"].array(texts)
    return texts

//! Arrow columns in and out through the PyCapsule interface, without copies:
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.

use crate::error::Kind;
use arrow_array::array::{Array, ArrayRef, LargeStringArray, make_array};
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::ptr::NonNull;
use std::sync::Arc;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A column of strings for other libraries: `pyarrow.array(column)`, `polars.Series(column)`.
#[pyclass(frozen, module = "webstrata._webstrata")]
#[derive(Debug)]
pub(crate) struct ArrowArray {
    array: LargeStringArray,
}

impl From<LargeStringArray> for ArrowArray {
    fn from(array: LargeStringArray) -> Self {
        ArrowArray { array }
    }
}

#[pymethods]
impl ArrowArray {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    /// The schema and the array. The type is always `large_string`; a consumer that asks for another one casts.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let (array, schema) = to_ffi(&self.array.to_data()).map_err(|error| Kind::Input.raise(error))?;
        let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
        let array = PyCapsule::new_with_value(py, array, ARRAY)?;
        PyTuple::new(py, [schema, array])
    }
}

/// The chunks of a column.
pub(crate) fn chunks(column: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if column.hasattr("__arrow_c_stream__")? {
        let capsule = column.call_method0("__arrow_c_stream__")?;
        return stream(capsule.cast::<PyCapsule>()?);
    }
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = column.call_method0("__arrow_c_array__")?.extract()?;
    let schema: NonNull<FFI_ArrowSchema> = schema.cast::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?.cast();
    let array: NonNull<FFI_ArrowArray> = array.cast::<PyCapsule>()?.pointer_checked(Some(ARRAY))?.cast();
    // SAFETY: both capsules have the names that the PyCapsule interface gives to pointers to these structs, and live until the end
    // of this function. `from_raw` takes the array and marks it as released, as the interface requires of a consumer; the schema is
    // only read. The producer guarantees that the structs describe valid buffers.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.as_ptr());
        from_ffi(array, schema.as_ref())
    };
    Ok(vec![make_array(data.map_err(|error| Kind::Input.raise(error))?)])
}

/// The arrays of a stream. `arrow_array::ffi_stream` reads streams of tables only, not of columns.
fn stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<Vec<ArrayRef>> {
    let pointer: NonNull<FFI_ArrowArrayStream> = capsule.pointer_checked(Some(STREAM))?.cast();
    // SAFETY: as above: the name of the capsule says what it points to, and taking the stream marks it as released.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    let failed = |code: i32| Kind::Input.raise(format!("the Arrow stream cannot be read (error {code})"));
    let (Some(get_schema), Some(get_next)) = (stream.get_schema(), stream.get_next()) else { return Err(failed(0)) };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the callbacks belong to this stream, which has not been released, and get pointers to structs that outlive the call.
    let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
    if code != 0 {
        return Err(failed(code));
    }
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        let code = unsafe { get_next(&raw mut stream, &raw mut array) };
        if code != 0 {
            return Err(failed(code));
        }
        if array.is_released() {
            return Ok(chunks);
        }
        // SAFETY: the array has the schema of its stream; both come from the same producer.
        let data = unsafe { from_ffi(array, &schema) };
        chunks.push(make_array(data.map_err(|error| Kind::Input.raise(error))?));
    }
}

/// A chunk of pages or addresses.
#[derive(Clone, Debug)]
pub(crate) struct Cells(ArrayRef);

impl Cells {
    /// Refuses columns other than strings and bytes.
    pub(crate) fn new(chunk: ArrayRef) -> PyResult<Arc<Cells>> {
        use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Utf8, Utf8View};
        match chunk.data_type() {
            Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView => Ok(Arc::new(Cells(chunk))),
            // A column of only nulls.
            DataType::Null => Ok(Arc::new(Cells(chunk))),
            other => Err(Kind::Option.raise(format!("a column of pages must have strings or bytes, not {other}"))),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the cells are text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.0.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
    }

    /// A cell; `None` if it is null.
    pub(crate) fn get(&self, row: usize) -> Option<&[u8]> {
        if row >= self.0.len() || self.0.is_null(row) {
            return None;
        }
        match self.0.data_type() {
            DataType::Utf8 => Some(self.0.as_string::<i32>().value(row).as_bytes()),
            DataType::LargeUtf8 => Some(self.0.as_string::<i64>().value(row).as_bytes()),
            DataType::Utf8View => Some(self.0.as_string_view().value(row).as_bytes()),
            DataType::Binary => Some(self.0.as_binary::<i32>().value(row)),
            DataType::LargeBinary => Some(self.0.as_binary::<i64>().value(row)),
            DataType::BinaryView => Some(self.0.as_binary_view().value(row)),
            _ => None,
        }
    }
}

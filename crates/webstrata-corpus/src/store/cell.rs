//! Cells of the tables: which Arrow type a field of a row has, and how it is written and read.

use crate::Timestamp;
use arrow_array::builder::{ListBuilder, PrimitiveBuilder, StringBuilder, StructBuilder, UInt32Builder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, TimestampMicrosecondType, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, PrimitiveArray};
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use std::sync::Arc;
use webstrata::label::Role;

/// A field of a row.
pub(super) trait Cell: Sized {
    /// Whether it can be null.
    const NULLABLE: bool = false;
    /// Its Arrow type.
    fn kind() -> DataType;
    /// A column.
    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef
    where
        Self: 'c;
    /// The cells of a column; `None` if it has a different type.
    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>>;
    /// Heap memory in bytes.
    fn heap(&self) -> usize {
        0
    }
}

impl Cell for String {
    fn kind() -> DataType {
        DataType::Utf8
    }

    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
        let mut builder = StringBuilder::with_capacity(cells.len(), cells.clone().map(String::len).sum());
        cells.for_each(|cell| builder.append_value(cell));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
        Some(array.as_string_opt::<i32>()?.iter().map(|text| text.unwrap_or_default().to_owned()))
    }

    fn heap(&self) -> usize {
        self.len()
    }
}

impl Cell for Option<String> {
    const NULLABLE: bool = true;

    fn kind() -> DataType {
        DataType::Utf8
    }

    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
        let mut builder = StringBuilder::with_capacity(cells.len(), cells.clone().flatten().map(String::len).sum());
        cells.for_each(|cell| builder.append_option(cell.as_deref()));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
        Some(array.as_string_opt::<i32>()?.iter().map(|text| text.map(str::to_owned)))
    }

    fn heap(&self) -> usize {
        self.as_ref().map_or(0, String::len)
    }
}

/// The name of a role. A name that this version does not know is read as no role.
impl Cell for Option<Role> {
    const NULLABLE: bool = true;

    fn kind() -> DataType {
        DataType::Utf8
    }

    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
        let mut builder = StringBuilder::with_capacity(cells.len(), 8 * cells.len());
        cells.for_each(|cell| builder.append_option(cell.map(Role::name)));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
        Some(array.as_string_opt::<i32>()?.iter().map(|name| name?.parse().ok()))
    }

    fn heap(&self) -> usize {
        self.map_or(0, |role| role.name().len())
    }
}

impl Cell for bool {
    fn kind() -> DataType {
        DataType::Boolean
    }

    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
        Arc::new(BooleanArray::from_iter(cells.map(|cell| Some(*cell))))
    }

    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
        Some(array.as_boolean_opt()?.iter().map(Option::unwrap_or_default))
    }
}

impl Cell for Option<bool> {
    const NULLABLE: bool = true;

    fn kind() -> DataType {
        DataType::Boolean
    }

    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
        Arc::new(BooleanArray::from_iter(cells.copied()))
    }

    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
        Some(array.as_boolean_opt()?.iter())
    }
}

/// Numbers, required and optional.
macro_rules! numbers {
    ($($native:ty = $arrow:ty),*) => {$(
        impl Cell for $native {
            fn kind() -> DataType {
                <$arrow>::DATA_TYPE
            }

            fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
                Arc::new(PrimitiveArray::<$arrow>::from_iter_values(cells.copied()))
            }

            fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
                Some(array.as_primitive_opt::<$arrow>()?.iter().map(Option::unwrap_or_default))
            }
        }

        impl Cell for Option<$native> {
            const NULLABLE: bool = true;

            fn kind() -> DataType {
                <$arrow>::DATA_TYPE
            }

            fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
                Arc::new(cells.copied().collect::<PrimitiveArray<$arrow>>())
            }

            fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
                Some(array.as_primitive_opt::<$arrow>()?.iter())
            }
        }
    )*};
}

numbers! { u16 = UInt16Type, u32 = UInt32Type, u64 = UInt64Type, f32 = Float32Type }

impl Cell for Option<Timestamp> {
    const NULLABLE: bool = true;

    fn kind() -> DataType {
        DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
    }

    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
        let mut builder = PrimitiveBuilder::<TimestampMicrosecondType>::with_capacity(cells.len()).with_data_type(Self::kind());
        cells.for_each(|cell| builder.append_option(cell.map(Timestamp::micros)));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
        Some(array.as_primitive_opt::<TimestampMicrosecondType>()?.iter().map(|micros| Timestamp::from_micros(micros?)))
    }
}

fn item(kind: DataType) -> Field {
    Field::new("item", kind, false)
}

impl Cell for Vec<String> {
    fn kind() -> DataType {
        DataType::List(Arc::new(item(DataType::Utf8)))
    }

    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
        let mut lists = ListBuilder::with_capacity(StringBuilder::new(), cells.len()).with_field(item(DataType::Utf8));
        for cell in cells {
            cell.iter().for_each(|text| lists.values().append_value(text));
            lists.append(true);
        }
        Arc::new(lists.finish())
    }

    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
        let list = |list: ArrayRef| list.as_string_opt::<i32>().map(|texts| texts.iter().flatten().map(str::to_owned).collect());
        Some(array.as_list_opt::<i32>()?.iter().map(move |cell| cell.and_then(list).unwrap_or_default()))
    }

    fn heap(&self) -> usize {
        self.iter().map(|text| text.len() + 8).sum()
    }
}

impl Cell for Vec<u64> {
    fn kind() -> DataType {
        DataType::List(Arc::new(item(DataType::UInt64)))
    }

    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
        let mut lists = ListBuilder::with_capacity(UInt64Builder::new(), cells.len()).with_field(item(DataType::UInt64));
        for cell in cells {
            lists.values().append_slice(cell);
            lists.append(true);
        }
        Arc::new(lists.finish())
    }

    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
        let list = |list: ArrayRef| list.as_primitive_opt::<UInt64Type>().map(|numbers| numbers.values().to_vec());
        Some(array.as_list_opt::<i32>()?.iter().map(move |cell| cell.and_then(list).unwrap_or_default()))
    }

    fn heap(&self) -> usize {
        8 * self.len()
    }
}

/// Start and end of a span. `end` alone is a reserved word of SQL.
fn span_fields() -> Fields {
    ["span_start", "span_end"].map(|name| Arc::new(Field::new(name, DataType::UInt32, false))).into_iter().collect()
}

/// Byte ranges.
impl Cell for Vec<[u32; 2]> {
    fn kind() -> DataType {
        DataType::List(Arc::new(item(DataType::Struct(span_fields()))))
    }

    fn array<'c>(cells: impl ExactSizeIterator<Item = &'c Self> + Clone) -> ArrayRef {
        let spans = StructBuilder::from_fields(span_fields(), cells.len());
        let mut lists = ListBuilder::with_capacity(spans, cells.len()).with_field(item(DataType::Struct(span_fields())));
        for cell in cells {
            let spans = lists.values();
            for part in 0..2 {
                if let Some(ends) = spans.field_builder::<UInt32Builder>(part) {
                    cell.iter().for_each(|span| ends.append_value(span[part]));
                }
            }
            cell.iter().for_each(|_| spans.append(true));
            lists.append(true);
        }
        Arc::new(lists.finish())
    }

    fn read(array: &dyn Array) -> Option<impl Iterator<Item = Self>> {
        Some(array.as_list_opt::<i32>()?.iter().map(|cell| cell.and_then(|spans| pairs(&spans)).unwrap_or_default()))
    }

    fn heap(&self) -> usize {
        8 * self.len()
    }
}

fn pairs(spans: &ArrayRef) -> Option<Vec<[u32; 2]>> {
    let ends = |part: usize| spans.as_struct_opt()?.columns().get(part)?.as_primitive_opt::<UInt32Type>();
    Some(ends(0)?.values().iter().zip(ends(1)?.values()).map(|(&start, &end)| [start, end]).collect())
}

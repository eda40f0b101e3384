//! Pages as rows: their archive metadata and their bytes.

use crate::spark_arrow::{Columns, number, text};
use arrow_array::builder::{BinaryBuilder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use std::sync::Arc;
use webstrata_corpus::input::{Broken, Failure, Item, Reason};
use webstrata_corpus::{Capture, Document, Origin};

/// The columns that come from a document.
fn schema() -> Schema {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    Schema::new(vec![
        Field::new("file", DataType::Utf8, false),
        Field::new("offset", DataType::Int64, false),
        Field::new("inside", DataType::Int64, false),
        text("url"),
        text("date"),
        text("charset"),
        Field::new("status", DataType::Int32, true),
        text("content_type"),
        text("content_language"),
        text("record_id"),
        text("payload_digest"),
        Field::new("html", DataType::Binary, true),
        Field::new("problems", DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))), false),
        text("reason"),
        text("problem"),
    ])
}

/// One row per item. The row of an unreadable item has a reason and a problem instead of a page.
pub(crate) fn to_batch(items: &[Item]) -> Result<RecordBatch, ArrowError> {
    let documents: Vec<Option<&Document>> =
        items.iter().map(|item| if let Item::Document(document) = item { Some(document) } else { None }).collect();
    let texts = |of: fn(&Document) -> Option<&String>| -> ArrayRef {
        Arc::new(documents.iter().map(|page| page.and_then(of)).collect::<StringArray>())
    };
    let broken = |of: fn(&Broken) -> String| -> ArrayRef {
        let cell = |item: &Item| match item {
            Item::Broken(broken) => Some(of(broken)),
            _ => None,
        };
        Arc::new(items.iter().map(cell).collect::<StringArray>())
    };
    let origins = |of: fn(&Origin) -> u64| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(items.iter().map(|item| of(item.origin()).cast_signed())))
    };
    let mut html = BinaryBuilder::new();
    let mut problems = ListBuilder::new(StringBuilder::new());
    for item in items {
        match item {
            Item::Document(document) => {
                html.append_value(&document.bytes);
                document.problems.iter().for_each(|problem| problems.values().append_value(problem));
            }
            _ => html.append_null(),
        }
        problems.append(true);
    }
    let status = |page: &Option<&Document>| page.and_then(|page| page.capture.status).map(i32::from);
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(items.iter().map(|item| &item.origin().file))),
        origins(|origin| origin.offset),
        origins(|origin| origin.inside),
        texts(|page| page.url.as_ref()),
        texts(|page| page.date.as_ref()),
        texts(|page| page.charset.as_ref()),
        Arc::new(documents.iter().map(status).collect::<Int32Array>()),
        texts(|page| page.capture.content_type.as_ref()),
        texts(|page| page.capture.content_language.as_ref()),
        texts(|page| page.capture.record_id.as_ref()),
        texts(|page| page.capture.payload_digest.as_ref()),
        Arc::new(html.finish()),
        Arc::new(problems.finish()),
        broken(|broken| reason_name(broken.failure.reason)),
        broken(|broken| broken.failure.message.clone()),
    ];
    RecordBatch::try_new(Arc::new(schema()), columns)
}

/// The name of a reason, as in the list of errors of a run.
pub(crate) fn reason_name(reason: Reason) -> String {
    serde_json::to_value(reason).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The items of a batch. All columns but `html` may be missing. A page without a file is identified by its `id`, or else by its address.
pub(crate) fn from_batch(batch: &RecordBatch) -> Result<Vec<Item>, String> {
    let columns = Columns(batch);
    let html = columns.bytes("html")?.ok_or("there is no column `html`")?;
    let [file, id, url, date, charset] = ["file", "id", "url", "date", "charset"].map(|name| columns.texts(name));
    let (file, id, url, date, charset) = (file?, id?, url?, date?, charset?);
    let [content_type, content_language, record_id, payload_digest, reason, problem] =
        ["content_type", "content_language", "record_id", "payload_digest", "reason", "problem"].map(|name| columns.texts(name));
    let (content_type, content_language, record_id) = (content_type?, content_language?, record_id?);
    let (payload_digest, reason, problem) = (payload_digest?, reason?, problem?);
    let (offset, inside, status) = (columns.numbers("offset")?, columns.numbers("inside")?, columns.numbers("status")?);
    let problems = columns.lists("problems")?;
    let owned = |column, row| text(column, row).map(str::to_owned);
    let items = (0..batch.num_rows()).map(|row| {
        let name = text(file, row).or_else(|| text(id, row)).or_else(|| text(url, row)).unwrap_or_default();
        let position = |column| number(column, row).map_or(0, i64::cast_unsigned);
        let origin = Origin { file: name.into(), offset: position(offset), inside: position(inside) };
        if html.is_null(row) {
            let reason = text(reason, row).and_then(|name| Reason::ALL.into_iter().find(|&reason| reason_name(reason) == name));
            let message = text(problem, row).unwrap_or("the page is null");
            let failure = Failure::new(reason.unwrap_or(Reason::Unreadable), message);
            return Item::Broken(Broken { origin, failure, whole_file: false });
        }
        let listed = problems.filter(|lists| lists.is_valid(row)).map(|lists| lists.value(row));
        let listed = listed.as_ref().and_then(|list| list.as_string_opt::<i32>());
        Item::Document(Document {
            origin,
            url: owned(url, row),
            date: owned(date, row),
            charset: owned(charset, row),
            capture: Capture {
                status: number(status, row).and_then(|status| u16::try_from(status).ok()),
                content_type: owned(content_type, row),
                content_language: owned(content_language, row),
                record_id: owned(record_id, row),
                payload_digest: owned(payload_digest, row),
            },
            bytes: html.value(row).to_vec(),
            problems: listed.map(|texts| texts.iter().flatten().map(str::to_owned).collect()).unwrap_or_default(),
        })
    });
    Ok(items.collect())
}

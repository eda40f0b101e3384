//! A browser's snapshot of a page (`DOMSnapshot.captureSnapshot`), and checks of it: everything in it is an index into
//! something else, and a browser that shows hostile pages may have been taken over by one.

use super::style::Style;
use crate::LayoutError;
use serde::Deserialize;
use webstrata::layout::Area;

/// Maximum number of nodes of a browser's tree; our own trees have at most a million by default, and each text has a comment.
const MAX_NODES: usize = 4_000_000;

/// The response of the browser.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    documents: Vec<Document>,
    strings: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Document {
    nodes: Nodes,
    layout: Boxes,
}

/// The tree, one column per property. A number that refers to nothing is -1.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Nodes {
    parent_index: Vec<i64>,
    node_type: Vec<i64>,
    node_name: Vec<i64>,
    node_value: Vec<i64>,
    attributes: Vec<Vec<i64>>,
}

/// The boxes: the node of each, its styles and its place.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Boxes {
    node_index: Vec<i64>,
    styles: Vec<Vec<i64>>,
    bounds: Vec<Vec<f64>>,
}

/// The kind of a browser's node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Element,
    Text,
    Comment,
    Other,
}

/// The main document of a snapshot: all columns have the same length, and parents precede their children.
#[derive(Debug)]
pub(crate) struct Snapshot {
    document: Document,
    strings: Vec<String>,
}

impl Snapshot {
    pub(crate) fn new(answer: Answer) -> Result<Self, LayoutError> {
        let nonsense = |reason: &str| LayoutError::Nonsense { step: "DOMSnapshot.captureSnapshot", reason: reason.to_owned() };
        let document = answer.documents.into_iter().next().ok_or_else(|| nonsense("there is no document"))?;
        let (nodes, boxes) = (&document.nodes, &document.layout);
        let number = nodes.parent_index.len();
        if number > MAX_NODES || boxes.node_index.len() > MAX_NODES {
            return Err(LayoutError::TooLarge { what: "the browser's tree of the page", limit: format!("{MAX_NODES} nodes") });
        }
        let lengths = [nodes.node_type.len(), nodes.node_name.len(), nodes.node_value.len(), nodes.attributes.len()];
        if lengths.iter().any(|&length| length != number) {
            return Err(nonsense("the columns of its nodes differ in length"));
        }
        if [boxes.styles.len(), boxes.bounds.len()].iter().any(|&length| length != boxes.node_index.len()) {
            return Err(nonsense("the columns of its boxes differ in length"));
        }
        if nodes.parent_index.iter().enumerate().any(|(node, &parent)| parent >= 0 && parent.unsigned_abs() >= node as u64) {
            return Err(nonsense("a node precedes its parent"));
        }
        Ok(Snapshot { document, strings: answer.strings })
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.document.nodes.parent_index.len()
    }

    fn string(&self, number: i64) -> &str {
        usize::try_from(number).ok().and_then(|number| self.strings.get(number)).map_or("", String::as_str)
    }

    /// The parent of a node, a smaller number.
    pub(crate) fn parent(&self, node: usize) -> Option<usize> {
        usize::try_from(*self.document.nodes.parent_index.get(node)?).ok()
    }

    pub(crate) fn kind(&self, node: usize) -> Kind {
        match self.document.nodes.node_type.get(node) {
            Some(1) => Kind::Element,
            Some(3) => Kind::Text,
            Some(8) => Kind::Comment,
            _ => Kind::Other,
        }
    }

    /// The name of an element, in upper case if it is HTML.
    pub(crate) fn name(&self, node: usize) -> &str {
        self.string(self.document.nodes.node_name.get(node).copied().unwrap_or(-1))
    }

    /// The text of a text or comment.
    pub(crate) fn value(&self, node: usize) -> &str {
        self.string(self.document.nodes.node_value.get(node).copied().unwrap_or(-1))
    }

    /// The value of an element's attribute.
    pub(crate) fn attribute(&self, node: usize, name: &str) -> Option<&str> {
        let pairs = self.document.nodes.attributes.get(node)?.chunks_exact(2);
        pairs.into_iter().find(|pair| self.string(pair[0]) == name).map(|pair| self.string(pair[1]))
    }

    /// The boxes: node, area and style. A node may have several.
    pub(crate) fn boxes(&self) -> impl Iterator<Item = (usize, Area, Style)> {
        let boxes = &self.document.layout;
        let all = boxes.node_index.iter().zip(&boxes.bounds).zip(&boxes.styles);
        all.filter_map(|((&node, bounds), styles)| {
            let node = usize::try_from(node).ok().filter(|&node| node < self.len())?;
            let &[x, y, width, height] = bounds.as_slice() else { return None };
            let area = Area::new(x as f32, y as f32, width as f32, height as f32);
            Some((node, area, Style::new(styles.iter().map(|&string| self.string(string)))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn snapshot(nodes: Value, layout: Value) -> Result<Snapshot, String> {
        let answer = json!({"documents": [{"nodes": nodes, "layout": layout}], "strings": ["DIV", "id", "17"]});
        Snapshot::new(serde_json::from_value(answer).unwrap()).map_err(|error| error.to_string())
    }

    fn nodes(parents: &[i64]) -> Value {
        let same = vec![0; parents.len()];
        json!({"parentIndex": parents, "nodeType": same, "nodeName": same, "nodeValue": same,
               "attributes": vec![json!([1, 2]); parents.len()]})
    }

    #[test]
    fn indices_are_checked() {
        let layout = json!({"nodeIndex": [0, 7, -1, 1], "styles": [[0], [], [], [99, -5]],
                            "bounds": [[1, 2, 3, 4], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0]]});
        let snapshot = snapshot(nodes(&[-1, 0]), layout).unwrap();
        assert_eq!(snapshot.boxes().map(|(node, area, _)| (node, area.width)).collect::<Vec<_>>(), [(0, 3.0)]);
        assert_eq!((snapshot.attribute(1, "id"), snapshot.attribute(9, "id"), snapshot.name(9)), (Some("17"), None, ""));
    }

    #[test]
    fn nonsense_is_refused() {
        let empty = json!({"nodeIndex": [], "styles": [], "bounds": []});
        assert!(snapshot(nodes(&[-1, 1]), empty.clone()).unwrap_err().contains("precedes its parent"));
        assert!(snapshot(nodes(&[-1, 0]), json!({"nodeIndex": [1], "styles": [], "bounds": []})).unwrap_err().contains("boxes"));
        let mut short = nodes(&[-1, 0]);
        short["nodeType"] = json!([1]);
        assert!(snapshot(short, empty).unwrap_err().contains("nodes differ in length"));
        assert!(Snapshot::new(Answer { documents: Vec::new(), strings: Vec::new() }).is_err());
    }
}

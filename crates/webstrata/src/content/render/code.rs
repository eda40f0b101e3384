//! The text of a listing with all its white space, without line numbers and buttons.

use super::build::Walk;
use super::frame::Frame;
use super::marks::{CONTENT, OTHER, visible};
use super::{Event, Part, Style, language};
use crate::block::listing::{PREFORMATTED, names};
use crate::html::{Dom, HIDDEN, INLINE, Node, Tag, TagSet, flag};

/// Elements whose text is not shown or is not code.
const SKIPPED: TagSet = TagSet::from_tags(&[
    Tag::SVG,
    Tag::SELECT,
    Tag::TEXTAREA,
    Tag::TITLE,
    Tag::ANNOTATION,
    Tag::ANNOTATION_XML,
    Tag::BUTTON,
    Tag::CAPTION,
]);

/// Elements that contain lines or cells but no text of their own: white space in them is not part of the code.
const LAYOUT: TagSet = TagSet::from_tags(&[Tag::TABLE, Tag::TBODY, Tag::THEAD, Tag::TFOOT, Tag::TR, Tag::OL, Tag::UL]);

/// Which runs inside a listing are kept.
enum Kept {
    /// All except text that is not content: lines of only punctuation are in no block but belong to the text.
    UnlessOther,
    /// Only content; for `noscript`, whose text is used only on request.
    IfContent,
}

/// What happens to buttons, toolbars and the name of the language inside a listing.
#[derive(Clone, Copy, PartialEq)]
enum Controls {
    Skip,
    Keep,
}

impl Walk<'_> {
    /// Writes a listing, including lines of only punctuation, but without text that is not content.
    pub(super) fn preformatted(&mut self, frame: Frame) {
        let (mut text, language) = read(self.dom, frame.pre, Controls::Skip, |id, kept| match kept {
            Kept::UnlessOther => self.marks.get(id) & OTHER == 0,
            Kept::IfContent => self.marks.get(id) & CONTENT != 0,
        });
        if text.is_empty() {
            // A button in a `pre` of its own.
            (text, _) = read(self.dom, frame.pre, Controls::Keep, |id, _| self.marks.get(id) & CONTENT != 0);
        }
        self.skip = self.dom.record(frame.pre).end;
        if text.is_empty() {
            return;
        }
        self.out.sync(self.out.containers.text_container(frame.container));
        let part = Part::Code(self.out.document.intern(&language));
        self.out.document.events.push(Event::Start(part));
        let text = self.out.document.intern(&text);
        self.out.document.events.push(Event::Text { text, style: Style::PLAIN, link: None });
        self.out.document.events.push(Event::End(part));
    }
}

/// An open element that ends a line.
struct Open {
    end: u32,
    /// For an element that is one line: its number, and the length of the text before it.
    line: Option<(u32, usize)>,
}

/// A listing being read.
struct Reader<'d> {
    dom: &'d Dom<'d>,
    text: String,
    open: Vec<Open>,
    /// The end of the innermost element in which white space has nodes of its own.
    preformatted_until: u32,
    /// Whether its lines end with `br`, so that newlines in the source are insignificant.
    has_breaks: bool,
}

/// Reads the runs of the listing `root` that `kept` accepts, and its language.
fn read(dom: &Dom<'_>, root: u32, controls: Controls, kept: impl Fn(u32, Kept) -> bool) -> (String, String) {
    let record = dom.record(root);
    let end = record.end;
    let code = record.tag == Tag::CODE;
    let mut reader = Reader {
        dom,
        text: String::new(),
        open: code.then_some(Open { end, line: Some((root, 0)) }).into_iter().collect(),
        preformatted_until: if PREFORMATTED.contains(record.tag) { end } else { 0 },
        has_breaks: code && (root + 1..end).any(|id| dom.record(id).tag == Tag::BR),
    };
    let table = record.tag == Tag::TABLE;
    let mut noscript_until = 0;
    let mut id = root + 1;
    while id < end {
        let record = dom.record(id);
        reader.close(id);
        if record.tag == Tag::TEXT {
            if kept(id, if id < noscript_until { Kept::IfContent } else { Kept::UnlessOther }) {
                reader.run(id, record.parent);
            }
        } else if is_skipped(Node::new(dom, id), table) && !(controls == Controls::Keep && names::is_control(Node::new(dom, id))) {
            id = record.end.max(id + 1);
            continue;
        } else {
            noscript_until = if record.tag == Tag::NOSCRIPT { noscript_until.max(record.end) } else { noscript_until };
            reader.element(id);
        }
        id += 1;
    }
    reader.close(end);
    let mut text = reader.text;
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    text.truncate(text.trim_end().len());
    // The newline directly after the start tag is not part of the text.
    if text.starts_with('\n') {
        text.remove(0);
    }
    // A column of line numbers beside the listing.
    let node = Node::new(dom, root);
    let around = node.parent().filter(|parent| parent.number() + 1 == root && dom.record(parent.number()).end == end);
    if names::is_numbering(node) || around.is_some_and(names::is_numbering) {
        text.clear();
    }
    (text, language::of_listing(dom, root))
}

/// Whether an element inside a listing is not part of the code.
fn is_skipped(node: Node<'_>, in_table: bool) -> bool {
    node.tag().flags() & HIDDEN != 0
        || SKIPPED.contains(node.tag())
        || names::is_decoration(node)
        || (in_table && names::is_gutter(node))
}

impl Reader<'_> {
    /// Closes the elements that end before `id`.
    fn close(&mut self, id: u32) {
        while let Some(open) = self.open.pop_if(|open| open.end <= id) {
            let blank = open.line.filter(|&(_, before)| self.text[before..].trim().is_empty());
            if let Some((_, before)) = blank {
                self.text.truncate(before);
                self.text.push('\n');
            } else {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn element(&mut self, id: u32) {
        let record = self.dom.record(id);
        let cell = matches!(record.tag, Tag::TD | Tag::TH);
        // Custom elements are inline in code: syntax highlighters use them.
        let inline = INLINE.contains(record.tag) || record.tag.is_custom() || record.flags & flag::FOREIGN != 0;
        if record.tag == Tag::BR {
            self.text.push('\n');
        } else if cell {
            // Cells of a row are on one line.
            let row = self.open.last().and_then(|open| open.line);
            if row.is_some_and(|(_, before)| before < self.text.len()) && !self.text.ends_with(char::is_whitespace) {
                self.text.push(' ');
            }
        } else if inline {
            self.white_space_before(id);
        } else {
            self.end_line();
            let node = Node::new(self.dom, id);
            let is_line = record.tag == Tag::TR || names::has(node, names::is_line);
            self.open.push(Open { end: record.end, line: is_line.then_some((id, self.text.len())) });
        }
        if PREFORMATTED.contains(record.tag) {
            self.preformatted_until = self.preformatted_until.max(record.end);
        }
    }

    fn run(&mut self, id: u32, parent: u32) {
        let run = self.dom.run_text(id);
        let run = visible(&run);
        if id < self.preformatted_until {
            if !LAYOUT.contains(self.dom.record(parent).tag) || !run.trim().is_empty() {
                // Code with no-break spaces would not compile.
                self.text.push_str(&run.replace('\u{a0}', " "));
            }
            return;
        }
        self.white_space_before(id);
        self.push(&run);
    }

    /// Appends text outside `pre`, where spaces that must not collapse are written as no-break spaces.
    fn push(&mut self, run: &str) {
        let run = if self.has_breaks { self.folded(run) } else { run.trim_matches('\n').to_owned() };
        self.text.push_str(&run.replace('\u{a0}', " "));
    }

    /// Replaces each newline in a run, and the white space around it, with one space, or with nothing at the start of a line.
    fn folded(&self, run: &str) -> String {
        let mut folded = String::new();
        for (number, line) in run.split('\n').enumerate() {
            let line = if number > 0 { line.trim_ascii_start() } else { line };
            let before = folded.chars().next_back().or_else(|| self.text.chars().next_back());
            if number > 0 && !line.is_empty() && before.is_some_and(|c| !matches!(c, '\n' | ' ')) {
                folded.push(' ');
            }
            folded.push_str(line);
        }
        folded
    }

    /// Appends the white space before a node of a line. Outside `pre` it is only in the source, not in the tree.
    fn white_space_before(&mut self, id: u32) {
        let (Some(&Open { line: Some((line, _)), .. }), record) = (self.open.last(), self.dom.record(id)) else { return };
        if id < self.preformatted_until || record.flags & flag::SPACE_BEFORE == 0 || id <= line {
            return;
        }
        let mut rest = self.dom.source().get(self.dom.record(id - 1).to as usize..record.from as usize).unwrap_or_default();
        let mut space = String::new();
        // The source there consists of white space, end tags and comments.
        while let Some(at) = rest.find('<') {
            space.push_str(&rest[..at]);
            let end = if rest[at..].starts_with("<!--") { "-->" } else { ">" };
            rest = rest[at..].find(end).map_or("", |length| &rest[at + length + end.len()..]);
        }
        space.push_str(rest);
        self.push(&space);
    }
}

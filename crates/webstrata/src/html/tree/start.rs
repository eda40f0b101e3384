//! Rules for start tags (HTML standard, 13.2.6.4, "in head" to "in cell", and 13.2.6.5 for foreign content).

use super::stack::{FOREIGN, INTEGRATION, MATHML};
use super::{Builder, NO_NODE, Phase};
use crate::html::dom::flag;
use crate::html::tag::{BREAKOUT, CLOSES_P, FORMAT, HEAD, IMPLIED_END, PHRASING, RULES, SPECIAL, TABLE_PART, Tag, VOID};
use crate::html::token::{RawAttribute, RawTag, TokenizerState};

/// Whether an element switches on the rules for table contexts.
const fn is_table_context(tag: Tag) -> bool {
    matches!(tag, Tag::TABLE | Tag::TBODY | Tag::THEAD | Tag::TFOOT | Tag::TR)
}

impl Builder<'_> {
    /// Processes a start tag; returns its node, if any, and the tokenizer's next state.
    #[inline(always)]
    pub(super) fn start_rules(&mut self, tag: Tag, raw: RawTag, attributes: &[RawAttribute]) -> (u32, TokenizerState) {
        self.started = true;
        let flags = tag.flags();
        if self.stack.top().namespace != 0 && self.foreign_rules(tag) {
            match self.foreign_start(tag, raw, attributes) {
                Some(node) => return (node, TokenizerState::Data),
                None => {
                    while self.in_foreign() {
                        self.pop();
                    }
                }
            }
        }
        if self.phase == Phase::Body {
            if flags & (CLOSES_P | RULES) == CLOSES_P {
                // `div`, `p` and all plain blocks.
                self.close_p();
                return (self.push(tag, flags, raw.start, raw.end, 0, 0), TokenizerState::Data);
            }
            if flags & (SPECIAL | FORMAT | IMPLIED_END | RULES) == 0 {
                // `span` and all elements without rules.
                self.reopen(raw.start);
                return (self.push(tag, flags, raw.start, raw.end, 0, 0), TokenizerState::Data);
            }
        }
        self.start_with_rules(tag, flags, raw, attributes)
    }

    fn start_with_rules(
        &mut self,
        mut tag: Tag,
        mut flags: u32,
        raw: RawTag,
        attributes: &[RawAttribute],
    ) -> (u32, TokenizerState) {
        const NOTHING: (u32, TokenizerState) = (NO_NODE, TokenizerState::Data);
        if self.phase != Phase::Body {
            match self.start_before_body(tag, flags, raw, attributes) {
                BeforeBody::Done(node) => return (node, TokenizerState::Data),
                BeforeBody::Continue => {}
            }
        } else {
            match tag {
                Tag::HTML => {
                    self.merge_attributes(0, attributes);
                    return NOTHING;
                }
                Tag::BODY => {
                    if let Some(body) = self.stack.get(2).filter(|open| open.tag == Tag::BODY) {
                        self.merge_attributes(body.node, attributes);
                    }
                    return NOTHING;
                }
                Tag::HEAD | Tag::FRAME | Tag::FRAMESET => return NOTHING,
                _ => {}
            }
        }
        if flags & CLOSES_P != 0 && !(tag == Tag::TABLE && self.quirks) && !matches!(tag, Tag::LI | Tag::DD | Tag::DT) {
            self.close_p();
        }
        let mut state = TokenizerState::Data;
        match tag {
            Tag::LI | Tag::DD | Tag::DT => {
                let before =
                    if tag == Tag::LI { self.stack.last(Tag::LI) } else { self.stack.last(Tag::DD).max(self.stack.last(Tag::DT)) };
                if before != 0 && before == self.stack.top().barrier {
                    self.pop_to(before);
                }
                self.close_p();
            }
            Tag::A | Tag::NOBR => {
                if self.active_index(tag).is_some() {
                    self.end_formatting(tag);
                }
                self.reopen(raw.start);
            }
            Tag::BUTTON => {
                let open = self.stack.last(Tag::BUTTON);
                if open > self.stack.top().scope {
                    self.pop_to(open);
                }
                self.reopen(raw.start);
            }
            Tag::OPTION | Tag::OPTGROUP => {
                if self.in_select() {
                    self.imply_ends(if tag == Tag::OPTION { Tag::OPTGROUP } else { Tag::NONE });
                } else {
                    self.pop_if_top(|top| top == Tag::OPTION);
                }
                self.reopen(raw.start);
            }
            Tag::HR if self.in_select() => self.imply_ends(Tag::NONE),
            Tag::INPUT => {
                if self.in_select() {
                    self.pop_to(self.stack.last(Tag::SELECT));
                }
                self.reopen(raw.start);
            }
            Tag::RB | Tag::RTC => self.pop_if_top(|top| matches!(top, Tag::RB | Tag::RT | Tag::RP | Tag::RTC)),
            Tag::RT | Tag::RP => self.pop_if_top(|top| matches!(top, Tag::RB | Tag::RT | Tag::RP)),
            Tag::FORM => {
                if self.stack.last(Tag::FORM) != 0 && self.stack.last(Tag::TEMPLATE) == 0 {
                    return NOTHING;
                }
                if is_table_context(self.stack.top().tag) {
                    return (self.leaf(tag, raw.start, raw.end, 0), TokenizerState::Data);
                }
            }
            Tag::SELECT => {
                if self.in_select() {
                    self.pop_to(self.stack.last(Tag::SELECT));
                    return NOTHING;
                }
                self.reopen(raw.start);
            }
            Tag::IMAGE => {
                tag = Tag::IMG;
                flags = tag.flags();
                self.reopen(raw.start);
            }
            // A table directly inside a table's rows ends the outer one; rows in a template may have no table.
            Tag::TABLE if is_table_context(self.stack.top().tag) => {
                let outer = self.stack.last(Tag::TABLE);
                if outer <= self.stack.last(Tag::TEMPLATE) {
                    return NOTHING;
                }
                self.pop_to(outer);
            }
            Tag::SVG | Tag::MATH => {
                self.reopen(raw.start);
                let namespace = if tag == Tag::MATH { FOREIGN | MATHML } else { FOREIGN };
                return (self.open_foreign(tag, raw, namespace), TokenizerState::Data);
            }
            Tag::TITLE | Tag::TEXTAREA => state = TokenizerState::Rcdata,
            Tag::STYLE | Tag::XMP | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES => state = TokenizerState::Rawtext,
            Tag::SCRIPT => state = TokenizerState::Script,
            Tag::PLAINTEXT => state = TokenizerState::Plaintext,
            _ if tag.is_heading() => self.pop_if_top(Tag::is_heading),
            _ if flags & TABLE_PART != 0 && !self.table_part(tag, raw.start) => return NOTHING,
            _ if flags & (FORMAT | PHRASING) != 0 => self.reopen(raw.start),
            _ => {}
        }
        if flags & VOID != 0 {
            return (self.leaf(tag, raw.start, raw.end, 0), TokenizerState::Data);
        }
        if state != TokenizerState::Data {
            if flags & PHRASING != 0 {
                self.reopen(raw.start);
            }
            return (self.push_raw_text(tag, flags, raw.start, raw.end), state);
        }
        let node = self.push(tag, flags, raw.start, raw.end, 0, 0);
        if flags & FORMAT != 0 && self.overflow == 0 && node != NO_NODE {
            self.activate(tag, node, raw.start, raw.end);
        }
        (node, state)
    }

    fn start_before_body(&mut self, tag: Tag, flags: u32, raw: RawTag, attributes: &[RawAttribute]) -> BeforeBody {
        if self.phase == Phase::Frameset {
            return match tag {
                Tag::FRAMESET => BeforeBody::Done(self.push(tag, flags, raw.start, raw.end, 0, 0)),
                Tag::FRAME | Tag::NOFRAMES => BeforeBody::Continue,
                _ => BeforeBody::Done(NO_NODE),
            };
        }
        if self.stack.last(Tag::TEMPLATE) != 0 {
            return if matches!(tag, Tag::HTML | Tag::HEAD | Tag::BODY | Tag::FRAME | Tag::FRAMESET) {
                BeforeBody::Done(NO_NODE)
            } else {
                BeforeBody::Continue
            };
        }
        match tag {
            Tag::HTML => {
                self.merge_attributes(0, attributes);
                BeforeBody::Done(NO_NODE)
            }
            Tag::HEAD => {
                if self.head_seen {
                    return BeforeBody::Done(NO_NODE);
                }
                self.head_seen = true;
                BeforeBody::Done(self.push(tag, flags, raw.start, raw.end, 0, 0))
            }
            Tag::BODY => BeforeBody::Done(self.open_body(raw.start, raw.end, 0)),
            Tag::FRAMESET => {
                self.pop_above(1);
                self.phase = Phase::Frameset;
                BeforeBody::Done(self.push(tag, flags, raw.start, raw.end, 0, 0))
            }
            Tag::FRAME => BeforeBody::Done(NO_NODE),
            _ if flags & HEAD != 0 => {
                if !self.head_seen {
                    self.head_seen = true;
                    self.push(Tag::HEAD, Tag::HEAD.flags(), raw.start, raw.start, flag::IMPLIED, 0);
                }
                BeforeBody::Continue
            }
            _ => {
                self.open_body(raw.start, raw.start, flag::IMPLIED);
                BeforeBody::Continue
            }
        }
    }

    /// A start tag under the rules for foreign content; `None` if it leaves foreign content and is processed as HTML.
    fn foreign_start(&mut self, tag: Tag, raw: RawTag, attributes: &[RawAttribute]) -> Option<u32> {
        let leaves = tag.flags() & BREAKOUT != 0 || (tag == Tag::FONT && self.has_font_attribute(attributes));
        if leaves {
            return None;
        }
        let mathml = self.stack.top().namespace & MATHML;
        let integration = match tag {
            Tag::DESC | Tag::FOREIGNOBJECT | Tag::TITLE if mathml == 0 => INTEGRATION,
            Tag::MI | Tag::MO | Tag::MN | Tag::MS | Tag::MTEXT if mathml != 0 => INTEGRATION,
            Tag::ANNOTATION_XML if mathml != 0 && self.is_html_annotation(attributes) => INTEGRATION,
            _ => 0,
        };
        Some(self.open_foreign(tag, raw, FOREIGN | mathml | integration))
    }

    /// Whether the rules for foreign content apply to a start tag inside a foreign element.
    fn foreign_rules(&self, tag: Tag) -> bool {
        let top = self.stack.top();
        match (top.tag, tag) {
            (Tag::ANNOTATION_XML, Tag::SVG) => top.namespace & MATHML == 0,
            (Tag::MI | Tag::MO | Tag::MN | Tag::MS | Tag::MTEXT, Tag::MGLYPH | Tag::MALIGNMARK) => true,
            _ => top.namespace & INTEGRATION == 0,
        }
    }

    fn open_foreign(&mut self, tag: Tag, raw: RawTag, namespace: u8) -> u32 {
        if raw.self_closing {
            self.leaf(tag, raw.start, raw.end, flag::FOREIGN)
        } else {
            self.push(tag, 0, raw.start, raw.end, flag::FOREIGN, namespace)
        }
    }

    fn has_font_attribute(&self, attributes: &[RawAttribute]) -> bool {
        attributes.iter().any(|a| {
            let name = &self.bytes[a.name_start as usize..a.name_end as usize];
            [&b"color"[..], b"face", b"size"].into_iter().any(|known| name.eq_ignore_ascii_case(known))
        })
    }

    fn is_html_annotation(&self, attributes: &[RawAttribute]) -> bool {
        attributes.iter().any(|a| {
            let value = &self.bytes[a.value_start as usize..a.value_end as usize];
            self.bytes[a.name_start as usize..a.name_end as usize].eq_ignore_ascii_case(b"encoding")
                && (value.eq_ignore_ascii_case(b"text/html") || value.eq_ignore_ascii_case(b"application/xhtml+xml"))
        })
    }

    #[inline(always)]
    fn close_p(&mut self) {
        let p = self.stack.p_in_button_scope();
        if p != 0 {
            self.pop_to(p);
        }
    }

    /// Whether a `select` is in scope. (A `select` bounds the scope itself, so it must then be the nearest boundary.)
    fn in_select(&self) -> bool {
        let select = self.stack.last(Tag::SELECT);
        select != 0 && select == self.stack.top().scope
    }

    /// Closes elements whose end tags may be implied, except `except`.
    pub(super) fn imply_ends(&mut self, except: Tag) {
        while self.stack.top().flags & IMPLIED_END != 0 && self.stack.top().tag != except {
            self.pop_to(self.stack.depth());
        }
    }

    fn pop_if_top(&mut self, is: impl Fn(Tag) -> bool) {
        if is(self.stack.top().tag) {
            self.pop_to(self.stack.depth());
        }
    }

    /// Clears the stack back to where a table part belongs and opens the parts implied in between; false if there is no table.
    fn table_part(&mut self, tag: Tag, at: usize) -> bool {
        let table = self.stack.last(Tag::TABLE);
        let template = self.stack.last(Tag::TEMPLATE);
        if table == 0 || table < template {
            return template != 0;
        }
        let section = self.stack.last(Tag::THEAD).max(self.stack.last(Tag::TBODY)).max(self.stack.last(Tag::TFOOT));
        let row = self.stack.last(Tag::TR);
        let columns = self.stack.last(Tag::COLGROUP);
        let (base, implied): (_, &[Tag]) = match tag {
            Tag::TR if section > table => (section, &[]),
            Tag::TR => (table, &[Tag::TBODY]),
            Tag::TD | Tag::TH if row > table => (row, &[]),
            Tag::TD | Tag::TH if section > table => (section, &[Tag::TR]),
            Tag::TD | Tag::TH => (table, &[Tag::TBODY, Tag::TR]),
            Tag::COL if columns > table => (columns, &[]),
            Tag::COL => (table, &[Tag::COLGROUP]),
            _ => (table, &[]),
        };
        self.pop_above(base);
        for &part in implied {
            self.push(part, part.flags(), at, at, flag::IMPLIED, 0);
        }
        true
    }
}

/// Outcome of a start tag before the body.
enum BeforeBody {
    /// The tag has been processed.
    Done(u32),
    /// The ordinary rules apply to the tag.
    Continue,
}

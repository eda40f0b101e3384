//! Rules for end tags (HTML standard, 13.2.6.4 and 13.2.6.5).

use super::{Builder, Phase};
use crate::html::dom::flag;
use crate::html::tag::{FORMAT, SPECIAL, TABLE_PART, Tag, VOID};
use crate::html::token::{RAW_TAGS, RawTag};

impl Builder<'_> {
    #[inline(always)]
    pub(super) fn end_rules(&mut self, tag: Tag, raw: RawTag) {
        let flags = tag.flags();
        if self.overflow > 0 {
            return self.end_beyond_cap(tag, flags);
        }
        let at = self.stack.last(tag);
        if at == self.stack.depth() && at > 1 && tag != Tag::BODY {
            // Fast path: the innermost element.
            if flags & FORMAT == 0 {
                return self.pop();
            }
            if self.drop_innermost(at) {
                return self.pop_dropped();
            }
        }
        self.end_with_rules(tag, flags, raw);
    }

    /// An end tag while elements are open beyond the depth cap: only their number is known, not their names.
    #[cold]
    fn end_beyond_cap(&mut self, tag: Tag, flags: u32) {
        let raw_text = RAW_TAGS.contains(&self.stack.top().tag);
        if raw_text && self.stack.last(tag) == self.stack.depth() {
            self.pop(); // raw-text elements are opened at any depth
        } else if flags & VOID == 0 {
            self.overflow -= 1;
        }
    }

    fn end_with_rules(&mut self, tag: Tag, flags: u32, raw: RawTag) {
        let at = self.stack.last(tag);
        let mut top = self.stack.top();
        if top.namespace != 0 {
            let foreign = self.stack.last_foreign(tag);
            if foreign > top.html {
                return self.pop_to(foreign);
            }
            if matches!(tag, Tag::P | Tag::BR) {
                while self.in_foreign() {
                    self.pop();
                }
                top = self.stack.top();
            }
        }
        match tag {
            Tag::P => {
                let p = self.stack.p_in_button_scope();
                if p != 0 {
                    self.pop_to(p);
                } else if self.phase == Phase::Body {
                    self.leaf(Tag::P, raw.start, raw.end, flag::IMPLIED);
                }
            }
            Tag::BR => {
                if self.phase == Phase::Head {
                    self.open_body(raw.start, raw.start, flag::IMPLIED);
                }
                self.leaf(Tag::BR, raw.start, raw.end, flag::IMPLIED);
            }
            // Text after these still belongs to the body.
            Tag::BODY | Tag::HTML => {}
            Tag::HEAD => {
                if at != 0 && self.phase == Phase::Head {
                    self.pop_to(at);
                }
            }
            Tag::LI => {
                if at > top.scope && at > self.stack.last(Tag::OL) && at > self.stack.last(Tag::UL) {
                    self.pop_to(at);
                }
            }
            Tag::FORM => {
                if at > top.scope {
                    self.imply_ends(Tag::NONE);
                    if self.stack.depth() == at {
                        self.pop_to(at);
                    } else {
                        // The form keeps its children in the tree, but another form may start.
                        self.stack.deactivate(at, false);
                    }
                }
            }
            Tag::TABLE | Tag::TEMPLATE => {
                if at > self.stack.last(Tag::TEMPLATE) || (tag == Tag::TEMPLATE && at != 0) {
                    self.pop_to(at);
                }
            }
            _ if tag.is_heading() => {
                let open = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6].map(|h| self.stack.last(h));
                let nearest = open.into_iter().max().unwrap_or(0);
                if nearest > top.scope {
                    self.pop_to(nearest);
                }
            }
            _ if flags & TABLE_PART != 0 => {
                if at != 0 && at > self.stack.last(Tag::TABLE) {
                    self.pop_to(at);
                }
            }
            _ if flags & FORMAT != 0 => self.end_formatting(tag),
            _ if flags & SPECIAL != 0 => {
                // An element that bounds a scope belongs to its own scope.
                if at != 0 && at >= top.scope {
                    self.pop_to(at);
                }
            }
            _ => {
                if at > top.special {
                    self.pop_to(at);
                }
            }
        }
    }
}

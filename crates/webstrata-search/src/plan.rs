//! Turns a parsed query into one that can be executed: words in their indexed forms, and a filter.

use crate::error::QueryError;
use crate::query::{Filter, Node, Query};
use crate::schema::{Fields, names};
use crate::scorer::WordForms;
use crate::words::{Words, primary};
use std::collections::BTreeSet;
use std::ops::Bound;
use tantivy::Term;
use tantivy::query::{BooleanQuery, EmptyQuery, Occur, PhraseQuery, Query as TantivyQuery, RangeQuery, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

/// An executable query.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Distinct words that are scored.
    pub(crate) words: Vec<WordForms>,
    /// A condition that pages must meet, unless one of the words is enough.
    pub(crate) filter: Option<Box<dyn TantivyQuery>>,
}

/// Plans queries for an index with these languages; `None` stands for pages without stemming.
pub(crate) struct Planner<'p> {
    pub(crate) fields: &'p Fields,
    pub(crate) languages: &'p [Option<String>],
}

impl Planner<'_> {
    pub(crate) fn plan(&self, query: &Query) -> Result<Plan, QueryError> {
        let mut languages = BTreeSet::new();
        demanded_languages(&query.root, &mut languages);
        let own: Vec<Option<String>>;
        let languages = if languages.is_empty() {
            self.languages
        } else {
            let is_demanded = |language: &&Option<String>| language.as_ref().is_none_or(|name| languages.contains(name));
            own = self.languages.iter().filter(is_demanded).cloned().collect();
            &own
        };
        let mut lowering =
            Lowering { fields: self.fields, words: languages.iter().map(|name| Words::new(name.as_deref())).collect() };
        let mut words: Vec<WordForms> = Vec::new();
        lowering.scored(&query.root, &mut words);
        let filter = if lowering.is_plain(&query.root) { None } else { lowering.matching(&query.root) };
        if words.is_empty() && filter.is_none() {
            return Err(QueryError::Empty);
        }
        Ok(Plan { words, filter })
    }
}

/// Languages that all results must have.
fn demanded_languages(node: &Node, languages: &mut BTreeSet<String>) {
    let filters: &[Node] = match node {
        Node::List { all, .. } => all,
        node => std::slice::from_ref(node),
    };
    for filter in filters {
        if let Node::Filter(Filter::Language(language)) = filter {
            languages.insert(primary(language));
        }
    }
}

struct Lowering<'l> {
    fields: &'l Fields,
    words: Vec<Words>,
}

impl Lowering<'_> {
    /// The words of a text in each language.
    fn by_language(&mut self, text: &str) -> Vec<Vec<String>> {
        let mut lists: Vec<Vec<String>> = self.words.iter_mut().map(|words| words.list(text)).collect();
        lists.dedup();
        lists
    }

    /// The words of a text with their forms in all languages. Word boundaries are the same in all languages.
    fn forms(&mut self, text: &str) -> Vec<WordForms> {
        let lists = self.by_language(text);
        let count = lists.first().map_or(0, Vec::len);
        let forms = |at: usize| {
            let mut forms: Vec<String> = lists.iter().filter_map(|list| list.get(at)).cloned().collect();
            forms.sort();
            forms.dedup();
            WordForms(forms)
        };
        (0..count).map(forms).collect()
    }

    /// Collects the words that are scored: all that are not excluded.
    fn scored(&mut self, node: &Node, words: &mut Vec<WordForms>) {
        match node {
            Node::Word(text) | Node::Phrase(text) => {
                for forms in self.forms(text) {
                    if !words.contains(&forms) {
                        words.push(forms);
                    }
                }
            }
            Node::Filter(_) => {}
            Node::All(parts) => parts.iter().for_each(|part| self.scored(part, words)),
            Node::List { any, .. } => any.iter().for_each(|part| self.scored(part, words)),
        }
    }

    /// Whether containing one of the words is all that a page needs to match.
    fn is_plain(&mut self, node: &Node) -> bool {
        match node {
            Node::Word(_) => true,
            Node::Phrase(text) => self.forms(text).len() < 2,
            Node::Filter(_) | Node::All(_) => false,
            Node::List { any, all, none } => all.is_empty() && none.is_empty() && any.iter().all(|part| self.is_plain(part)),
        }
    }

    /// The query that finds the pages of a node; `None` if it has no words.
    fn matching(&mut self, node: &Node) -> Option<Box<dyn TantivyQuery>> {
        match node {
            Node::Word(text) => {
                let forms = self.forms(text).into_iter().flat_map(|WordForms(forms)| forms);
                one_of(forms.map(|form| self.term(self.fields.all, &form)).collect())
            }
            Node::Phrase(text) => {
                let lists = self.by_language(text);
                one_of(lists.into_iter().filter(|list| !list.is_empty()).map(|list| self.phrase(&list)).collect())
            }
            Node::Filter(filter) => Some(self.filter(filter)),
            Node::All(parts) => {
                let parts: Vec<_> = parts.iter().filter_map(|part| self.matching(part)).map(|part| (Occur::Must, part)).collect();
                (!parts.is_empty()).then(|| Box::new(BooleanQuery::new(parts)) as Box<dyn TantivyQuery>)
            }
            Node::List { any, all, none } => {
                let any: Vec<_> = any.iter().filter_map(|part| self.matching(part)).collect();
                let mut parts: Vec<_> = one_of(any).into_iter().map(|part| (Occur::Must, part)).collect();
                parts.extend(all.iter().filter_map(|part| self.matching(part)).map(|part| (Occur::Must, part)));
                if parts.is_empty() {
                    return None;
                }
                parts.extend(none.iter().filter_map(|part| self.matching(part)).map(|part| (Occur::MustNot, part)));
                Some(Box::new(BooleanQuery::new(parts)))
            }
        }
    }

    fn term(&self, field: Field, text: &str) -> Box<dyn TantivyQuery> {
        Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
    }

    fn phrase(&self, words: &[String]) -> Box<dyn TantivyQuery> {
        match words {
            [word] => self.term(self.fields.all, word),
            words => Box::new(PhraseQuery::new(words.iter().map(|word| Term::from_field_text(self.fields.all, word)).collect())),
        }
    }

    fn filter(&self, filter: &Filter) -> Box<dyn TantivyQuery> {
        let seconds = |value: i64| Term::from_field_i64(self.fields.date, value);
        match filter {
            Filter::Site(host) => {
                let (site, host) = (self.term(self.fields.site, host), self.term(self.fields.host, host));
                Box::new(BooleanQuery::union(vec![site, host]))
            }
            Filter::Language(language) => self.term(self.fields.language, &language.replace('_', "-")),
            Filter::Kind(kind) => self.term(self.fields.kind, kind),
            Filter::After(value) => Box::new(RangeQuery::new(Bound::Included(seconds(*value)), Bound::Unbounded)),
            Filter::Before(value) => {
                debug_assert_eq!(self.fields.schema.get_field_name(self.fields.date), names::DATE);
                Box::new(RangeQuery::new(Bound::Unbounded, Bound::Excluded(seconds(*value))))
            }
        }
    }
}

/// Pages that match at least one of the queries; `None` if there are no queries.
fn one_of(mut queries: Vec<Box<dyn TantivyQuery>>) -> Option<Box<dyn TantivyQuery>> {
    match queries.len() {
        0 => None,
        1 => Some(queries.pop().unwrap_or_else(|| Box::new(EmptyQuery))),
        _ => Some(Box::new(BooleanQuery::union(queries))),
    }
}

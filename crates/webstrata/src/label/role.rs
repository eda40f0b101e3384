//! Roles of blocks and segments, derived from their markup and links.

use crate::block::{Context, Counts};
use std::fmt;
use std::str::FromStr;

/// The role of a block or segment.
///
/// ```
/// use webstrata::label::Role;
/// assert_eq!(Role::Navigation.to_string(), "navigation");
/// assert_eq!("navigation".parse(), Ok(Role::Navigation));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Role {
    /// The page's title in its text.
    Title,
    /// A heading.
    Heading,
    /// Running text.
    Body,
    /// A list.
    List,
    /// A table.
    Table,
    /// Code or preformatted text.
    Code,
    /// Caption of a picture, figure or table.
    Caption,
    /// Creator or owner of a picture.
    Credit,
    /// A reader's comment.
    Comment,
    /// Authors and date.
    Byline,
    /// Links to other parts of the site.
    Navigation,
    /// Links and teasers to similar pages.
    Related,
    /// Advertising.
    Advertisement,
    /// The footer of the page.
    Footer,
    /// Copyright, terms, notices.
    Legal,
    /// Form fields, buttons and their labels.
    Form,
    /// Other text that is not content.
    Boilerplate,
}

/// Link density above which text that is not content counts as navigation: the first threshold of the trees (thesis, Algorithm 4.2).
const NAVIGATION_LINKS: f64 = 1.0 / 3.0;

impl Role {
    /// All roles.
    pub const ALL: [Role; 17] = [
        Role::Title,
        Role::Heading,
        Role::Body,
        Role::List,
        Role::Table,
        Role::Code,
        Role::Caption,
        Role::Credit,
        Role::Comment,
        Role::Byline,
        Role::Navigation,
        Role::Related,
        Role::Advertisement,
        Role::Footer,
        Role::Legal,
        Role::Form,
        Role::Boilerplate,
    ];

    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::Title => "title",
            Role::Heading => "heading",
            Role::Body => "body",
            Role::List => "list",
            Role::Table => "table",
            Role::Code => "code",
            Role::Caption => "caption",
            Role::Credit => "credit",
            Role::Comment => "comment",
            Role::Byline => "byline",
            Role::Navigation => "navigation",
            Role::Related => "related",
            Role::Advertisement => "advertisement",
            Role::Footer => "footer",
            Role::Legal => "legal",
            Role::Form => "form",
            Role::Boilerplate => "boilerplate",
        }
    }

    pub(crate) fn from_facts(context: Context, counts: Counts, content: bool, title: bool) -> Role {
        let table = [
            (title, Role::Title),
            (context.intersects(Context::HEADING) && counts.link_density() <= NAVIGATION_LINKS, Role::Heading),
            (content && context.intersects(Context::HEADING), Role::Heading),
            (content && context.intersects(Context::PRE), Role::Code),
            (content && context.intersects(Context::CAPTION), Role::Caption),
            (content && context.intersects(Context::LIST), Role::List),
            (content && context.intersects(Context::CELL) && !context.intersects(Context::P), Role::Table),
            (content, Role::Body),
            (context.intersects(Context::FOOTER), Role::Footer),
            (context.intersects(Context::NAV) || counts.link_density() > NAVIGATION_LINKS, Role::Navigation),
            (context.intersects(Context::FORM) || context.intersects(Context::CONTROL), Role::Form),
        ];
        table.into_iter().find(|(holds, _)| *holds).map_or(Role::Boilerplate, |(_, role)| role)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown role name.
///
/// ```
/// use webstrata::label::Role;
/// assert!("x".parse::<Role>().unwrap_err().to_string().contains("navigation"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown role '{0}'; choose one of: title heading body list table code caption credit comment byline navigation related \
     advertisement footer legal form boilerplate"
)]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Role::ALL.into_iter().find(|role| role.name() == text).ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

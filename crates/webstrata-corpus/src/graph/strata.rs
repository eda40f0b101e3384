//! The stratum of a link: in which part of its page it stands.

use crate::store::LinkRow;
use std::fmt;
use std::str::FromStr;

/// In which part of its page a link stands. Links that stand in several parts count as standing in the first of them in this list.
///
/// ```
/// use webstrata_corpus::graph::Stratum;
/// assert_eq!("navigation".parse(), Ok(Stratum::Navigation));
/// assert_eq!(Stratum::from_role("body", None), Stratum::Content);
/// assert_eq!(Stratum::from_role("", Some(true)), Stratum::Content);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Stratum {
    /// In content: prose, lists, tables.
    Content = 0,
    /// In comments of readers.
    Comments = 1,
    /// In teasers for other pages.
    Related = 2,
    /// In menus.
    Navigation = 3,
    /// At the end of each page, in what it says of its rights.
    Footer = 4,
    /// In what somebody paid for.
    Advertisement = 5,
    /// In other boilerplate.
    Boilerplate = 6,
    /// It is not known.
    #[default]
    Unknown = 7,
}

impl Stratum {
    /// All strata.
    pub const ALL: [Stratum; 8] = [
        Stratum::Content,
        Stratum::Comments,
        Stratum::Related,
        Stratum::Navigation,
        Stratum::Footer,
        Stratum::Advertisement,
        Stratum::Boilerplate,
        Stratum::Unknown,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Stratum::Content => "content",
            Stratum::Comments => "comments",
            Stratum::Related => "related",
            Stratum::Navigation => "navigation",
            Stratum::Footer => "footer",
            Stratum::Advertisement => "advertisement",
            Stratum::Boilerplate => "boilerplate",
            Stratum::Unknown => "unknown",
        }
    }

    /// The stratum with a number, as graphs keep it; what is no stratum is [`Stratum::Unknown`].
    #[must_use]
    pub fn from_number(number: u8) -> Stratum {
        Self::ALL.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// The stratum of a segment with this role, and with the verdict whether it is content.
    #[must_use]
    pub fn from_role(role: &str, content: Option<bool>) -> Stratum {
        match role {
            "title" | "heading" | "body" | "list" | "table" | "code" | "caption" | "byline" => match content {
                Some(false) => Stratum::Boilerplate,
                _ => Stratum::Content,
            },
            "comment" => Stratum::Comments,
            "related" => Stratum::Related,
            "navigation" => Stratum::Navigation,
            "footer" | "legal" => Stratum::Footer,
            "advertisement" => Stratum::Advertisement,
            "form" | "boilerplate" => Stratum::Boilerplate,
            _ => match content {
                Some(true) => Stratum::Content,
                Some(false) => Stratum::Boilerplate,
                None => Stratum::Unknown,
            },
        }
    }

    /// The stratum of a link of a run.
    #[must_use]
    pub fn from_link(link: &LinkRow) -> Stratum {
        Stratum::from_role(link.role.as_deref().unwrap_or_default(), link.content)
    }
}

impl fmt::Display for Stratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stratum {
    type Err = String;

    fn from_str(name: &str) -> Result<Stratum, String> {
        let found = Stratum::ALL.into_iter().find(|stratum| stratum.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Stratum::ALL.iter().map(|stratum| stratum.name()).collect();
            format!("no stratum {name:?}; there are: {}", names.join(", "))
        })
    }
}

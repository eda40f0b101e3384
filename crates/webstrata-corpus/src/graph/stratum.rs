//! The stratum of a link: the part of its page that contains it.

use crate::store::LinkRow;
use std::fmt;
use std::str::FromStr;
use webstrata::label::Role;

/// The part of its page that contains a link. A link that occurs in several parts counts for the first of them in this list.
///
/// ```
/// use webstrata::label::Role;
/// use webstrata_corpus::graph::Stratum;
/// assert_eq!("navigation".parse(), Ok(Stratum::Navigation));
/// assert_eq!(Stratum::from_role(Some(Role::Body), None), Stratum::Content);
/// assert_eq!(Stratum::from_role(None, Some(true)), Stratum::Content);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Stratum {
    /// Content: prose, lists, tables.
    Content = 0,
    /// Comments by readers.
    Comments = 1,
    /// Teasers for other pages.
    Related = 2,
    /// Menus.
    Navigation = 3,
    /// Footer and legal notices.
    Footer = 4,
    /// Advertisements.
    Advertisement = 5,
    /// Other boilerplate.
    Boilerplate = 6,
    /// Not known.
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

    /// The name in lower case.
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

    /// The stratum with a number, as graphs store it; [`Stratum::Unknown`] for any other number.
    #[must_use]
    pub fn from_number(number: u8) -> Stratum {
        Self::ALL.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// The stratum of a segment, by its role and by whether it is content.
    #[must_use]
    pub fn from_role(role: Option<Role>, content: Option<bool>) -> Stratum {
        let by_content = |otherwise: Stratum| match content {
            Some(true) => Stratum::Content,
            Some(false) => Stratum::Boilerplate,
            None => otherwise,
        };
        match role {
            Some(
                Role::Title
                | Role::Heading
                | Role::Body
                | Role::List
                | Role::Table
                | Role::Code
                | Role::Caption
                | Role::Credit
                | Role::Byline,
            ) => by_content(Stratum::Content),
            Some(Role::Comment) => Stratum::Comments,
            Some(Role::Related) => Stratum::Related,
            Some(Role::Navigation) => Stratum::Navigation,
            Some(Role::Footer | Role::Legal) => Stratum::Footer,
            Some(Role::Advertisement) => Stratum::Advertisement,
            Some(Role::Form | Role::Boilerplate) => Stratum::Boilerplate,
            _ => by_content(Stratum::Unknown),
        }
    }

    /// The stratum of a link of a run.
    #[must_use]
    pub fn from_link(link: &LinkRow) -> Stratum {
        Stratum::from_role(link.role, link.content)
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
            format!("unknown stratum '{name}'; choose one of: {}", names.join(", "))
        })
    }
}

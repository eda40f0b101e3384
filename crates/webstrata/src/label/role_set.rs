//! A set of roles, for options.

use super::role::{Role, UnknownRole};
use std::fmt;
use std::str::FromStr;

/// A set of roles.
///
/// ```
/// use webstrata::label::{Role, RoleSet};
/// let set: RoleSet = "caption, byline".parse()?;
/// assert_eq!(set, [Role::Byline, Role::Caption].into());
/// assert!(set.contains(Role::Caption) && !set.contains(Role::Body));
/// assert_eq!(set.to_string(), "caption,byline");
/// assert!("caption,x".parse::<RoleSet>().unwrap_err().to_string().starts_with("unknown role 'x'; choose one of: title heading"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RoleSet(u32);

impl RoleSet {
    /// The empty set.
    pub const EMPTY: RoleSet = RoleSet(0);

    /// Whether the set has this role.
    #[must_use]
    pub const fn contains(self, role: Role) -> bool {
        self.0 & (1 << role as u32) != 0
    }

    /// Whether the set has no role.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with one more role.
    #[must_use]
    pub const fn with(self, role: Role) -> RoleSet {
        RoleSet(self.0 | 1 << role as u32)
    }

    /// The roles in the set, in the order of [`Role::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.contains(*role))
    }
}

impl FromIterator<Role> for RoleSet {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        roles.into_iter().fold(RoleSet::EMPTY, RoleSet::with)
    }
}

impl<const N: usize> From<[Role; N]> for RoleSet {
    fn from(roles: [Role; N]) -> Self {
        roles.into_iter().collect()
    }
}

impl fmt::Display for RoleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, role) in self.iter().enumerate() {
            write!(f, "{}{role}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for RoleSet {
    type Err = UnknownRole;

    /// Reads names separated by commas.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::parse).collect()
    }
}

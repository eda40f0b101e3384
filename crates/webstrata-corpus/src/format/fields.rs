//! Which metadata fields are written.

use std::str::FromStr;

/// The metadata fields that are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MetadataFields {
    /// All of them.
    All,
    /// These, in this order.
    Fields(Vec<&'static str>),
}

impl MetadataFields {
    /// Names that can be selected. `author` and `date` are named as in other tools: all authors, and the date of publication or,
    /// failing that, of the last change.
    pub const NAMES: [&'static str; 17] = [
        "title", "authors", "author", "date", "published", "modified", "language", "direction", "site_name", "description",
        "canonical", "image", "tags", "license", "feeds", "amp", "types",
    ];
}

impl FromStr for MetadataFields {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "metadata" {
            return Ok(MetadataFields::All);
        }
        let known = |part: &str| {
            let name = part.trim().replace('-', "_");
            let found = Self::NAMES.into_iter().find(|known| *known == name);
            found.ok_or_else(|| {
                format!("unknown field '{}'; choose from: metadata (all of them), {}", part.trim(), Self::NAMES.join(", "))
            })
        };
        text.split(',').map(known).collect::<Result<_, _>>().map(MetadataFields::Fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_named() {
        assert_eq!("metadata".parse(), Ok(MetadataFields::All));
        assert_eq!("title, date,site-name".parse(), Ok(MetadataFields::Fields(vec!["title", "date", "site_name"])));
        assert!("titel".parse::<MetadataFields>().unwrap_err().contains("authors"));
    }
}

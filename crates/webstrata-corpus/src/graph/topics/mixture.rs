//! Mixtures of topics: `Sports=0.7,Science/Biology=0.3`.

use super::super::GraphError;

/// Topics with weights (ω of equation 3.6).
///
/// ```
/// use webstrata_corpus::graph::topics::Mixture;
/// let mixture: Mixture = "mine: Sports=3, Science/Biology=1".parse()?;
/// assert_eq!((mixture.name.as_str(), mixture.parts.len()), ("mine", 2));
/// assert_eq!(mixture.parts[0], ("Sports".to_owned(), 0.75));
/// # Ok::<(), webstrata_corpus::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// The name of the mixture: the text before a colon and a space, or else the whole text.
    pub name: String,
    /// Topics and their weights, which sum to 1.
    pub parts: Vec<(String, f64)>,
}

impl std::str::FromStr for Mixture {
    type Err = GraphError;

    fn from_str(text: &str) -> Result<Mixture, GraphError> {
        let invalid = |reason: &str| GraphError::Option(format!("{text:?} is not a mixture of topics: {reason}"));
        let (name, list) = text.split_once(": ").unwrap_or((text, text));
        let mut parts = Vec::new();
        for part in list.split(',') {
            let (topic, weight) = part.rsplit_once('=').ok_or_else(|| invalid("write TOPIC=WEIGHT, separated by commas"))?;
            let weight = weight.trim().parse::<f64>().ok().filter(|weight| *weight >= 0.0 && weight.is_finite());
            parts.push((topic.trim().to_owned(), weight.ok_or_else(|| invalid("a weight is a number of 0 or more"))?));
        }
        let sum: f64 = parts.iter().map(|part| part.1).sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return Err(invalid("give one of them a weight above 0"));
        }
        if name.trim().is_empty() || name.chars().any(char::is_control) {
            return Err(invalid("give it a name without control characters before the colon, or none"));
        }
        parts.iter_mut().for_each(|part| part.1 /= sum);
        Ok(Mixture { name: name.trim().to_owned(), parts })
    }
}

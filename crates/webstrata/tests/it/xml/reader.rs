//! A strict reader for the XML that the library writes: elements, attributes, text and the five predefined entities, nothing else.

/// An element with its name, attributes and children.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Child>,
}

#[derive(Debug)]
pub(super) enum Child {
    Element(Element),
    Text(String),
}

impl Element {
    pub(super) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| if let Child::Element(element) = child { Some(element) } else { None })
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.elements().map(|element| element.name.as_str()).collect()
    }

    /// Whether it has text of its own besides white space.
    pub(super) fn has_text(&self) -> bool {
        self.children.iter().any(|child| matches!(child, Child::Text(text) if !text.trim().is_empty()))
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All its text, with a space between elements.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        let mut stack: Vec<std::slice::Iter<'_, Child>> = vec![self.children.iter()];
        while let Some(last) = stack.last_mut() {
            match last.next() {
                Some(Child::Text(text)) => out.push_str(text),
                Some(Child::Element(element)) => stack.push(element.children.iter()),
                None => drop(stack.pop()),
            }
        }
        out
    }
}

/// The root element of a document, or what is wrong with it.
pub(super) fn read(xml: &str) -> Result<Element, String> {
    let mut open = vec![Element::default()];
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        push_text(&mut open, &rest[..at])?;
        let end = rest[at..].find('>').ok_or("a tag does not end")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let element = open.pop().ok_or("an end tag too many")?;
            if element.name != name {
                return Err(format!("</{name}> ends <{}>", element.name));
            }
            open.last_mut().ok_or("the root has ended")?.children.push(Child::Element(element));
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let element = start_tag(tag)?;
        if empty {
            open.last_mut().ok_or("the root has ended")?.children.push(Child::Element(element));
        } else {
            open.push(element);
        }
    }
    push_text(&mut open, rest)?;
    let [document] = open.as_slice() else { return Err(format!("<{}> does not end", open.last().map_or("", |e| &e.name))) };
    if document.has_text() || document.elements().count() != 1 {
        return Err("not one root".to_owned());
    }
    let root = open.pop().and_then(|document| {
        document.children.into_iter().find_map(|child| if let Child::Element(root) = child { Some(root) } else { None })
    });
    root.ok_or_else(|| "no root".to_owned())
}

fn push_text(open: &mut [Element], text: &str) -> Result<(), String> {
    if !text.is_empty() {
        open.last_mut().ok_or("text after the root")?.children.push(Child::Text(unescaped(text)?));
    }
    Ok(())
}

fn start_tag(tag: &str) -> Result<Element, String> {
    let name_end = tag.find(' ').unwrap_or(tag.len());
    let (name, mut rest) = tag.split_at(name_end);
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == ':' || c == '-')
    };
    if !is_name(name) {
        return Err(format!("no element: <{tag}>"));
    }
    let mut attributes: Vec<(String, String)> = Vec::new();
    while let Some(attribute) = rest.strip_prefix(' ') {
        let (name, value) = attribute.split_once("=\"").ok_or_else(|| format!("no attribute: <{tag}>"))?;
        let (value, after) = value.split_once('"').ok_or_else(|| format!("no end of the value: <{tag}>"))?;
        if !is_name(name) || attributes.iter().any(|(known, _)| known == name) {
            return Err(format!("the attribute {name} in <{tag}>"));
        }
        attributes.push((name.to_owned(), unescaped(value)?));
        rest = after;
    }
    if rest.is_empty() { Ok(Element { name: name.to_owned(), attributes, children: Vec::new() }) } else { Err(format!("<{tag}>")) }
}

fn unescaped(text: &str) -> Result<String, String> {
    if let Some(c) = text.chars().find(|&c| {
        !matches!(c, '\t' | '\n' | '\u{20}'..='\u{7e}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}')
    }) {
        return Err(format!("the character U+{:04X}", u32::from(c)));
    }
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';').ok_or_else(|| format!("&{part}"))?;
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#10" => '\n',
            "#9" => '\t',
            "#13" => '\r',
            _ => return Err(format!("&{entity};")),
        });
        out.push_str(after);
    }
    Ok(out)
}

//! Subscripts, superscripts, accents, limits and other marks around a base.

use super::symbols::{accent, function, has_limits, is_large, labelled_arrow, under_accent};
use super::{Writer, children, core, is_named, is_token, is_true, name, single_char};
use crate::html::Node;

impl Writer {
    /// Appends a base with a subscript and a superscript, given as indexes into the arguments.
    pub(super) fn scripts(&mut self, arguments: &[Node<'_>], sub: Option<usize>, sup: Option<usize>) {
        match arguments.first() {
            Some(&base) => self.base(base),
            None => self.push("{}"),
        }
        self.attach(sub.and_then(|at| arguments.get(at)), sup.and_then(|at| arguments.get(at)));
    }

    fn attach(&mut self, sub: Option<&Node<'_>>, sup: Option<&Node<'_>>) {
        if let Some(&sub) = sub.filter(|node| !is_empty(**node)) {
            self.push("_");
            self.group(sub);
        }
        let Some(&sup) = sup.filter(|node| !is_empty(**node)) else { return };
        match primes(sup) {
            0 => {
                self.push("^");
                self.group(sup);
            }
            count => self.push(&"'".repeat(count)),
        }
    }

    /// Appends the base of scripts, in braces unless it is simple or empty.
    fn base(&mut self, node: Node<'_>) {
        if is_empty(node) {
            self.push("{}");
        } else if is_simple(node) {
            self.element(node);
        } else {
            self.group(node);
        }
    }

    pub(super) fn under_over(&mut self, arguments: &[Node<'_>], under: Option<usize>, over: Option<usize>) {
        let Some(&base) = arguments.first() else { return };
        let get = |at: Option<usize>| at.and_then(|at| arguments.get(at)).copied().filter(|node| !is_empty(*node));
        let (under, over) = (get(under), get(over));
        if let Some(name) = limit_function(base) {
            self.push(&name);
            self.attach(under.as_ref(), over.as_ref());
            return;
        }
        if takes_limits(base) {
            self.base(base);
            self.attach(under.as_ref(), over.as_ref());
            return;
        }
        if let Some(arrow) = single_char(base).and_then(labelled_arrow) {
            self.push("\\");
            self.out.push_str(arrow);
            if let Some(under) = under {
                self.push("[");
                self.group(under);
                self.push("]");
            }
            match over {
                Some(over) => self.group(over),
                None => self.push("{}"),
            }
            return;
        }
        // The mark above encloses the mark below.
        let above = over.map(|over| (over, single_char(over).and_then(accent)));
        match above {
            Some((_, Some((one, several)))) => {
                let command = if is_one_letter(base) && under.is_none() { one } else { several };
                self.push("\\");
                self.out.push_str(command);
                self.push("{");
            }
            Some((over, None)) => {
                self.command("overset", over);
                self.push("{");
            }
            None => {}
        }
        match under.map(|under| (under, single_char(under).and_then(under_accent))) {
            Some((_, Some(command))) => self.command(command, base),
            Some((under, None)) => {
                self.command("underset", under);
                self.group(base);
            }
            None => self.element(base),
        }
        if above.is_some() {
            self.push("}");
        }
    }

    /// Appends a base with pairs of subscripts and superscripts after it and, for those after `mprescripts`, before it.
    pub(super) fn multiscripts(&mut self, arguments: &[Node<'_>]) {
        let Some((&base, scripts)) = arguments.split_first() else { return };
        let mut parts = scripts.split(|node| is_named(*node, "mprescripts"));
        let after = parts.next().unwrap_or_default();
        for pair in parts.next().unwrap_or_default().chunks(2) {
            self.push("{}");
            self.attach(pair.first(), pair.get(1));
        }
        self.base(base);
        for (at, pair) in after.chunks(2).enumerate() {
            if at > 0 {
                self.push("{}");
            }
            self.attach(pair.first(), pair.get(1));
        }
    }
}

/// Whether an element produces no output.
fn is_empty(node: Node<'_>) -> bool {
    let node = core(node);
    match &*name(node) {
        "none" | "mprescripts" => true,
        "mrow" | "mstyle" | "mpadded" | "mtext" | "mi" | "mn" | "mo" => children(node).is_empty(),
        _ => false,
    }
}

/// The number of primes in a script that consists only of them, else 0.
fn primes(script: Node<'_>) -> usize {
    let node = core(script);
    if !is_token(node) {
        return 0;
    }
    let text = node.text();
    let count = |c: char| match c {
        '′' | '\'' | '’' => Some(1),
        '″' => Some(2),
        '‴' => Some(3),
        '⁗' => Some(4),
        _ => None,
    };
    text.chars().map(count).sum::<Option<usize>>().unwrap_or(0).min(8)
}

/// Whether scripts can be attached to an element without braces.
fn is_simple(node: Node<'_>) -> bool {
    let node = core(node);
    let text = || node.text();
    match &*name(node) {
        "mi" | "mo" => {
            let text = text();
            (text.chars().nth(1).is_none() || text.chars().all(|c| c.is_ascii_alphanumeric())) && !has_script(&text)
        }
        "mn" => !has_script(&text()),
        "mtext" | "msqrt" => true,
        // A row with its own fences.
        "mrow" => {
            let inner = children(node);
            let fence =
                |node: Option<&Node<'_>>, signs: &[char]| node.is_some_and(|&n| single_char(n).is_some_and(|c| signs.contains(&c)));
            inner.len() > 2 && fence(inner.first(), &['(', '[', '|']) && fence(inner.last(), &[')', ']', '|'])
        }
        "munder" | "mover" | "munderover" => children(node).first().is_some_and(|&base| takes_limits(base)),
        _ => false,
    }
}

/// Whether the TeX of a token contains a script.
fn has_script(text: &str) -> bool {
    text.contains(['²', '³', '¹', '°', '′', '″', '\''])
}

fn is_one_letter(node: Node<'_>) -> bool {
    single_char(node).is_some()
}

/// Whether the scripts below and above an element are its limits.
fn takes_limits(node: Node<'_>) -> bool {
    let node = core(node);
    match &*name(node) {
        "mo" | "mi" => {
            let text = node.text();
            text.chars().all(is_large) && !text.is_empty() || has_limits(&text) || is_true(node, "movablelimits")
        }
        // Labels of braces.
        "munder" => children(node).get(1).and_then(|&sign| single_char(sign)).and_then(under_accent) == Some("underbrace"),
        "mover" => {
            children(node).get(1).and_then(|&sign| single_char(sign)).and_then(accent).is_some_and(|(one, _)| one == "overbrace")
        }
        _ => false,
    }
}

/// The command for a function of several letters with its subscript below, whether or not TeX knows its name.
fn limit_function(node: Node<'_>) -> Option<String> {
    let node = core(node);
    let text = node.text();
    let is_name = matches!(&*name(node), "mi" | "mo") && text.chars().nth(1).is_some();
    let letters = text.chars().all(|c| c.is_ascii_alphabetic() || c == ' ' || c == '\u{2009}');
    if !is_name || !letters {
        return None;
    }
    Some(match function(&text) {
        Some(command) => command.to_owned(),
        None => format!("\\operatorname*{{{}}}", text.replace([' ', '\u{2009}'], "\\,")),
    })
}

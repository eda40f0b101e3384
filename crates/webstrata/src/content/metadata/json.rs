//! A lenient JSON reader that accepts what pages contain: trailing and missing commas, raw line breaks in strings, comments,
//! wrappers, several values in a row. It never fails; unreadable input is skipped.

use crate::span::{Span, offset};

/// Maximum nesting depth; deeper values are skipped.
const MAX_DEPTH: usize = 48;

/// A JSON value. Numbers are kept as text; `null`, `true` and `false` carry no metadata.
#[derive(Debug, PartialEq)]
pub(super) enum Json {
    Text(String, Span),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
    Nothing,
}

/// Reads all values of a script. `start` is the offset of `source` in the page; `budget` is the number of values that may
/// still be read in all scripts of the page.
pub(super) fn read(source: &str, start: u32, budget: &mut usize) -> Vec<Json> {
    let mut reader = Reader { source, bytes: source.as_bytes(), at: 0, start, budget };
    let mut values = Vec::new();
    while reader.at < reader.bytes.len() && *reader.budget > 0 {
        if reader.bytes[reader.at..].starts_with(b"<![CDATA[") {
            reader.at += 9;
        } else if matches!(reader.bytes[reader.at], b'{' | b'[') {
            values.push(reader.value(0));
        } else {
            // Other wrappers (`<!--`), commas between values, an assignment to a variable.
            reader.at += 1;
        }
    }
    values
}

struct Reader<'s, 'b> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    start: u32,
    budget: &'b mut usize,
}

impl Reader<'_, '_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips white space, comments and, with `commas`, separators.
    fn skip(&mut self, commas: bool) {
        while let Some(byte) = self.peek() {
            let rest = &self.bytes[self.at..];
            if byte <= b' ' || (commas && matches!(byte, b',' | b';')) {
                self.at += 1;
            } else if rest.starts_with(b"\xc2\xa0") || rest.starts_with(b"\xef\xbb\xbf") {
                self.at += if byte == 0xc2 { 2 } else { 3 };
            } else if rest.starts_with(b"/*") {
                self.at = memchr::memmem::find(rest, b"*/").map_or(self.bytes.len(), |end| self.at + end + 2);
            } else if rest.starts_with(b"//") {
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Json {
        self.skip(false);
        let Some(left) = self.budget.checked_sub(1) else {
            self.at = self.bytes.len();
            return Json::Nothing;
        };
        *self.budget = left;
        match self.peek() {
            Some(b'{' | b'[') if depth >= MAX_DEPTH => {
                self.skip_nested();
                Json::Nothing
            }
            Some(b'{') => {
                self.at += 1;
                self.object(depth)
            }
            Some(b'[') => {
                self.at += 1;
                self.list(depth)
            }
            Some(quote @ (b'"' | b'\'')) => {
                let (text, span) = self.string(quote);
                Json::Text(text, span)
            }
            Some(b'}' | b']') | None => Json::Nothing,
            Some(_) => self.bare(),
        }
    }

    fn list(&mut self, depth: usize) -> Json {
        let mut values = Vec::new();
        loop {
            self.skip(true);
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                // The bracket of the enclosing object: this list was not closed.
                Some(b'}') | None => break,
                Some(b':') => self.at += 1,
                Some(_) => values.push(self.value(depth + 1)),
            }
        }
        Json::List(values)
    }

    fn object(&mut self, depth: usize) -> Json {
        let mut members = Vec::new();
        loop {
            self.skip(true);
            let key = match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b']') | None => break,
                Some(quote @ (b'"' | b'\'')) => self.string(quote).0,
                Some(b':' | b'{' | b'[') => {
                    // A value without a name.
                    if self.peek() == Some(b':') {
                        self.at += 1;
                    }
                    self.value(depth + 1);
                    continue;
                }
                Some(_) => match self.bare() {
                    Json::Text(key, _) => key,
                    _ => continue,
                },
            };
            self.skip(false);
            if self.peek() == Some(b':') {
                self.at += 1;
                let value = self.value(depth + 1);
                members.push((key, value));
            }
        }
        Json::Object(members)
    }

    /// A number, a word, or a name without quotes.
    fn bare(&mut self) -> Json {
        let from = self.at;
        let end = |b: u8| b <= b' ' || matches!(b, b',' | b':' | b'}' | b']' | b'{' | b'[' | b'"');
        while self.peek().is_some_and(|b| !end(b)) {
            self.at += 1;
        }
        let text = self.source.get(from..self.at).unwrap_or("");
        match text {
            "" => {
                self.at += 1;
                Json::Nothing
            }
            "null" | "true" | "false" => Json::Nothing,
            _ => Json::Text(text.to_owned(), self.span(from, self.at)),
        }
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.start.saturating_add(offset(from)), self.start.saturating_add(offset(to)))
    }

    /// A string, starting at its quote. Single quotes occur where authors wrote JavaScript instead of JSON.
    fn string(&mut self, quote: u8) -> (String, Span) {
        self.at += 1;
        let from = self.at;
        let mut text = String::new();
        let mut copied = from;
        loop {
            let Some(skip) = memchr::memchr2(quote, b'\\', &self.bytes[self.at..]) else {
                self.at = self.bytes.len();
                break;
            };
            self.at += skip;
            if self.bytes[self.at] == quote {
                if self.ends_string(quote) {
                    break;
                }
                self.at += 1;
                continue;
            }
            text.push_str(self.source.get(copied..self.at).unwrap_or(""));
            self.at += 1;
            self.escape(&mut text);
            copied = self.at;
        }
        text.push_str(self.source.get(copied..self.at).unwrap_or(""));
        let span = self.span(from, self.at);
        self.at = (self.at + 1).min(self.bytes.len());
        (text, span)
    }

    /// Whether the quote at the cursor ends the string. Pages forget to escape quotes; one that ends a string is followed by
    /// JSON punctuation, or by a line that starts with a quote.
    fn ends_string(&self, quote: u8) -> bool {
        let rest = &self.bytes[self.at + 1..];
        // The lookahead is limited; otherwise runs of quotes and spaces would be rescanned. More white space counts as the end.
        let white = rest.iter().take(64).take_while(|b| **b <= b' ').count();
        match rest.get(white) {
            Some(b',' | b'}' | b']' | b':') | None => true,
            Some(next) if *next == quote => rest[..white].contains(&b'\n'),
            Some(_) => white == 64,
        }
    }

    /// Reads the character after a backslash.
    fn escape(&mut self, text: &mut String) {
        let Some(c) = self.source.get(self.at..).and_then(|rest| rest.chars().next()) else { return };
        self.at += c.len_utf8();
        match c {
            'n' | 'r' | 't' => text.push(' '),
            'b' | 'f' => {}
            'u' => {
                let Some(high) = self.hex() else { return };
                let low = if (0xd800..0xdc00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u") {
                    self.at += 2;
                    self.hex()
                } else {
                    None
                };
                let code = match low {
                    Some(low) if (0xdc00..0xe000).contains(&low) => 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00),
                    _ => high,
                };
                text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            _ => text.push(c),
        }
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.source.get(self.at..self.at + 4)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(value)
    }

    /// Skips brackets that are nested too deep, without recursion.
    fn skip_nested(&mut self) {
        let mut open = 0usize;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'{' | b'[' => open += 1,
                b'}' | b']' => {
                    open -= 1;
                    if open == 0 {
                        return;
                    }
                }
                b'"' => {
                    self.at -= 1;
                    self.string(b'"');
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(values: &[Json]) -> String {
        values.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    fn one(value: &Json) -> String {
        match value {
            Json::Text(text, _) => format!("{text:?}"),
            Json::List(values) => format!("[{}]", values.iter().map(one).collect::<Vec<_>>().join(",")),
            Json::Object(members) => {
                format!("{{{}}}", members.iter().map(|(k, v)| format!("{k}:{}", one(v))).collect::<Vec<_>>().join(","))
            }
            Json::Nothing => "-".to_owned(),
        }
    }

    #[test]
    fn reads_good_and_broken_json() {
        let table = [
            (r#"{"a":"b","c":[1,2.5,null,true],"d":{"e":"f"}}"#, r#"{a:"b",c:["1","2.5",-,-],d:{e:"f"}}"#),
            (r#"{"a":"b",}"#, r#"{a:"b"}"#),
            (r#"["a","b",,]"#, r#"["a","b"]"#),
            ("{\"a\":\"one\ntwo\"}", "{a:\"one\\ntwo\"}"),
            ("{\"a\":\"one\u{1}two\"}", "{a:\"one\\u{1}two\"}"),
            ("<!--\n{\"a\":\"b\"}\n-->", r#"{a:"b"}"#),
            ("//<![CDATA[\n{\"a\":\"b\"}\n//]]>", r#"{a:"b"}"#),
            ("/*<![CDATA[*/{\"a\":\"b\"}/*]]>*/", r#"{a:"b"}"#),
            (r#"{"a":"b"}{"c":"d"};[{"e":"f"}]"#, r#"{a:"b"} {c:"d"} [{e:"f"}]"#),
            (r#"{"a":"say "yes" now","b":"c"}"#, r#"{a:"say \"yes\" now",b:"c"}"#),
            ("{\"a\":\"b\"\n\"c\":\"d\"}", r#"{a:"b",c:"d"}"#),
            (r#"{a:"b", c : 7}"#, r#"{a:"b",c:"7"}"#),
            (r#"{'a':'it's "b"', 'c':['d']}"#, r#"{a:"it's \"b\"",c:["d"]}"#),
            (r#"{"a":["b","c"}"#, r#"{a:["b","c"]}"#),
            (r#"{"a":{"b":"c"#, r#"{a:{b:"c"}}"#),
            (r#"{"a":"\u00e9\ud83d\ude00\ud83d\/\"\x"}"#, "{a:\"é😀\u{fffd}/\\\"x\"}"),
            (r#"{"a" "b", : "c", {"x":1}, "d":"e"}"#, r#"{d:"e"}"#),
            (
                r#"{"a": // no
                "b"}"#,
                r#"{a:"b"}"#,
            ),
            ("", ""),
            ("not json", ""),
            ("{\"a\":\"b\\", r#"{a:"b"}"#),
        ];
        for (source, expected) in table {
            assert_eq!(show(&read(source, 0, &mut 1000)), expected, "{source}");
        }
    }

    #[test]
    fn strings_have_spans() {
        let source = r#"  {"a":"bcd"}"#;
        let Some(Json::Object(members)) = read(source, 100, &mut 9).pop() else { unreachable!("an object") };
        assert_eq!(members[0].1, Json::Text("bcd".to_owned(), Span::new(108, 111)));
    }

    #[test]
    fn hostile_json_takes_linear_time() {
        for piece in
            ["[", "{", "{\"a\":", "[{", "\"", "\\", "[\"", "{\"a\" ", ":", "[}", "{]", "\" ", "[/*", "//", "\u{e9}", "[\u{e9}"]
        {
            read(&piece.repeat(100_000), 0, &mut 1_000_000);
            read(&format!("[{}", piece.repeat(100_000)), 0, &mut 50_000);
        }
    }
}

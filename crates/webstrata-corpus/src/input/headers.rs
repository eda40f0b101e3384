//! Headers of WARC records and HTTP messages: a first line, then named fields, then an empty line.

/// Headers whose fields can be looked up by name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Headers<'a> {
    pub(super) first_line: &'a [u8],
    lines: &'a [u8],
}

impl<'a> Headers<'a> {
    /// Reads the headers at the start of `bytes`. Returns them and what follows; `None` if they do not end within `max` bytes.
    pub(super) fn read(bytes: &'a [u8], max: usize) -> Option<(Headers<'a>, &'a [u8])> {
        let end = end(&bytes[..bytes.len().min(max)])?;
        let first = bytes.iter().position(|&byte| byte == b'\n')? + 1;
        let first_line = bytes[..first].trim_ascii_end();
        Some((Headers { first_line, lines: &bytes[first.min(end)..end] }, &bytes[end..]))
    }

    /// The value of the first field with this lowercase name. Invalid UTF-8 is replaced.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.all(name).next()
    }

    /// The values of all fields with this lowercase name, split at commas, in lower case.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let split = |value: String| value.split(',').map(|part| part.trim().to_ascii_lowercase()).collect::<Vec<_>>();
        self.all(name).flat_map(split).filter(|part| !part.is_empty()).collect()
    }

    fn all(&self, name: &str) -> impl Iterator<Item = String> + use<'a, '_> {
        let name = name.to_owned();
        let mut lines = self.lines.split(|&byte| byte == b'\n').peekable();
        std::iter::from_fn(move || {
            loop {
                let line = lines.next()?;
                let Some(colon) = line.iter().position(|&byte| byte == b':') else { continue };
                if !line[..colon].trim_ascii().eq_ignore_ascii_case(name.as_bytes()) {
                    continue;
                }
                let mut value = line[colon + 1..].trim_ascii().to_vec();
                // A line that begins with white space continues the previous one.
                while let Some(more) =
                    lines.next_if(|line| matches!(line.first(), Some(b' ' | b'\t')) && !line.trim_ascii().is_empty())
                {
                    value.push(b' ');
                    value.extend_from_slice(more.trim_ascii());
                }
                return Some(String::from_utf8_lossy(&value).into_owned());
            }
        })
    }
}

/// Where the headers at the start of `bytes` end: after their empty line.
pub(super) fn end(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let line = from + bytes[from..].iter().position(|&byte| byte == b'\n')?;
        match bytes[line + 1..] {
            [b'\n', ..] => return Some(line + 2),
            [b'\r', b'\n', ..] => return Some(line + 3),
            _ => from = line + 1,
        }
    }
}

/// The media type without its parameters, in lower case.
pub(super) fn media_type(value: &str) -> String {
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The charset among the parameters of a type.
pub(super) fn charset(value: &str) -> Option<String> {
    let parameter = value.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).trim().to_owned())
    })?;
    (!parameter.is_empty()).then_some(parameter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_in_any_case_and_with_any_line_ends() {
        let head = b"HTTP/1.1 200 OK\r\nContent-TYPE: text/html;\r\n charset=utf-8\r\nX: a, b\nx : c\r\n\r\nbody";
        let (headers, rest) = Headers::read(head, 1000).unwrap();
        assert_eq!(headers.first_line, b"HTTP/1.1 200 OK");
        assert_eq!(headers.get("content-type").as_deref(), Some("text/html; charset=utf-8"));
        assert_eq!(headers.list("x"), ["a", "b", "c"]);
        assert_eq!(headers.get("y"), None);
        assert_eq!(rest, b"body");
    }

    #[test]
    fn headers_end_with_an_empty_line() {
        assert_eq!(end(b"a\n\nb"), Some(3));
        assert_eq!(end(b"a\r\n\r\nb"), Some(5));
        assert_eq!(end(b"a\r\nb\r\n"), None);
        assert_eq!(end(b""), None);
        assert!(Headers::read(b"a: b\r\n\r\n", 6).is_none());
    }

    #[test]
    fn media_types_have_charsets() {
        assert_eq!(media_type(" Text/HTML ; x"), "text/html");
        assert_eq!(charset("text/html; Charset=\"ISO-8859-1\"").as_deref(), Some("ISO-8859-1"));
        assert_eq!(charset("text/html; charset="), None);
        assert_eq!(charset("text/html"), None);
    }
}

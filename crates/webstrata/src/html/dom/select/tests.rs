//! Selector tests: matching, rejected selectors, and running time.

use super::*;

/// Texts of the matching elements, or the name of an element without text.
fn found(html: &str, css: &str) -> Vec<String> {
    let dom = Dom::parse(html);
    let selector = Selector::parse(css).unwrap();
    let all = dom.select(&selector);
    // All three ways to match agree.
    let one_by_one: Vec<Node<'_>> = dom.nodes().filter(|n| selector.matches(*n)).collect();
    assert_eq!(all, one_by_one, "{css} on {html}");
    if !css.contains(":scope") {
        for top in dom.nodes() {
            let below: Vec<Node<'_>> = all.iter().copied().filter(|n| n.ancestors().any(|a| a == top)).collect();
            assert_eq!(top.select(&selector), below, "{css} below {} on {html}", top.path());
        }
    }
    all.into_iter().map(|n| if n.text().is_empty() { n.name().to_owned() } else { n.text() }).collect()
}

const LIST: &str = "<ul><li>1<li class=a>2<li>3<li class='a b'>4<li>5</ul>";
const DEEP: &str = "<div id=x><p>1<span>2</span></p><div><p>3</p></div></div><p>4</p><h2>5</h2><p>6</p>";
const LINKS: &str =
    "<a href='https://x.org/a.PDF' hreflang=en-GB rel='nofollow Next'>1</a><a HREF='/b.pdf?q=&quot;&amp;'>2</a><a name=c>3</a>";

#[test]
fn selectors_match_as_css_specifies() {
    let rows: &[(&str, &str, &str)] = &[
        // Types, universal, lists.
        (DEEP, "h2", "5"),
        (DEEP, "H2, #x span", "2 5"),
        (DEEP, "span, p, p", "12 2 3 4 6"),
        ("<p>1", "*", "1 1 1"),
        ("<p>1", "*|p", "1"),
        // Combinators.
        (DEEP, "div p", "12 3"),
        (DEEP, "div div p", "3"),
        (DEEP, "div>p", "12 3"),
        (DEEP, "body > p", "4 6"),
        (DEEP, "h2 + p", "6"),
        (DEEP, "p + p", ""),
        (DEEP, "div ~ p", "4 6"),
        (DEEP, "p ~ div > p", "3"),
        (DEEP, "#x ~ h2 ~ p", "6"),
        (DEEP, "body #x > p + div p", "3"),
        // Classes and ids: exact case, even without a doctype.
        (LIST, ".a", "2 4"),
        (LIST, "li.b.a", "4"),
        (LIST, ".A, #X", ""),
        ("<p class='x\t\ny'>1<p class=xy>2", ".y", "1"),
        ("<p id='&lt;i&gt;'>1<p id=a id=b>2", "#\\<i\\>, #a, #b", "1 2"),
        ("<p class='1st'>1<p class='a:b/2'>2<p class=é>3", ".\\31 st, .a\\:b\\/2, .é", "1 2 3"),
        // Attributes.
        (LINKS, "[href]", "1 2"),
        (LINKS, "a:not([HREF])", "3"),
        (LINKS, "[name=c]", "3"),
        (LINKS, "[name=C]", ""),
        (LINKS, "[name='C' i]", "3"),
        (LINKS, "[hreflang|=en]", "1"),
        (LINKS, "[rel~=nofollow]", "1"),
        (LINKS, "[rel~=next], [rel~='nofollow next']", "1"),
        (LINKS, "[rel~=next s]", ""),
        (LINKS, "[href^='https:']", "1"),
        (LINKS, "[href$='.pdf']", ""),
        (LINKS, "[href$='.pdf' i]", "1"),
        (LINKS, "[HREF*='.pdf' i]", "1 2"),
        (LINKS, "[href$='\\\"&']", "2"),
        (LINKS, "[href*=''], [href^=''], [href$='']", ""),
        ("<p x=1 X=2>1", "[x='2']", ""),
        ("<input type=TEXT><input type=radio>", "[type=text]", "input"),
        ("<p data-x=\"a'b\">1", "[data-x=\"a'b\"]", "1"),
        // Positions.
        (LIST, "li:first-child, li:last-child", "1 5"),
        (LIST, "li:nth-child(2n)", "2 4"),
        (LIST, "li:nth-child(odd):not(:first-child)", "3 5"),
        (LIST, "li:nth-last-child(-n+2)", "4 5"),
        (LIST, "li:nth-child(2 of .a)", "4"),
        (LIST, "li:nth-last-child(2 of .a)", "2"),
        (DEEP, "body > p:nth-of-type(2), body > :last-of-type", "12 3 5 6"),
        (DEEP, "p:only-of-type, span:only-child", "12 2 3"),
        ("<p>1</p>x<p> </p><p><!-- c --></p><p>&nbsp;", "p:empty", "p p"),
        ("<p>1", ":root > body, :scope > p, p:root", "1"),
        // Functions.
        (DEEP, ":is(h2, div) > p, :where(h2 + p)", "12 3 6"),
        (DEEP, "p:not(div p, :last-child)", "4"),
        (DEEP, "body > :has(> p)", "12 3"),
        (DEEP, "body *:has(span)", "12 3 12"),
        (DEEP, "p:has(+ h2), h2:has(~ p)", "4 5"),
        (DEEP, "body:has(div > p + div) h2", "5"),
        (DEEP, "p:not(:has(*)):has(~ p)", "4"),
        (DEEP, ":has(:is(body > div) span) > div", "12 3"),
        // Custom names, foreign elements, implied elements.
        ("<X-Card>1</X-Card><fb:like>2</fb:like>", "x-card, FB\\:like", "1 2"),
        (
            "<svg viewBox=1><foreignObject>1</foreignObject><a>2</a></svg><a>3</a>",
            "svg[viewbox] foreignObject, svg a:only-of-type",
            "1 2",
        ),
        ("<svg><a>1</a></svg><svg><script type=a>x</script></svg>", "svg > a, script[type=A]", "1"),
        ("<title>0</title>1", ":root > head + body", "1"),
        ("<p><b>1<p>2", "p + p > b:only-child", "2"),
        // Table parts are implied as the standard requires.
        ("<table><tr><td>1<td>2</table><table><tbody><tr><td>3</table>", "table > tr > td, table > tbody > tr > td", "1 2 3"),
    ];
    assert!(rows.len() >= 30);
    for (html, css, texts) in rows {
        assert_eq!(found(html, css).join(" "), *texts, "{css} on {html}");
    }
}

#[test]
fn scope_is_the_queried_node() {
    let dom = Dom::parse(DEEP);
    let texts =
        |top: Node<'_>, css: &str| -> Vec<String> { top.select(&Selector::parse(css).unwrap()).iter().map(|n| n.text()).collect() };
    let div = dom.find(Tag::DIV).unwrap();
    assert_eq!(texts(div, ":scope > p"), ["12"]);
    assert_eq!(texts(div, "body p"), ["12", "3"]);
    assert_eq!(texts(div, "#x:nth-child(1) p, #x:has(+ p) span"), ["12", "2", "3"]);
    assert!(texts(div, ":scope").is_empty());
    assert!(Selector::parse(":scope").unwrap().matches(div));
    let text = dom.nodes().find(|n| !n.is_element()).unwrap();
    assert!(text.select(&Selector::parse("*").unwrap()).is_empty());
    assert!(!Selector::parse("*").unwrap().matches(text));
}

#[test]
fn errors_give_column_and_remedy() {
    let rows = [
        ("", "column 1: a selector is missing; write one"),
        ("a,", "column 3: a selector is missing"),
        ("a, , b", "column 4: a selector is missing"),
        ("a >", "column 4: nothing follows the combinator; name the element"),
        ("a > > b", "column 5: nothing follows the combinator"),
        ("é . a", "column 4: no class name follows the dot; write `.name`"),
        ("é .1a", "column 3: this is not allowed here"),
        ("#1a", "column 1: this is not allowed here; quote a value; in a name, escape the character with `\\`"),
        ("a[href=/x]", "column 8: this is not an attribute selector; write `[name]`"),
        ("a[=x]", "column 3: this is not an attribute selector"),
        ("a[b=c d]", "column 7: this is not allowed here"),
        ("a:", "column 3: something is missing here"),
        ("a: b", "column 3: no name follows the colon"),
        (":not()", "column 6: a selector is missing"),
        (":nth-child(x)", "column 12: this is not allowed here"),
        ("p:nth-child()", "column 13: something is missing here"),
        ("a)", "column 2: this is not allowed here"),
        ("svg|a", "column 4: namespaces are not supported; leave out the prefix"),
        ("b, |a", "column 4: namespaces are not supported"),
        ("a:hover b", "column 2: `:hover` is a state of a running browser, which a parsed page does not have; leave it out"),
        ("b, :is(a:Visited)", "column 9: `:Visited` is a state"),
        ("p::before", "column 2: the pseudo-element `::before` is not in the tree; select the element"),
        ("p:first-line", "column 2: the pseudo-element `::first-line` is not in the tree"),
        (":is(p::after)", "column 6: the pseudo-element `::after` is not in the tree"),
        ("p:contains('x')", "column 2: `:contains` is not supported here; use `:root`"),
        ("p:has(a:has(b))", "column 8: `:has` is not supported here"),
        (":host(p)", "column 1: `:host` is not supported here"),
        (":not", "column 1: `:not` is not supported here"),
    ];
    for (css, message) in rows {
        let error = Selector::parse(css).unwrap_err().to_string();
        assert!(error.starts_with(&format!("selector `{css}`, {message}")), "{error}");
    }
    let nested = ":not(".repeat(40);
    assert!(Selector::parse(&nested).unwrap_err().to_string().contains("…`, column 162: brackets are nested more than 32 deep"));
    assert!(Selector::parse(&format!("{}a{}", ":not(".repeat(32), ")".repeat(32))).is_ok());
}

/// A deterministic random generator.
struct Random(u64);

impl Random {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'a>(&mut self, words: &'a str) -> &'a str {
        let count = words.split(' ').count() as u64;
        let k = self.below(count) as usize;
        words.split(' ').nth(k).unwrap_or_default()
    }

    fn page(&mut self) -> String {
        let mut html = String::new();
        for _ in 0..self.below(40) {
            html += &match self.below(5) {
                0 => "x".to_owned(),
                1 => format!("</{}>", self.pick("p div b i ul svg x-a li")),
                _ => {
                    let (name, id) = (self.pick("p div b i li ul x-a X-A svg a table td"), self.pick("- - id=x id=x-1 id=y"));
                    format!("<{name} {id} class='{} {}'>", self.pick("a b c - AB"), self.pick("a b - -"))
                }
            };
        }
        html
    }

    fn simple(&mut self, depth: u32, has: bool) -> String {
        let place = self.pick("2n odd 2 -n+2 3n-1 n+2 0");
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 | 1 => self.pick(".a .b #x #y").to_owned(),
            2 => self.pick("[id] [class~=a] [class^='a'i] [class$='B'i] [CLASS*=b] [id|=x] [id='y's]").to_owned(),
            3 => self.pick(":root :scope :empty :first-child :last-child :only-child").to_owned(),
            4 => self.pick(":first-of-type :last-of-type :only-of-type").to_owned(),
            5 => format!(":{}({place})", self.pick("nth-child nth-last-child nth-of-type nth-last-of-type")),
            6 => format!(":{}({place} of {})", self.pick("nth-child nth-last-child"), self.list(depth - 1, has)),
            7 | 8 if has => format!(":has({} {})", self.pick(" > + ~"), self.complex(depth - 1, false)),
            _ => format!(":{}({})", self.pick("not is where"), self.list(depth - 1, has)),
        }
    }

    fn complex(&mut self, depth: u32, has: bool) -> String {
        let mut css = String::new();
        for k in 0..=self.below(3) {
            if k > 0 {
                css += &format!(" {} ", self.pick(" > + ~"));
            }
            css += self.pick("p div b i li ul * x-a svg a body * * *");
            (0..self.below(3)).for_each(|_| css += &self.simple(depth, has));
        }
        css
    }

    fn list(&mut self, depth: u32, has: bool) -> String {
        let count = 1 + self.below(5) / 3;
        (0..count).map(|_| self.complex(depth, has)).collect::<Vec<_>>().join(", ")
    }
}

#[test]
fn results_equal_the_oracle() {
    let (mut random, mut hits) = (Random(1), 0);
    for _ in 0..3000 {
        let html = random.page();
        let dom = Dom::parse(&html);
        let all: Vec<Node<'_>> = dom.nodes().collect();
        for _ in 0..10 {
            let css = random.list(2, true);
            let (selector, list) = (Selector::parse(&css).unwrap(), parse::parse(&css).unwrap());
            let found = dom.select(&selector);
            assert_eq!(found, oracle::select(&all, &list, dom.root()), "{css} on {html}");
            hits += usize::from(!found.is_empty());
            let top = all[random.below(all.len() as u64) as usize];
            let wanted = oracle::select(&all, &list, top);
            assert_eq!(selector.matches(top), wanted.contains(&top), "{css} at {} of {html}", top.path());
            let below: Vec<Node<'_>> = wanted.into_iter().filter(|n| n.ancestors().any(|a| a == top)).collect();
            assert_eq!(top.select(&selector), below, "{css} below {} of {html}", top.path());
        }
    }
    assert!(hits > 3000, "only {hits} selectors found something");
}

#[test]
fn any_text_is_a_selector_or_an_error_with_a_column() {
    const WORDS: &str = ": :: ( ) [ ] a not( has( is( nth-child( * | . # 1 2n+ - \\ \" ' , > + ~ /* */ é \n = ~= |= i of { } ; @x ! <!-- url( \0 root hover %";
    let mut random = Random(2);
    for _ in 0..20_000 {
        let css: String =
            (0..random.below(12)).map(|_| random.pick(WORDS)).collect::<Vec<_>>().join(random.pick(" |").trim_matches('|'));
        if let Err(error) = Selector::parse(&css) {
            assert!(error.to_string().contains(", column "), "{error}");
        }
    }
}

/// Each of these is quadratic if elements are tested one after another.
#[test]
fn many_siblings_take_linear_time() {
    let flat = "<i></i>".repeat(100_000);
    let deep = format!("{}{}", "<div>".repeat(1000), "<p>1</p>".repeat(20_000));
    let long = "i ".repeat(2000);
    for (css, count) in [
        ("i:nth-child(2n)", 50_000),
        ("i:nth-last-of-type(2n)", 50_000),
        ("i + i", 99_999),
        ("b ~ i", 0),
        ("b ~ i ~ i ~ i", 0),
        ("i:has(~ b)", 0),
        ("i:not(:has(+ i)) ~ i", 0),
        ("i:nth-child(3 of :not(b ~ i))", 1),
        (long.as_str(), 0),
    ] {
        assert_eq!(Dom::parse(&flat).select(&Selector::parse(css).unwrap()).len(), count, "{css}");
    }
    for (css, count) in [("div:has(b)", 0), ("div div:has(p + p)", 999), ("b p, b ~ p", 0), ("div > div p", 20_000)] {
        assert_eq!(Dom::parse(&deep).select(&Selector::parse(css).unwrap()).len(), count, "{css}");
    }
}

#[test]
fn an_empty_tree_matches_nothing() {
    let dom = Dom::new("".into(), Default::default());
    let any = Selector::parse("*").unwrap();
    assert!(dom.is_empty() && dom.select(&any).is_empty() && dom.root().select(&any).is_empty() && !any.matches(dom.root()));
}

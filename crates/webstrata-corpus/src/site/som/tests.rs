//! Hand-made sites with known classes, and properties that hold for all sites.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use webstrata::Page;

fn tree(html: &str) -> PageTree {
    PageTree::new(&Page::parse(html.as_bytes()))
}

fn site(pages: &[String]) -> Som {
    let mut som = Som::default();
    for (number, html) in (0..).zip(pages) {
        assert!(som.add(number, &tree(html)));
    }
    som
}

/// Label and number of pages of each class.
fn classes(som: &Som, options: &SomOptions) -> Vec<(String, u64)> {
    som.classes(options).into_iter().map(|class| (class.label, class.pages.len())).collect()
}

fn named(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|&(label, pages)| (label.to_owned(), pages)).collect()
}

/// A news site: a menu, a headline, a body of one paragraph or several, sometimes related links, a footer.
fn news() -> Vec<String> {
    (0..20)
        .map(|n| {
            let body: String = (0..=n % 3).map(|k| format!("<p>Sentence {k} of story {n}.</p>")).collect();
            let related = if n % 2 == 0 { "<ul class=rel><li>One<li>Two</ul>" } else { "" };
            format!(
                "<div id=menu><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></div>\
                 <div id=story><h1>Story {n}</h1><div class=text>{body}</div>{related}</div><div id=foot>© The Paper</div>"
            )
        })
        .collect()
}

#[test]
fn the_classes_of_a_news_site() {
    for options in [SomOptions::paper(), SomOptions::default()] {
        let som = site(&news());
        let expected = [
            ("ul/1/div/id/body/html", 20),
            ("div/class/2/div/id/body/html", 20),
            ("h1/2/div/id/body/html", 20),
            ("ul/class/2/div/id/body/html", 10),
            ("3/div/id/body/html", 20),
        ];
        assert_eq!(classes(&som, &options), named(&expected));
        let constant: Vec<bool> = som.classes(&options).iter().map(|class| class.constancy > 0.9).collect();
        // The fingerprints of the bodies differ only by the number of paragraphs, because digits are ignored.
        assert_eq!(constant, [true, false, true, true, true]);
    }
}

/// Figure 6: two pages that differ below one `div`.
#[test]
fn figure_6() {
    let pages = [
        "<body><div id=a>x</div><div id=b><h1>t</h1><pre>x</pre></div>",
        "<body><div id=a>y</div><div id=b><h1>t</h1><p>y</p></div>",
    ];
    let som = site(&pages.map(str::to_owned));
    let expected =
        [("1/div/id/body/html", 2), ("h1/2/div/id/body/html", 2), ("p/2/div/id/body/html", 1), ("pre/2/div/id/body/html", 1)];
    assert_eq!(classes(&som, &SomOptions { beta: 1, ..SomOptions::paper() }), named(&expected));
    // With beta 8, all of it is on too few pages.
    assert_eq!(classes(&som, &SomOptions::paper()), named(&[("html", 2)]));
}

/// Figure 7: text directly inside a `div` on most pages, and inside a `p` in it on some: one class if they are close.
#[test]
fn alpha_joins_what_is_close() {
    let deep = |levels: usize| -> Vec<String> {
        let inside = |n: u32| format!("{}<p>Text {n}</p>{}", "<section>".repeat(levels - 1), "</section>".repeat(levels - 1));
        (0..30)
            .map(|n| if n < 20 { format!("<div>Text {n}</div><h1>T</h1>") } else { format!("<div>{}</div><h1>T</h1>", inside(n)) })
            .collect()
    };
    let near = site(&deep(5));
    assert_eq!(classes(&near, &SomOptions::paper()), named(&[("div/body/html", 30), ("h1/body/html", 30)]));
    let far = site(&deep(6));
    let p = "p/section/section/section/section/section/div/body/html";
    assert_eq!(classes(&far, &SomOptions::paper()), named(&[("div/body/html", 20), (p, 10), ("h1/body/html", 30)]));
}

#[test]
fn beta_joins_rare_children_only_if_all_are_rare() {
    let page = |n: u32| format!("<div id=a><h2>Head {n}</h2>{}</div><h1>T</h1>", if n < 3 { "<p>Rare</p>" } else { "" });
    let som = site(&(0..20).map(page).collect::<Vec<_>>());
    let expected = [("h2/div/id/body/html", 20), ("p/div/id/body/html", 3), ("h1/body/html", 20)];
    assert_eq!(classes(&som, &SomOptions::paper()), named(&expected));
    let rare = |n: u32| format!("<div id=a>{}</div><h1>T</h1>", if n < 3 { "<h2>Head</h2><p>Rare</p>" } else { "" });
    let som = site(&(0..20).map(rare).collect::<Vec<_>>());
    assert_eq!(classes(&som, &SomOptions::paper()), named(&[("div/id/body/html", 3), ("h1/body/html", 20)]));
}

/// A word directly inside `body` on one page merges the whole site into one class with the paper's options, but not with ours.
#[test]
fn one_careless_page_does_not_join_a_site() {
    let mut pages = news();
    pages.extend(news());
    pages.push(format!("Oops{}", news()[0]));
    let som = site(&pages);
    assert_eq!(classes(&som, &SomOptions::paper()), named(&[("body/html", 41)]));
    assert_eq!(som.classes(&SomOptions::default()).len(), 6);
}

#[test]
fn the_tree_segments_pages_it_has_not_seen() {
    let pages = news();
    let som = site(&pages);
    let pruned = som.pruned(&SomOptions::default());
    let unseen = tree(&format!("{}<table><tr><td>Advertisement</td><td><b>Buy</b></td></tr></table>", pages[4]));
    let segments = pruned.segments(&unseen);
    let labels: Vec<Option<&str>> = segments.iter().map(|s| s.class.map(|c| pruned.classes()[c].label.as_str())).collect();
    assert_eq!(
        labels,
        [
            Some("ul/1/div/id/body/html"),
            Some("h1/2/div/id/body/html"),
            Some("div/class/2/div/id/body/html"),
            Some("ul/class/2/div/id/body/html"),
            Some("3/div/id/body/html"),
            None
        ]
    );
    let menu = segments[0].leaves[0];
    assert_eq!(pruned.likeness(segments[0].class.unwrap_or(9), &unseen, &[menu]), 1.0);
}

/// Pages of a small grammar: optional parts, text at several depths.
fn any_page() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["rain", "sun", "wind", "snow", "fog 12"]);
    let leaf =
        (prop::sample::select(vec!["p", "div", "li", "b", "h2"]), word).prop_map(|(tag, word)| format!("<{tag}>{word}</{tag}>"));
    leaf.prop_recursive(4, 24, 5, |inner| {
        let tags = prop::sample::select(vec!["div", "ul", "div class=a", "section", "div id=x"]);
        (tags, prop::collection::vec(inner, 0..5)).prop_map(|(tag, inner)| {
            let name = tag.split(' ').next().unwrap_or(tag);
            format!("<{tag}>{}</{name}>", inner.concat())
        })
    })
}

/// Summary of a tree by page numbers: labels, pages, words and texts of its classes.
fn summary(som: &Som) -> Vec<(String, Vec<u32>, u64, String)> {
    let classes = som.classes(&SomOptions { beta: 3, beta_share: None, ..SomOptions::default() });
    classes.into_iter().map(|c| (c.label, c.pages.iter().collect(), c.words, format!("{:.6} {:?}", c.constancy, c.texts))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The same pages in another order, or merged from two trees, give the same tree byte for byte.
    #[test]
    fn order_does_not_matter(pages in prop::collection::vec(any_page(), 1..14), seed in any::<u64>()) {
        let trees: Vec<(u32, PageTree)> = (0..).zip(pages.iter().map(|html| tree(html))).collect();
        let mut shuffled: Vec<&(u32, PageTree)> = trees.iter().collect();
        shuffled.sort_by_key(|page| xxhash_rust::xxh3::xxh3_64_with_seed(&page.0.to_le_bytes(), seed));
        let mut one = Som::default();
        trees.iter().for_each(|(number, page)| { one.add(*number, page); });
        let mut two = Som::default();
        shuffled.iter().for_each(|(number, page)| { two.add(*number, page); });
        prop_assert_eq!(summary(&one), summary(&two));
        prop_assert_eq!(one.to_bytes().ok(), two.to_bytes().ok());
        let (mut left, mut right) = (Som::default(), Som::default());
        shuffled.iter().for_each(|(number, page)| { if number % 2 == 0 { left.add(*number, page) } else { right.add(*number, page) }; });
        prop_assert!(left.merge(&right).is_ok());
        prop_assert_eq!(one.to_bytes().ok(), left.to_bytes().ok());
        prop_assert!(left.merge(&right).is_err() || right.is_empty());
    }

    /// Every leaf of a page is in one segment, pages of the tree have a class for each, and classes list the pages that have them.
    #[test]
    fn segments_cover_pages(pages in prop::collection::vec(any_page(), 1..14), unseen in any_page(), beta in 1u32..5) {
        let som = site(&pages);
        let pruned = som.pruned(&SomOptions { beta, beta_share: None, ..SomOptions::default() });
        let mut listed: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); pruned.classes().len()];
        for (number, html) in (0..).zip(&pages) {
            let page = tree(html);
            let segments = pruned.segments(&page);
            let mut leaves: Vec<usize> = segments.iter().flat_map(|s| s.leaves.clone()).collect();
            leaves.sort_unstable();
            prop_assert_eq!(leaves, page.leaves().collect::<Vec<_>>());
            for segment in &segments {
                prop_assert!(segment.class.is_some());
                listed[segment.class.unwrap_or(0)].insert(number);
            }
        }
        for (class, pages) in pruned.classes().iter().zip(&listed) {
            prop_assert_eq!(class.pages.iter().collect::<BTreeSet<u32>>(), pages.clone());
        }
        let page = tree(&unseen);
        let leaves: usize = pruned.segments(&page).iter().map(|s| s.leaves.len()).sum();
        prop_assert_eq!(leaves, page.leaves().count());
    }
}

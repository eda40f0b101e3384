//! The published trees, leaf by leaf, and every stage of the presets, on small synthetic pages.

use webstrata::Page;
use webstrata::label::Preset;

/// A block of `words` words, `linked` of them in a link, in element `tag`.
fn block(tag: &str, words: usize, linked: usize) -> String {
    let link = if linked > 0 { format!("<a href=x>{}</a> ", "link ".repeat(linked)) } else { String::new() };
    format!("<{tag}>{link}{}</{tag}>", "word ".repeat(words - linked))
}

fn verdicts(html: &str, preset: Preset) -> Vec<bool> {
    let page = Page::parse(html.as_bytes());
    let labels = page.label(&preset);
    (0..labels.len()).map(|i| labels.verdict(i).content).collect()
}

fn content(html: &str, preset: Preset) -> Vec<String> {
    let page = Page::parse(html.as_bytes());
    let labels = page.label(&preset);
    labels.content().map(|i| page.blocks().get(i).unwrap().text()).collect()
}

/// Verdict on the middle one of three blocks of `(words, linked words)`; a block of 0 words is left out.
fn middle(blocks: [(usize, usize); 3], preset: Preset) -> (bool, String) {
    let html: String = blocks.iter().filter(|b| b.0 > 0).map(|&(words, linked)| block("p", words, linked)).collect();
    let page = Page::parse(html.as_bytes());
    let explanation = page.explain(&preset);
    let at = usize::from(blocks[0].0 > 0);
    (explanation.labels().verdict(at).content, explanation.why(at))
}

#[test]
fn num_words_tree_leaf_by_leaf() {
    // previous, current, next; verdict (Algorithm 4.3)
    for (blocks, want) in [
        ([(4, 0), (16, 0), (15, 0)], false), // words(P) <= 4
        ([(5, 0), (16, 0), (15, 0)], true),  // words(P) > 4
        ([(4, 0), (16, 0), (16, 0)], true),  // words(N) > 15
        ([(4, 0), (17, 0), (15, 0)], true),  // words(C) > 16
        ([(9, 5), (16, 0), (15, 0)], true),  // link(P) = 5/9 is not above it
        ([(9, 6), (40, 0), (17, 0)], false), // link(P) > 5/9, words(N) <= 17
        ([(9, 6), (40, 0), (18, 0)], true),
        ([(9, 6), (41, 0), (0, 0)], true),
        ([(5, 0), (9, 3), (15, 0)], false), // link(C) = 1/3 is above the printed 0.333333
        ([(5, 0), (10, 3), (15, 0)], true),
        ([(50, 0), (9, 4), (50, 0)], false), // link(C) > 1/3
        ([(0, 0), (16, 0), (0, 0)], false),  // outside the page every feature is 0
        ([(0, 0), (17, 0), (0, 0)], true),
    ] {
        let (got, why) = middle(blocks, Preset::NumWordsRules);
        assert_eq!(got, want, "{blocks:?}: {why}");
        assert!(why.contains(if want { "content" } else { "boilerplate" }), "{why}");
    }
}

#[test]
fn densitometric_tree_leaf_by_leaf() {
    // Up to 16 words of "word" fit on a line of 80: density is their number; 32 words are two full lines, density 16.
    for (blocks, want) in [
        ([(4, 0), (9, 0), (10, 0)], false),  // density(P) <= 4
        ([(5, 0), (9, 0), (10, 0)], true),   // density(P) > 4
        ([(4, 0), (9, 0), (11, 0)], true),   // density(N) > 10
        ([(4, 0), (10, 0), (0, 0)], false),  // density(C) > 9, density(N) = 0
        ([(4, 0), (10, 0), (1, 0)], true),   // density(N) > 0
        ([(9, 6), (14, 0), (11, 0)], false), // link(P) > 5/9, density(N) <= 11
        ([(9, 6), (14, 0), (12, 0)], true),
        ([(12, 0), (9, 4), (12, 0)], false), // link(C) > 1/3
        ([(12, 0), (9, 3), (12, 0)], false), // link(C) = 1/3 is above the printed 0.333333
        ([(9, 5), (14, 0), (11, 0)], true),  // link(P) = 5/9 is below the printed 0.555556
        ([(4, 0), (32, 0), (1, 0)], true),
    ] {
        let (got, why) = middle(blocks, Preset::DensityRules);
        assert_eq!(got, want, "{blocks:?}: {why}");
    }
}

#[test]
fn single_rules() {
    for (preset, blocks, want) in [
        (Preset::MinWords(10), [(1, 0), (9, 0), (1, 0)], false),
        (Preset::MinWords(10), [(1, 0), (10, 0), (1, 0)], true),
        (Preset::OneR, [(1, 0), (10, 0), (1, 0)], false),
        (Preset::OneR, [(1, 0), (11, 0), (1, 0)], true),
        (Preset::DensityMin, [(1, 0), (6, 0), (1, 0)], false),
        (Preset::DensityMin, [(1, 0), (7, 0), (1, 0)], true),
        (Preset::DensityMin, [(1, 0), (10, 4), (1, 0)], false),
        (Preset::KeepEverything, [(1, 0), (1, 1), (1, 0)], true),
        // canola, clause by clause
        (Preset::Canola, [(1, 0), (5, 1), (12, 0)], true),
        (Preset::Canola, [(1, 0), (5, 1), (11, 0)], false),
        (Preset::Canola, [(1, 0), (20, 0), (1, 0)], true),
        (Preset::Canola, [(1, 0), (19, 0), (1, 0)], false),
        (Preset::Canola, [(1, 0), (7, 0), (7, 0)], true),
        (Preset::Canola, [(1, 0), (6, 0), (7, 0)], false),
        (Preset::Canola, [(8, 0), (6, 0), (7, 0)], true),
        (Preset::Canola, [(1, 0), (6, 0), (20, 0)], true),
        (Preset::Canola, [(8, 1), (6, 0), (20, 0)], false),
    ] {
        let (got, why) = middle(blocks, preset);
        assert_eq!(got, want, "{preset} {blocks:?}: {why}");
    }
}

/// An article of `n` paragraphs of 40 words each.
fn paragraphs(n: usize) -> String {
    (0..n).map(|_| block("p", 40, 0)).collect()
}

#[test]
fn terminators_cut_what_follows() {
    let html = format!("<div>{}<p>User comments:</p>{}</div>", paragraphs(2), paragraphs(2));
    assert_eq!(verdicts(&html, Preset::Article), [true, true, false, false, false]);
    // Too few words before it: the marker is a link at the top of the page.
    let html = format!("<div>{}<p>User comments:</p>{}</div>", paragraphs(1), paragraphs(2));
    assert!(verdicts(&html, Preset::Article)[2..].iter().all(|&c| c));
}

#[test]
fn a_trailing_heading_is_dropped() {
    let html = format!("<div>{}<h2>{}</h2></div>", paragraphs(2), "more ".repeat(20));
    assert_eq!(verdicts(&html, Preset::NumWordsRules), [true, true, true]);
    assert_eq!(verdicts(&html, Preset::Article), [true, true, false]);
}

#[test]
fn a_gap_of_one_block_is_filled_and_one_of_two_is_not() {
    let menu = block("p", 3, 3);
    let one = format!("<div>{}{menu}{}</div>", paragraphs(1), block("p", 50, 0));
    assert_eq!(verdicts(&one, Preset::NumWordsRules), [true, false, true]);
    assert_eq!(verdicts(&one, Preset::LargestContent), [true, true, true]);
    let two = format!("<div>{}{menu}{menu}{}</div>", paragraphs(1), block("p", 50, 0));
    assert_eq!(verdicts(&two, Preset::LargestContent), [false, false, false, true]);
}

#[test]
fn the_title_is_joined_to_the_text() {
    let title = "Seven old wells found";
    let html = format!(
        "<title>{title} - The Valley Post</title><ul><li>{}</ul><h1>{title}</h1><ul><li>{}</ul><div><p>{}</div>",
        "<a href=x>Home</a>",
        "By a reporter who was there and saw all seven of them himself, in the rain, on Sunday",
        "word ".repeat(200)
    );
    let kept = content(&html, Preset::Article);
    assert!(kept.contains(&title.to_owned()), "{kept:?}");
    assert!(!kept.contains(&"Home".to_owned()));
}

#[test]
fn large_blocks_at_the_level_of_the_largest_stay() {
    let far = block("p", 3, 3).repeat(3);
    let level = |words| format!("<div>{}</div>", block("p", words, 0));
    let html = format!("{}{far}{}{far}{}", level(400), level(160), level(90));
    let kept = verdicts(&html, Preset::Article);
    assert_eq!((kept[0], kept[4], kept[8]), (true, true, false));
    // Between 100 and 150 words only the later, gentler stage keeps it.
    let html = format!("{}{far}{}", level(400), level(120));
    let page = Page::parse(html.as_bytes());
    assert!(page.explain(&Preset::Article).why(4).contains("large-same-level"));
}

#[test]
fn article_sentences_keeps_sentences() {
    let html = format!(
        "<div>{}<p>{}</p><p>{}</p></div>",
        paragraphs(1),
        "one two three four five six. ".repeat(4),
        "no end here ".repeat(9)
    );
    assert_eq!(verdicts(&html, Preset::Article), [true, true, true]);
    assert_eq!(verdicts(&html, Preset::ArticleSentences), [false, true, false]);
}

#[test]
fn equal_densities_are_one_unit() {
    // Three blocks of four words: alone too few, together twelve.
    let html = block("p", 4, 0).repeat(3);
    assert_eq!(verdicts(&html, Preset::MinWords(10)), [false; 3]);
    assert_eq!(verdicts(&html, Preset::KeepEverythingWithMinKWords(10)), [true; 3]);
    assert_eq!(verdicts(&html, Preset::KeepEverythingWithMinKWords(13)), [false; 3]);
}

#[test]
fn boilerpipe_default_judges_fused_units() {
    let html = format!("{}{}", block("p", 12, 0).repeat(2), block("p", 14, 0));
    // The two equal blocks are one unit of density 12, followed by text; nothing follows the last.
    assert_eq!(verdicts(&html, Preset::BoilerpipeDefault), [true, true, false]);
}

#[test]
fn list_at_the_end_of_the_text_belongs_to_it() {
    let items: String = (0..3).map(|_| block("li", 18, 0)).collect();
    let far = block("p", 3, 3).repeat(2);
    let html = format!("<div>{}</div><div>{far}<ul>{items}</ul></div>", paragraphs(5));
    let page = Page::parse(html.as_bytes());
    let last = page.blocks().len() - 1;
    let explanation = page.explain(&Preset::Article);
    assert!(explanation.labels().verdict(last).content, "{}", explanation.why(last));
}

#[test]
fn main_content_cuts_above_the_title_and_below_the_comments() {
    let title = "Seven old wells found";
    let html = format!(
        "<title>{title}</title><p>{0}</p><h1>{title}</h1><p>{1}</p><p>Comments</p><p>{0}</p>",
        "above ".repeat(30),
        "word ".repeat(100)
    );
    let kept = content(&html, Preset::MainContent).join(" ");
    assert!(kept.contains("word") && !kept.contains("above"), "{kept}");
}

#[test]
fn feature_extractors() {
    let text = |n: usize| format!("<div>{}</div>", "word ".repeat(n));
    let menu = format!("<div>{}</div>", "<a href=x>one</a> <img src=i> ".repeat(10));
    let html = format!("{menu}{}{}{}{menu}", text(100), text(95), text(10));
    // The part with the most text wins; clustering keeps parts like it.
    assert_eq!(verdicts(&html, Preset::FeatureExtractor), [false, true, false, false, false]);
    assert_eq!(verdicts(&html, Preset::KFeatureExtractor), [false, true, true, false, false]);
}

//! Compares trees, mixtures and measures with naive implementations.
use super::super::Graph;
use super::super::rank::{Preference, RankFormat, SelfLinks, SolveOptions, solve};
use super::super::tests::links;
use super::measures::{average_precision, kendall_tau_b, overlap};
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;

const LETTERS: &str = "abcdefghij";

/// Ten pages, `a` to `j`, in a ring.
fn ring() -> Graph {
    let names: Vec<String> = LETTERS.chars().map(String::from).collect();
    Graph::from_names(names.iter().zip(names.iter().cycle().skip(1))).unwrap()
}

fn file(folder: &tempfile::TempDir, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    path
}

fn read(bytes: &[u8], options: &TaxonomyOptions) -> Result<Taxonomy, crate::graph::GraphError> {
    let folder = tempfile::tempdir().unwrap();
    Taxonomy::read(&file(&folder, bytes), &ring(), options)
}

fn paths(taxonomy: &Taxonomy) -> Vec<&str> {
    taxonomy.topics().iter().map(|topic| topic.path.as_str()).collect()
}

fn letters(pages: &[u32]) -> String {
    pages.iter().map(|&page| &LETTERS[page as usize..=page as usize]).collect()
}

const TREE: &str =
    "# a tree\nlife/dogs\tb\nlife/dogs\ta\r\nlife/cats/big\tc\n\nlife\td\nlife-like\te\nsky\tmissing\nlife/dogs\ta\n";

#[test]
fn a_topic_has_its_pages_and_those_below() {
    let taxonomy = read(TREE.as_bytes(), &TaxonomyOptions::default()).unwrap();
    assert_eq!(paths(&taxonomy), ["life", "life/cats", "life/cats/big", "life/dogs", "life-like", "sky"]);
    let pages: Vec<String> = (0..6).map(|topic| letters(&taxonomy.pages(topic))).collect();
    assert_eq!(pages, ["abcd", "c", "c", "ab", "e", ""]);
    assert_eq!(taxonomy.children(None).collect::<Vec<_>>(), [0, 4, 5]);
    assert_eq!(taxonomy.children(Some(0)).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(taxonomy.children(Some(5)).count(), 0);
    assert_eq!((taxonomy.branch(0), taxonomy.branch(9)), (0..4, 0..0));
    assert_eq!((taxonomy.unknown().lines, taxonomy.unknown().examples.as_slice()), (1, &["missing".to_owned()][..]));
    // Levels count from the starting topics, and topics without pages are left out.
    assert_eq!(taxonomy.choose(&[], 1), [0, 4]);
    assert_eq!(taxonomy.choose(&[], 2), [0, 1, 3, 4]);
    assert_eq!(taxonomy.choose(&[1, 3], 2), [1, 2, 3]);
    assert_eq!(taxonomy.choose(&[1], 1), [1]);
    assert_eq!((taxonomy.find("life.cats"), taxonomy.find("/life/cats/"), taxonomy.find("cats")), (Some(1), Some(1), None));
    let preferences = taxonomy.preferences(&[1]);
    assert_eq!((preferences[0].0.as_str(), &preferences[0].1), ("*", &Preference::Uniform));
    assert_eq!(preferences[1], ("life/cats".to_owned(), Preference::Pages(vec![(2, 1.0)])));
}

#[test]
fn trees_in_other_notations() {
    let plain = read(TREE.as_bytes(), &TaxonomyOptions::default()).unwrap();
    let dotted = TREE.replace('/', ".");
    let swapped: String = TREE
        .lines()
        .map(|line| line.trim().split_once('\t').map_or(line.to_owned(), |(topic, page)| format!("{page}\ttop/{topic}")) + "\n")
        .collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(TREE.as_bytes()).unwrap();
    let packed = [gzip.finish().unwrap(), zstd::encode_all(TREE.as_bytes(), 1).unwrap()];
    let below = TaxonomyOptions { pages_first: true, root: Some("top".into()), ..TaxonomyOptions::default() };
    let same = [
        read(dotted.as_bytes(), &TaxonomyOptions::default()).unwrap(),
        read(swapped.as_bytes(), &below).unwrap(),
        read(&packed[0], &TaxonomyOptions::default()).unwrap(),
        read(&packed[1], &TaxonomyOptions::default()).unwrap(),
        read(TREE.replace('/', " > ").as_bytes(), &TaxonomyOptions { separator: Some('>'), ..TaxonomyOptions::default() }).unwrap(),
    ];
    for taxonomy in same {
        assert_eq!(taxonomy.topics(), plain.topics());
    }
    // Dots are part of names if slashes separate.
    assert_eq!(paths(&read(b"St. Ives/x\ta\n", &TaxonomyOptions::default()).unwrap()), ["St. Ives", "St. Ives/x"]);
}

#[test]
fn invalid_taxonomies_are_reported() {
    let deep = format!("{}\ta\n", vec!["x"; MAX_LEVELS + 1].join("/"));
    let long = format!("b\ta\n{}\ta\n", "x".repeat(MAX_TOPIC_LEN + 1));
    let cut = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    for (bytes, want) in [
        (&b"x\ta\ny a\n"[..], "line 2: 1 fields"),
        (b"x\ta\tb\n", "line 1: 3 fields"),
        (b"x\ta\n\ta\n", "line 2"),
        (b"x\t\n", "topic<TAB>page"),
        (b"x\ta\n\xff\ta\n", "line 2: it is not UTF-8"),
        (b"x\ta\n*\ta\n", "line 2: \"*\" is not a topic"),
        (b"///\ta\n", "is not a topic"),
        (b"a\x01b\ta\n", "control characters"),
        (b"# nothing\n", "has no topics"),
        (b"a\tx\nb\ty\n", "none of its 2 pages is in the graph, such as \"x\""),
        (deep.as_bytes(), "more than 64 levels"),
        (long.as_bytes(), "line 2: a topic has at most"),
        (&cut, "near byte"),
    ] {
        let error = read(bytes, &TaxonomyOptions::default()).unwrap_err().to_string();
        assert!(error.contains(want) && error.contains("file"), "{error} should say {want}");
    }
    let options = TaxonomyOptions { separator: Some('.'), ..TaxonomyOptions::default() };
    assert!(read(b"tcp/ip.x\ta\n", &options).unwrap_err().to_string().contains("slash in its name"));
    let options = TaxonomyOptions { root: Some("nowhere".into()), ..TaxonomyOptions::default() };
    assert!(read(TREE.as_bytes(), &options).unwrap_err().to_string().contains("--root"));
    let options = TaxonomyOptions { root: Some("sky".into()), ..TaxonomyOptions::default() };
    assert!(read(TREE.as_bytes(), &options).unwrap_err().to_string().contains("--root"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_tree_matches_its_lines(lines in prop::collection::vec((prop::collection::vec(0..4u8, 1..5), 0..10u32), 1..40)) {
        let path = |parts: &[u8]| parts.iter().map(|part| format!("t{part}")).collect::<Vec<_>>().join("/");
        let text: String = lines.iter().map(|(parts, page)| format!("{}\t{}\n", path(parts), letters(&[*page]))).collect();
        let taxonomy = read(text.as_bytes(), &TaxonomyOptions { separator: Some('/'), ..TaxonomyOptions::default() }).unwrap();
        let wanted: BTreeSet<String> = lines.iter().flat_map(|(parts, _)| (1..=parts.len()).map(|levels| path(&parts[..levels]))).collect();
        prop_assert_eq!(paths(&taxonomy).into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), wanted);
        for (at, topic) in taxonomy.topics().iter().enumerate() {
            let is_below = |parts: &[u8]| path(parts) == topic.path || path(parts).starts_with(&format!("{}/", topic.path));
            let pages: BTreeSet<u32> = lines.iter().filter(|(parts, _)| is_below(parts)).map(|line| line.1).collect();
            prop_assert_eq!(taxonomy.pages(at), pages.into_iter().collect::<Vec<_>>());
            prop_assert_eq!(taxonomy.find(&topic.path), Some(at));
            let above = topic.path.rsplit_once('/').map(|(above, _)| above);
            prop_assert_eq!(topic.parent.map(|parent| taxonomy.topics()[parent].path.as_str()), above);
            prop_assert!(topic.parent.is_none_or(|parent| taxonomy.children(Some(parent)).any(|child| child == at)));
        }
    }

    /// A mixture equals the solution for the mixture of preference vectors, with dangling pages and self-links.
    #[test]
    fn mixtures_are_exact(links in links(30, 60), a in 0..30u32, b in 0..30u32, c in 0..30u32, weight in 0.0..1.0f64, damping in 0.1..0.95f64) {
        let graph = Graph::from_links(30, links).unwrap();
        for self_links in [SelfLinks::Jump, SelfLinks::Keep, SelfLinks::Drop] {
            let options = SolveOptions { tolerance: 1e-14, threads: 1, damping, self_links, ..SolveOptions::default() };
            let topics = vec![
                ("one".to_owned(), Preference::Pages(vec![(a, 1.0), (b, 1.0)])),
                ("two".to_owned(), Preference::Pages(vec![(c, 1.0)])),
                ("*".to_owned(), Preference::Uniform),
            ];
            let ranks = TopicRanks::solve(&graph, topics, &options, &mut |_| true).unwrap();
            let mixture = Mixture { name: "m".into(), parts: vec![("one".into(), weight), ("two".into(), 1.0 - weight)] };
            let mixed = ranks.mix(&graph, &mixture).unwrap();
            let preference = Preference::Pages(vec![(a, weight / 2.0), (b, weight / 2.0), (c, 1.0 - weight)]);
            let want = solve(&graph, &preference, &options).unwrap().values;
            let distance: f64 = mixed.iter().zip(&want).map(|(one, two)| (one - two).abs()).sum();
            prop_assert!(distance < 1e-10, "{self_links:?} {distance}");
            // Also with the uniform vector.
            let mixture = Mixture { name: "m".into(), parts: vec![("*".into(), 0.5), ("two".into(), 0.5)] };
            let mut preference: Vec<(u32, f64)> = (0..30).map(|page| (page, 0.5 / 30.0)).collect();
            preference.push((c, 0.5));
            let want = solve(&graph, &Preference::Pages(preference), &options).unwrap().values;
            let distance: f64 = ranks.mix(&graph, &mixture).unwrap().iter().zip(&want).map(|(one, two)| (one - two).abs()).sum();
            prop_assert!(distance < 1e-10, "{self_links:?} {distance}");
        }
    }

    #[test]
    fn tau_matches_the_naive_version(pairs in prop::collection::vec((-3..4i32, -3..4i32), 0..60)) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(a, b)| (f64::from(a) * -0.0 + f64::from(a), f64::from(b) / 3.0)).unzip();
        let (mut same, mut tied_a, mut tied_b, mut all) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..a.len() {
            for j in 0..i {
                all += 1.0;
                let (x, y) = (a[i] - a[j], b[i] - b[j]);
                if x == 0.0 { tied_a += 1.0 }
                if y == 0.0 { tied_b += 1.0 }
                if x * y > 0.0 { same += 1.0 } else if x * y < 0.0 { same -= 1.0 }
            }
        }
        let below: f64 = (all - tied_a) * (all - tied_b);
        let want = if below == 0.0 { 0.0 } else { same / below.sqrt() };
        prop_assert!((kendall_tau_b(&a, &b) - want).abs() < 1e-12);
    }

    #[test]
    fn overlap_and_precision_match_the_naive_versions(one in Just((0..20u32).collect::<Vec<_>>()).prop_shuffle(), two in Just((5..30u32).collect::<Vec<_>>()).prop_shuffle(), k in 0..30usize) {
        let first = |list: &[u32]| list.iter().take(k).copied().collect::<BTreeSet<u32>>();
        let (a, b) = (first(&one), first(&two));
        let want = if k == 0 { 1.0 } else { a.intersection(&b).count() as f64 / a.len().max(b.len()) as f64 };
        prop_assert_eq!(overlap(&one, &two, k), want);
        // Precision at each relevant rank, counted from scratch.
        let relevant: Vec<bool> = one.iter().map(|item| item % 3 == 0).collect();
        let at = |place: usize| relevant[..=place].iter().filter(|is| **is).count() as f64 / (place + 1) as f64;
        let want: f64 = (0..20).filter(|&place| relevant[place]).map(at).sum::<f64>() / 9.0;
        prop_assert!((average_precision(relevant.iter().copied(), 9) - want).abs() < 1e-12);
    }
}

#[test]
fn scaled_ranks_are_not_additive_if_mass_is_lost() {
    // 0 -> 1, and 1 is dangling; 2 and 3 link to each other.
    let graph = Graph::from_links(4, [(0, 1), (2, 3), (3, 2)]).unwrap();
    let options = SolveOptions { tolerance: 1e-14, threads: 1, ..SolveOptions::default() };
    let topics = vec![("one".to_owned(), Preference::Pages(vec![(0, 1.0)])), ("two".to_owned(), Preference::Pages(vec![(2, 1.0)]))];
    let ranks = TopicRanks::solve(&graph, topics, &options, &mut |_| true).unwrap();
    let mixed = ranks.mix(&graph, &"one=1,two=1".parse().unwrap()).unwrap();
    let want = solve(&graph, &Preference::Pages(vec![(0, 1.0), (2, 1.0)]), &options).unwrap().values;
    assert!(mixed.iter().zip(&want).all(|(one, two)| (one - two).abs() < 1e-12), "{mixed:?} {want:?}");
    let plain: Vec<f64> = (0..4).map(|page| (ranks.ranks[0].values[page] + ranks.ranks[1].values[page]) / 2.0).collect();
    assert!((plain[0] - want[0]).abs() > 0.1, "{plain:?} {want:?}");
    assert!(ranks.mix(&graph, &"one=1,three=1".parse().unwrap()).unwrap_err().to_string().contains("three"));
    for (text, want) in
        [("one", "TOPIC=WEIGHT"), ("one=-1", "0 or more"), ("one=x", "0 or more"), ("one=0", "above 0"), ("a\n: one=1", "control")]
    {
        assert!(text.parse::<Mixture>().unwrap_err().to_string().contains(want), "{text}");
    }
}

#[test]
fn tables_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let graph = Graph::from_links(3, [(0, 1), (1, 2)]).unwrap();
    let path = folder.path().join("ranks.tsv");
    let (one, two) = ([0.1, 0.2, 0.7], [1.0 / 3.0, 1e-300, 0.25]);
    // Headers that are numbers are read back as well.
    for names in [["*", "a/b"], ["1", "2e3"]] {
        write_table(&path, &graph, &[(names[0], &one), (names[1], &two)], RankFormat::Tsv).unwrap();
        let table = RankTable::read(&[&path]).unwrap();
        assert_eq!(table.rankings().iter().map(|ranking| ranking.name.as_str()).collect::<Vec<_>>(), names);
        let page = |name: &str| table.find(name).unwrap();
        assert!((0..3).all(|at| table.rankings()[1].score(page(&at.to_string())) == Some(two[at])));
        assert_eq!(table.rankings()[0].top(2), [page("2"), page("1")]);
    }
    let many: Vec<String> = (0..5000).map(|at| format!("topic {at}")).collect();
    let columns: Vec<(&str, &[f64])> = many.iter().map(|name| (name.as_str(), &one[..])).collect();
    assert!(write_table(&path, &graph, &columns, RankFormat::Tsv).unwrap_err().to_string().contains("--top"));
    let parquet = folder.path().join("ranks.parquet");
    write_table(&parquet, &graph, &columns[..20], RankFormat::Parquet).unwrap();
    let top = TopPages { topic: "a".into(), pages: vec![(2, 0.7), (1, 0.2)] };
    write_top(&path, &graph, std::slice::from_ref(&top), RankFormat::Tsv).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "topic\tpage\trank\na\t2\t0.7\na\t1\t0.2\n");
    write_top(&parquet, &graph, &[top], RankFormat::Parquet).unwrap();
    assert!(std::fs::read(&parquet).unwrap().starts_with(b"PAR1"));

    for (text, want) in [
        ("a\t0.1\nb\n", "line 2: 0 ranks"),
        ("a\t0.1\nb\tx\n", "line 2: it is not a rank"),
        ("a\t0.1\nb\tinf\n", "line 2: it is not a rank"),
        ("a\t0.1\na\t0.2\n", "line 2: the page occurs twice"),
        ("page\tx\tx\na\t1\t2\n", "called \"x\""),
        ("page\tx\n", "has no ranks"),
        ("#\n", "has no ranks"),
        ("a\n", "line 1: 0 ranks"),
    ] {
        let error = RankTable::read(&[file(&folder, text.as_bytes())]).unwrap_err().to_string();
        assert!(error.contains(want), "{error} should say {want}");
    }
}

/// Rankings of a few pages in a file.
fn table(text: &str) -> RankTable {
    let folder = tempfile::tempdir().unwrap();
    RankTable::read(&[file(&folder, text.as_bytes())]).unwrap()
}

#[test]
fn rankings_are_compared_along_the_tree() {
    let table = table("page\t*\ta\ta/x\ta/y\tb\np\t4\t4\t1\t4\t1\nq\t3\t3\t2\t3\t1\nr\t2\t2\t3\t1\t1\ns\t1\t1\t4\t2\t9\n");
    let names: Vec<&str> = table.rankings().iter().map(|ranking| ranking.name.as_str()).collect();
    let pairs = pairs(&names, Pairs::Tree).unwrap();
    let wanted = [
        (0, 1, Relation::Unbiased),
        (0, 2, Relation::Unbiased),
        (0, 3, Relation::Unbiased),
        (0, 4, Relation::Unbiased),
        (1, 2, Relation::Child),
        (1, 3, Relation::Child),
        (1, 4, Relation::Sibling),
        (2, 3, Relation::Sibling),
    ];
    assert_eq!(pairs, wanted);
    let options = CompareOptions { at: vec![1, 2], tau_top: None, threads: 1 };
    let found = compare(&table, &pairs, &options, &mut |_| true).unwrap();
    assert_eq!((found[0].tau, found[0].overlaps.as_slice(), found[0].pages), (1.0, &[1.0, 1.0][..], 4));
    assert_eq!((found[4].tau, found[4].overlaps.as_slice()), (-1.0, &[0.0, 0.0][..]));
    assert!((found[5].tau - 4.0 / 6.0).abs() < 1e-12);
    assert_eq!(found, compare(&table, &pairs, &CompareOptions { threads: 2, ..options.clone() }, &mut |_| true).unwrap());
    // The first page of each is p or s: one discordant pair.
    let first = compare(&table, &pairs[4..5], &CompareOptions { tau_top: Some(1), ..options.clone() }, &mut |_| true).unwrap();
    assert_eq!((first[0].pages, first[0].tau), (2, -1.0));
    assert!(compare(&table, &[(0, 9, Relation::Other)], &options, &mut |_| true).is_err());
    assert!(compare(&table, &pairs, &options, &mut |_| false).is_err());
}

#[test]
fn judgements_apply_to_their_topic_or_to_all() {
    let folder = tempfile::tempdir().unwrap();
    let table = table("page\t*\ta\np\t4\t1\nq\t3\t2\nr\t2\t3\ns\t1\t4\n");
    let precision = |text: &str, at: usize| {
        let judgements = Judgements::read(&file(&folder, text.as_bytes()), &table).unwrap();
        let ranking = &table.rankings()[at];
        judgements.precision(&table, ranking, &ranking.name)
    };
    assert_eq!((precision("s\nr\n", 0), precision("s\nr\n", 1)), (((1.0 / 3.0 + 0.5) / 2.0, 1), (1.0, 1)));
    // One of two relevant pages is in no ranking.
    assert_eq!(precision("x\tp\nx\tz\n", 0), (0.5, 1));
    // Only judged pages are ranked.
    assert_eq!(precision("x\ts\t1\nx\tr\t0\n", 0), (0.5, 1));
    // Evaluated on its topic and on the unbiased ranking only.
    assert_eq!((precision("a\ts\na#2\tr\nx\tp\n", 1).1, precision("a\ts\n", 0)), (3, (0.25, 1)));
    assert_eq!(precision("*\ts\nx\ts\n", 1), (1.0, 1));
    for (text, want) in [("a\tb\tc\n", "line 1"), ("a\tb\t1\t2\n", "line 1"), ("nobody\n", "no relevant page")] {
        let error = Judgements::read(&file(&folder, text.as_bytes()), &table).unwrap_err().to_string();
        assert!(error.contains(want), "{error}");
    }
}

#[test]
fn names_are_escaped() {
    let table = table("page\t*\ta<b>&\"c\ta<b>&\"c/x\u{1}y\np\t1\t1\t2\nq\t2\t2\t1\n");
    let names: Vec<&str> = table.rankings().iter().map(|ranking| ranking.name.as_str()).collect();
    let pairs = pairs(&names, Pairs::Tree).unwrap();
    let found = compare(&table, &pairs, &CompareOptions::default(), &mut |_| true).unwrap();
    let picture = draw(&table, &found, &[None, Some(2.0), None]).unwrap();
    assert!(
        picture.contains(">a&lt;b&gt;&amp;&quot;c</text>") && !picture.contains("a<b>") && !picture.contains('\u{1}'),
        "{picture}"
    );
    assert!(picture.contains(">1.00</text>") && picture.contains(">−1.00</text>") && picture.contains("2.00 times"), "{picture}");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(!picture.contains("script") && picture.matches("http").count() == 1);
}

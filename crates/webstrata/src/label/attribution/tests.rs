use super::*;
use crate::Page;

const LONG: &str = "It has been raining in the valley for three days, and nobody who lives there can remember when that last \
                    happened, not even the old miller, who has written down the weather of every day since he was a boy.";

/// The role of the block that contains or is marked by "XX", on a page with text around it.
fn role(html: &str) -> Option<Role> {
    let page = Page::parse(html.as_bytes());
    let block = page.blocks().iter().find(|block| block.text().contains("XX")).unwrap();
    Attributions::new(page.blocks()).role_of(block.index(), true).map(|(role, _)| role)
}

fn in_article(html: &str) -> Option<Role> {
    role(&format!("<article><h1>Rain in the valley</h1>{html}<p>{LONG}</p><p>{LONG}</p></article>"))
}

#[test]
fn captions_by_element_and_name() {
    for html in [
        "<figure><img src=a><figcaption>The bridge at XX</figcaption></figure>",
        "<figure><img src=a><figcaption><p>One</p><p>XX two</p></figcaption></figure>",
        "<div class=wp-caption><img src=a><p class=wp-caption-text>Die Brücke XX</p></div>",
        "<div><img src=a><span class=Bildunterschrift>Die Brücke XX</span></div>",
    ] {
        assert_eq!(in_article(html), Some(Role::Caption), "{html}");
    }
    for html in [
        "<div class=carousel-item><div class=carousel-caption>Spring sale XX</div></div>",
        "<div class=caption><h3>Rubber boots</h3><p>XX warm and dry</p></div>",
        &format!("<div class=caption>XX {LONG} {LONG} {LONG}</div>"),
        "<figure><table><tr><td>1<td>2</table><figcaption>Rainfall in mm XX</figcaption></figure>",
        "<h2 class=caption>XX</h2>",
    ] {
        assert_eq!(in_article(html), None, "{html}");
    }
}

#[test]
fn credits_by_name_and_shape() {
    for html in [
        "<div><img src=a><span class=photo-credit>XX/AFP</span></div>",
        "<p>Foto: XX</p>",
        "<p>Photo by Jo Ash, XX</p>",
        "<p>Фото: Иван XX</p>",
        "<p>写真：XX通信</p>",
        "<img src=a><p>© XX</p>",
        "<img src=a><p>Jo Ash XX / Getty Images</p>",
    ] {
        assert_eq!(in_article(html), Some(Role::Credit), "{html}");
    }
    for html in ["<p>© XX</p>", "<p>The maps (XX) are from the files of AP</p>", "<p>Photography is an art, XX</p>"] {
        assert_eq!(in_article(html), None, "{html}");
    }
}

#[test]
fn bylines_by_element_name_and_shape() {
    for html in [
        "<div class=byline>Jo Ash XX</div>",
        "<time datetime=2024-05-13>May 13, XX</time>",
        "<div class=post-meta>13.5.2024, XX</div>",
        "<p>By Jo Ash and Maren Tolliver, XX</p>",
        "<p>Von Jo Ash XX</p>",
        "<p>XX 13 May 2024, 17:42</p>",
        "<p>2024年5月13日 XX</p>",
        "<p>XX ١٣ مايو ٢٠٢٤</p>",
        "<p><a rel=author href=/jo>Jo Ash, Maren XX</a>, <time>May 13</time></p>",
        "<div class=author><p>Jo Ash</p><p>Rain reporter XX</p></div>",
    ] {
        assert_eq!(in_article(html), Some(Role::Byline), "{html}");
    }
    for html in [
        "<p>By and large XX it rained.</p>",
        "<p>$1,042 in 2024 XX</p>",
        "<p>Total reviews: 2,700 XX</p>",
        "<div class=date>About rain XX</div>",
        &format!("<div class=published><p>XX</p><p>{LONG} {LONG}</p></div>"),
    ] {
        assert_eq!(in_article(html), None, "{html}");
    }
    // Far from a headline, a date is just a date.
    assert_eq!(role(&format!("<h1>Rain</h1><p>{LONG}</p><p>XX 13 May 2024</p>")), None);
}

#[test]
fn menus_are_not_examined() {
    let page = Page::parse(b"<nav><div class=byline>Jo Ash</div></nav>");
    assert_eq!(Attributions::new(page.blocks()).role_of(0, false), None);
    assert_eq!(Attributions::new(page.blocks()).role_of(0, true).map(|(role, _)| role), Some(Role::Byline));
}

/// Roles are the same whether the elements around a block have been read before or not.
#[test]
fn cached_names_match_the_elements() {
    let entry = |n: usize| {
        let class = ["byline", "caption", "x", "credit", "card", "date"][n % 6];
        format!("<div class={class}><p>Jo Ash</p><p><a rel=author href=/jo>Jo</a> Ash, 13 May 2024</p></div>")
    };
    let html: String = (0..400).map(entry).collect();
    let page = Page::parse(html.as_bytes());
    let mut all = Attributions::new(page.blocks());
    let mut found = 0;
    for index in (0..page.blocks().len()).chain((0..page.blocks().len()).rev()) {
        let role = all.role_of(index, true);
        assert_eq!(role, Attributions::new(page.blocks()).role_of(index, true), "{index}");
        found += usize::from(role.is_some());
    }
    assert!(found > 400, "{found}");
}

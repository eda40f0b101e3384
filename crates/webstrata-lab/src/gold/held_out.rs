//! Held-out parts of a set: nothing is tuned on them, and their failures are not inspected.
//!
//! Pages of one site are alike, so sites are held out as a whole. If a set has splits `dev` and `test`, the sites whose
//! pages are all in `test` are held out (the split alone is not enough, as some sites are in both); otherwise a third of the hosts, by
//! the FNV-1a hash of the name.

use super::set::GoldPage;
use std::collections::BTreeSet;
use webstrata::model::fnv1a;

/// Whether each page is held out, in order.
///
/// ```
/// use webstrata_lab::gold::held_out::held_out;
/// use webstrata_lab::gold::set::GoldPage;
/// let page = |split: &str, site: &str| GoldPage { split: Some(split.into()), site: Some(site.into()), ..GoldPage::default() };
/// let pages = [page("dev", "a"), page("test", "a"), page("test", "b"), page("dev", "c")];
/// assert_eq!(held_out(&pages), [false, false, true, false]);
/// ```
#[must_use]
pub fn held_out(pages: &[GoldPage]) -> Vec<bool> {
    let sites = |part: &str| -> BTreeSet<&str> {
        pages.iter().filter(|p| p.split.as_deref() == Some(part)).filter_map(|p| p.site.as_deref()).collect()
    };
    let (test, dev) = (sites("test"), sites("dev"));
    pages
        .iter()
        .map(|page| match (&page.split, &page.site) {
            (Some(_), site) => site.as_deref().is_some_and(|site| test.contains(site) && !dev.contains(site)),
            (None, _) => host(page).is_some_and(|host| fnv1a(host.bytes()).is_multiple_of(3)),
        })
        .collect()
}

fn host(page: &GoldPage) -> Option<&str> {
    page.url.as_deref()?.split('/').nth(2).filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_splits_a_third_of_the_hosts_is_held_out() {
        // Published test values of FNV-1a.
        assert_eq!(
            ["", "a", "foobar"].map(|text| fnv1a(text.bytes())),
            [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]
        );
        let page = |n: usize| GoldPage { url: Some(format!("http://{}.example/{n}", n / 2)), ..GoldPage::default() };
        let pages: Vec<GoldPage> = (0..600).map(page).collect();
        let held = held_out(&pages);
        assert!(held.chunks(2).all(|pair| pair[0] == pair[1]), "pages of one host");
        assert!((150..250).contains(&held.iter().filter(|h| **h).count()));
        assert_eq!(held_out(&[GoldPage::default()]), [false]);
    }
}

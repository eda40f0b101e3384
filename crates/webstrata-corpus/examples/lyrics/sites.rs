//! Three lyrics sites, each with its own template: what surrounds the song, and how its lines are marked up.
//!
//! Banners are images and scripts, as was common at the time; the papers' rules for tags rely on them, so there is a variant without them.

use crate::songs::{ARTISTS, Song};
use std::fmt::Write;
use webstrata_corpus::io::Random;

/// A site.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub name: &'static str,
    make: fn(&Song, &[Song], &mut Random) -> String,
}

pub const SITES: [Site; 3] =
    [Site { name: "tables", make: tables }, Site { name: "divisions", make: divisions }, Site { name: "modern", make: modern }];

impl Site {
    /// The page of a song, with or without banners between its parts.
    pub fn page(&self, number: usize, songs: &[Song], banners: bool) -> String {
        let page = (self.make)(&songs[number], songs, &mut Random::for_name(self.name, number as u64));
        if banners { page } else { BANNERS.iter().fold(page, |page, banner| page.replace(banner, "")) }
    }
}

/// Banners and rules between the parts of a page.
const BANNERS: [&str; 5] = [
    "<hr>",
    "<script>banner(468, 60)</script>",
    "<img src=ad.gif alt=\"\">",
    "<script type=\"text/javascript\">ad_width = 336;</script>",
    "<script>slot(3)</script>",
];

/// Songs of the same artist, as links.
fn by_artist(song: &Song, songs: &[Song], most: usize, between: &str) -> String {
    let same = songs.iter().filter(|other| other.artist == song.artist).take(most);
    same.map(|other| format!("<a href=\"/{}.html\">{} Lyrics</a>", other.title.replace(' ', "-"), other.title))
        .collect::<Vec<_>>()
        .join(between)
}

fn some<'s>(songs: &'s [Song], count: usize, random: &mut Random) -> Vec<&'s Song> {
    (0..count).map(|_| &songs[random.below(songs.len())]).collect()
}

const ADS: [&str; 6] = [
    "Send this ringtone to your phone now and pay nothing for the first week of your subscription, cancel at any time.",
    "Find out who has been looking for your name: people search with addresses and class mates of your school years.",
    "Learn the guitar in thirty days with lessons that you can watch at home, from the first chord to your own song.",
    "Cheap tickets for concerts near you, compare the prices of forty agencies before all of the good seats are gone.",
    "Do you write songs? Have your words set to music by real musicians and hear the result on our free telephone line.",
    "New and used records, tapes and discs at the lowest prices, with free delivery for every order above thirty.",
];

const LISTENERS: [&str; 8] = [
    "I had this one on a tape that my sister gave me when we moved, and I know every word of it to this day.",
    "Does anybody know who plays the organ on this? It is not on the sleeve, and nobody at the shop could tell me.",
    "The second verse is wrong here, at least on the single that I own, but thank you for writing it down at all.",
    "My husband sang this at our wedding, badly, and there was not a dry eye in the room when he came to the end.",
    "Saw them in a small hall in the north that winter. They played it twice because half of the band had missed the train.",
    "One of those that you only understand when you are older. I hated it at school and now I cannot drive without it.",
    "Please add the live version, the words are quite different and there is a story in the middle about a dog.",
    "Thanks a lot, I have been looking for this for years with nothing to go by but the line about the kitchen!",
];

/// 1999: tables, fonts, lines ended by `<br>`.
fn tables(song: &Song, songs: &[Song], random: &mut Random) -> String {
    let artist = ARTISTS[song.artist];
    let mut text = String::new();
    for stanza in song.heard(random, true, 40) {
        let _ = writeln!(text, "{}<br><br>", stanza.join("<br>\n"));
    }
    let letters = ('A'..='Z').map(|c| format!("<a href=\"/{c}/\">{c}</a>")).collect::<Vec<_>>().join(" | ");
    let top = some(songs, 10, random);
    let top = top.iter().map(|s| format!("<tr><td><a href=\"/x\">{}</a></td></tr>\n", s.title)).collect::<String>();
    format!(
        "<html><head><title>{artist} - {0} Lyrics</title></head><body bgcolor=white>\n\
         <table width=760><tr><td colspan=3><center><font size=1>Browse lyrics by artist: {letters}</font></center></td></tr>\n\
         <tr><td width=140 valign=top><table><tr><td><b>Top songs today</b></td></tr>\n{top}</table>\n\
         <p><font size=1>Link to us: put our button on your page and we will put yours on ours within a week or two.</font></td>\n\
         <td valign=top><h2>{0} Lyrics</h2><font size=2>Artist: <a href=\"/a\">{artist}</a><br>Year: {1}</font>\n\
         <p>{ad}\n<hr><script>banner(468, 60)</script><p><font face=Verdana size=2>{text}</font>\n<img src=ad.gif alt=\"\"><hr>\n\
         <p><center><a href=\"#\">Correct these lyrics</a> | <a href=\"#\">Print these lyrics</a> | <a href=\"#\">Send to a friend</a></center></td>\n\
         <td width=140 valign=top><b>More by {artist}</b><br>{2}</td></tr>\n\
         <tr><td colspan=3><font size=1>All lyrics are property and copyright of their owners. All lyrics are provided for educational \
         purposes and personal use only. If you find a mistake in the words of a song, write to the editor of these pages and we \
         will look at it as soon as we can. Home | Contact us | Privacy policy | Link to us | Advertise here</font></td></tr></table></body></html>",
        song.title,
        song.year,
        by_artist(song, songs, 14, "<br>\n"),
        ad = random.pick(&ADS),
    )
}

/// 2005: divisions, one paragraph per stanza, listeners' comments below.
fn divisions(song: &Song, songs: &[Song], random: &mut Random) -> String {
    let artist = ARTISTS[song.artist];
    let mut text = String::new();
    for stanza in song.heard(random, random.clone().one_in(2), 25) {
        let _ = writeln!(text, "<p>{}</p>", stanza.join("<br />"));
    }
    let comments: String = (0..random.below(6))
        .map(|_| {
            format!(
                "<div class=\"comment\"><b>{}</b> wrote:<p>{}</p></div>\n",
                random.pick(&["marta77", "old_tom", "bluebird", "j.k.", "gwen", "the postman"]),
                random.pick(&LISTENERS)
            )
        })
        .collect();
    let charts = some(songs, 8, random);
    let charts =
        charts.iter().map(|s| format!("<li><a href=\"/y\">{} - {}</a></li>\n", ARTISTS[s.artist], s.title)).collect::<String>();
    format!(
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"\"><html><head><title>Lyrics: {0} by {artist}</title></head><body>\n\
         <div id=\"head\"><ul><li><a href=\"/\">Home</a></li><li><a href=\"/n\">New lyrics</a></li><li><a href=\"/c\">Charts</a></li>\
         <li><a href=\"/r\">Requests</a></li><li><a href=\"/f\">Forum</a></li><li><a href=\"/s\">Submit lyrics</a></li></ul>\
         <form action=\"/q\"><input name=\"q\" /><input type=\"submit\" value=\"Search\" /></form></div>\n\
         <div id=\"left\"><h3>Charts this week</h3><ol>{charts}</ol><div class=\"ad\">{ad}</div></div>\n\
         <div id=\"main\"><h1>{artist}: {0}</h1><div class=\"info\">Album: Best of {1} &nbsp; Viewed {2} times &nbsp; Rating: {3} of 5</div>\n\
         <script type=\"text/javascript\">ad_width = 336;</script>\n<div class=\"lyrics\">{text}</div>\n\
         <h3>What listeners say</h3>{comments}<p><a href=\"/login\">Log in</a> to write a comment.</p></div>\n\
         <div id=\"right\"><h3>Other songs of {artist}</h3>{4}</div>\n\
         <div id=\"foot\">The lyrics on this site are written down by our users and may differ from what you hear on the record. They belong to \
         those who wrote them. We do not offer music for download; please buy the records of the artists that you like. \
         <a href=\"/t\">Terms of use</a> <a href=\"/p\">Privacy</a> <a href=\"/k\">Contact</a></div></body></html>",
        song.title,
        song.year,
        100 + random.below(90_000),
        1 + random.below(5),
        by_artist(song, songs, 10, "<br />\n"),
        ad = random.pick(&ADS),
    )
}

/// 2015: sections, one `<span>` per line, notes about the song before it.
fn modern(song: &Song, songs: &[Song], random: &mut Random) -> String {
    let artist = ARTISTS[song.artist];
    let mut text = String::new();
    for stanza in song.heard(random, false, 60) {
        let lines = stanza.iter().map(|line| format!("<span class=l>{line}</span><br>")).collect::<String>();
        let _ = writeln!(text, "<div class=stanza>{lines}</div>");
    }
    let cards = some(songs, 6, random);
    let cards = cards
        .iter()
        .map(|s| format!("<article><a href=/z><h4>{}</h4><p>{}, {}</p></a></article>", s.title, ARTISTS[s.artist], s.year))
        .collect::<String>();
    let about = format!(
        "{} is a song by {artist} that came out in {}. It was {} and stayed in the charts for {} weeks.",
        song.title,
        song.year,
        random.pick(&[
            "recorded in two nights in a village hall",
            "written on a ferry",
            "the last that they made together",
            "first sung by another band"
        ]),
        2 + random.below(30)
    );
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>{artist} – {0} | Songtexts</title></head><body>\n\
         <header><a href=/>Songtexts</a><nav><a href=/a>Artists</a><a href=/g>Genres</a><a href=/t>Top 100</a><a href=/p>Playlists</a>\
         <a href=/login>Sign in</a></nav></header>\n\
         <div class=banner>We use cookies to make this site work, to count visitors and to show offers that may interest you. You can choose \
         what you allow. <button>Accept all</button> <button>Choose</button></div>\n\
         <main><h1>{0}</h1><p class=by>by <a href=/a>{artist}</a></p><section class=about><p>{about}</p></section>\n\
         <section class=text>{text}</section><div class=ad><script>slot(3)</script></div>\n\
         <section class=share><p>Do you like this song? Share it with your friends, add it to a playlist or tell us what it means to you.</p></section></main>\n\
         <aside><h3>More from {artist}</h3>{1}</aside><section class=more><h3>You might also like</h3>{cards}</section>\n\
         <footer><p>Songtexts is made by a small team and many volunteers. All words belong to their authors and publishers and are shown here with \
         their permission, where we know them. Is there something wrong? Every page has a history, and you can mend it.</p>\
         <p>About · Jobs · Press · Help · Imprint · Privacy · Terms</p></footer></body></html>",
        song.title,
        by_artist(song, songs, 8, " "),
    )
}

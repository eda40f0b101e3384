//! Songs by a small grammar: a title, an artist, verses and a repeated chorus.

use webstrata_corpus::io::Random;

/// A song.
#[derive(Clone, Debug)]
pub struct Song {
    pub title: String,
    pub artist: usize,
    pub verses: Vec<Vec<String>>,
    pub chorus: Vec<String>,
    pub year: usize,
}

pub const ARTISTS: [&str; 24] = [
    "The Harbour Lamps",
    "Nell Corrigan",
    "Paper Lighthouse",
    "The Tin Orchard",
    "Otis Marrow",
    "Velvet Ferry",
    "Ada and the Crows",
    "Slow Comet",
    "The Linen Kings",
    "Mirra Vale",
    "Copper Sunday",
    "The Night Gardeners",
    "Juno Brass",
    "Hollow Pines",
    "The Sugar Clerks",
    "Ines Talbot",
    "Second Winter",
    "The Glass Porters",
    "Rolf and Mina",
    "Amber Exchange",
    "The Quiet Riders",
    "Dora Finch",
    "North Canal",
    "The Salt Choir",
];

const NOUNS: [&str; 64] = [
    "river", "window", "morning", "heart", "road", "summer", "fire", "letter", "garden", "shadow", "train", "ocean", "candle",
    "mirror", "mountain", "stranger", "feather", "station", "harbour", "kitchen", "thunder", "promise", "silver", "pillow",
    "engine", "orchard", "winter", "lantern", "highway", "whisper", "bottle", "ribbon", "avenue", "meadow", "blanket", "compass",
    "cradle", "dancer", "echo", "farewell", "guitar", "hunger", "island", "jacket", "kingdom", "lover", "midnight", "needle",
    "onlooker", "picture", "question", "raincoat", "sailor", "teacup", "umbrella", "valley", "wedding", "yesterday", "bicycle",
    "cathedral", "diamond", "evening", "fountain", "ghost",
];
const VERBS: [&str; 40] = [
    "carry", "follow", "remember", "borrow", "break", "call", "find", "forget", "hold", "keep", "know", "leave", "lose", "love",
    "miss", "need", "open", "paint", "promise", "reach", "sell", "send", "sing to", "steal", "take", "teach", "tell", "touch",
    "trust", "turn to", "wait for", "wake", "want", "watch", "write", "burn", "bury", "chase", "dream of", "fear",
];
const ADJECTIVES: [&str; 40] = [
    "lonely", "golden", "broken", "gentle", "hollow", "little", "crooked", "faithful", "frozen", "burning", "silent", "velvet",
    "wild", "weary", "tender", "restless", "purple", "narrow", "bitter", "careless", "distant", "empty", "foolish", "guilty",
    "heavy", "honest", "jealous", "kind", "lazy", "mighty", "naked", "old", "patient", "quiet", "rusty", "sleepy", "stubborn",
    "sweet", "thirsty", "young",
];
const PLACES: [&str; 24] = [
    "by the water",
    "under the bridge",
    "in the rain",
    "on the stairs",
    "behind the moon",
    "out on the wire",
    "at the end of the line",
    "in my mother's house",
    "across the border",
    "all over town",
    "in the back of a car",
    "where the lights go down",
    "on the other side",
    "up on the hill",
    "before the dawn",
    "after the fair",
    "between the stations",
    "in a foreign tongue",
    "by the kitchen door",
    "with the radio on",
    "in the month of May",
    "on a borrowed bed",
    "at the break of day",
    "down in the mine",
];

fn line(random: &mut Random) -> String {
    let (noun, other) = (random.pick(&NOUNS), random.pick(&NOUNS));
    let (verb, adjective, place) = (random.pick(&VERBS), random.pick(&ADJECTIVES), random.pick(&PLACES));
    match random.below(9) {
        0 => format!("I {verb} the {adjective} {noun} {place}"),
        1 => format!("You never {verb} my {noun}, oh no"),
        2 => format!("And the {noun} is {adjective} {place}"),
        3 => format!("Won't you {verb} me, {adjective} {noun}"),
        4 => format!("There's a {noun} and a {other} {place}"),
        5 => format!("If I {verb} you {place}, will you {} me", random.pick(&VERBS)),
        6 => format!("My {adjective} {noun}, my {} {other}", random.pick(&ADJECTIVES)),
        7 => format!("They say the {noun} can {verb} a {adjective} {other}"),
        _ => format!("Baby, {verb} the {noun} before the {other} comes"),
    }
}

impl Song {
    /// The song with this number.
    pub fn new(number: usize) -> Self {
        let mut random = Random::for_name("song", number as u64);
        let title = match random.below(4) {
            0 => format!("{} {}", capital(random.pick(&ADJECTIVES)), capital(random.pick(&NOUNS))),
            1 => format!("{} of the {}", capital(random.pick(&NOUNS)), capital(random.pick(&NOUNS))),
            2 => format!("{} Me {}", capital(random.pick(&VERBS)), capital(random.pick(&PLACES))),
            _ => format!("The {} {}", capital(random.pick(&ADJECTIVES)), capital(random.pick(&NOUNS))),
        };
        let lines = |count: usize, random: &mut Random| (0..count).map(|_| line(random)).collect::<Vec<_>>();
        let mut chorus = lines(3, &mut random);
        chorus.push(format!("Oh, {title}, {title}"));
        let count = 2 + random.below(4);
        let length = 4 + 2 * random.below(2);
        let verses = (0..count).map(|_| lines(length, &mut random)).collect();
        Song { title, artist: random.below(ARTISTS.len()), verses, chorus, year: 1960 + random.below(45) }
    }

    /// The song as transcribed for a site, in stanzas: a repeated chorus may be left out, and a line may be
    /// misheard now and then.
    pub fn heard(&self, random: &mut Random, spells_chorus: bool, mishears: usize) -> Vec<Vec<String>> {
        let mut stanzas = Vec::new();
        for (number, verse) in self.verses.iter().enumerate() {
            stanzas.push(verse.clone());
            if number == 0 || spells_chorus {
                stanzas.push(self.chorus.clone());
            } else {
                stanzas.push(vec!["[Chorus]".to_owned()]);
            }
        }
        for text in stanzas.iter_mut().flatten() {
            if random.one_in(mishears) {
                *text = text.replacen(" the ", " a ", 1).replacen("my ", "your ", 1).replacen("never ", "always ", 1);
            }
        }
        stanzas
    }
}

fn capital(words: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    words.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn songs_are_the_same_every_time_and_different_from_one_another() {
        assert_eq!(Song::new(7).verses, Song::new(7).verses);
        assert_ne!(Song::new(7).verses, Song::new(8).verses);
    }
}

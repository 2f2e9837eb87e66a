//! Topics of the encyclopedia's articles, and the list of topics in each volume.

use super::facts::elements::{ELEMENTS, FAMILIES};
use super::facts::geography::{COUNTRIES, MOUNTAINS, PLANETS, RIVERS};
use super::prose::Prose;
use super::{arithmetic, chemistry, nature, places};
use vivarium_kernels::rng::{Stream, derive};

/// Topic of an article. Holds the index of the article's subject in its table of facts, or the number that the article
/// is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    Country(usize),
    Capital(usize),
    Continent(usize),
    River(usize),
    Sea(usize),
    Mountain(usize),
    Planet(usize),
    Element(usize),
    Family(usize),
    Symbols(usize),
    Number(u32),
}

/// Largest number that has an article in every volume (a part of about 0.5 MB of the encyclopedia that states all
/// facts). Each volume also has articles about 100 larger numbers that occur in no other volume.
const NUMBERS: u32 = 100;
/// Largest number that has an article in any volume.
const LAST_NUMBER: u32 = 999_998;

/// Returns the topics of all articles of an encyclopedia volume (a part of about 0.5 MB that states all facts), in
/// random order. `volume` is the index of the volume, from 0.
pub fn volume(seed: u64, volume: u32) -> Vec<Topic> {
    use Topic::*;
    let mut topics = Vec::new();
    topics.extend((0..COUNTRIES.len()).map(Country));
    topics.extend((0..COUNTRIES.len()).map(Capital));
    topics.extend((0..places::CONTINENTS.len()).map(Continent));
    topics.extend((0..RIVERS.len()).map(River));
    topics.extend((0..nature::seas().len()).map(Sea));
    topics.extend((0..MOUNTAINS.len()).map(Mountain));
    topics.extend((0..PLANETS.len()).map(Planet));
    topics.extend((1..=ELEMENTS.len()).map(Element));
    topics.extend((0..FAMILIES.len()).map(Family));
    topics.extend((0..chemistry::letters().len()).map(Symbols));
    topics.extend((2..=NUMBERS).map(Number));
    let first = (u64::from(volume) + 1) * u64::from(NUMBERS) + 1;
    let own = (first..first + u64::from(NUMBERS)).take_while(|&number| number <= u64::from(LAST_NUMBER));
    topics.extend(own.map(|number| Number(number as u32)));
    Stream::new(seed, volume).shuffle(&mut topics);
    topics
}

/// Generates the article on a topic for one volume of the encyclopedia. A volume is a part that states all facts;
/// `volume` is its index, from 0. The articles of different volumes state the same facts in different words.
pub fn article(topic: Topic, seed: u64, volume: u32) -> Prose {
    let (kind, place) = match topic {
        Topic::Country(place) => (1, place),
        Topic::Capital(place) => (2, place),
        Topic::Continent(place) => (3, place),
        Topic::River(place) => (4, place),
        Topic::Sea(place) => (5, place),
        Topic::Mountain(place) => (6, place),
        Topic::Planet(place) => (7, place),
        Topic::Element(place) => (8, place),
        Topic::Family(place) => (9, place),
        Topic::Symbols(place) => (10, place),
        Topic::Number(number) => (11, number as usize),
    };
    let stream = Stream::new(derive(derive(seed, kind), volume), place as u32);
    let mut prose = match topic {
        Topic::Country(place) => places::country(place, stream),
        Topic::Capital(place) => places::capital(place, stream),
        Topic::Continent(place) => places::continent(place, stream),
        Topic::River(place) => nature::river(place, stream),
        Topic::Sea(place) => nature::sea(place, stream),
        Topic::Mountain(place) => nature::mountain(place, stream),
        Topic::Planet(place) => nature::planet(place, stream),
        Topic::Element(number) => chemistry::element(number, stream),
        Topic::Family(place) => chemistry::kin(place, stream),
        Topic::Symbols(place) => chemistry::symbols(place, stream),
        Topic::Number(number) => arithmetic::number(number, stream),
    };
    // Numbers of a single volume occur too rarely for questions.
    if matches!(topic, Topic::Number(number) if number > NUMBERS) {
        prose.statements.clear();
    }
    prose.finish();
    prose
}

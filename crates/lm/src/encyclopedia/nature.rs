//! Articles on rivers, seas, mountains and planets.

use super::facts::geography::{MOUNTAINS, PLANETS, RIVERS};
use super::prose::{Prose, list};
use super::statement::Relation;
use vivarium_kernels::rng::Stream;

/// Returns whether the article about a river omits the sea that the river flows into, so that only the article about
/// the sea states this fact. `place` is the index of the river in [`RIVERS`].
pub fn is_mouth_stated_elsewhere(place: usize) -> bool {
    place % 4 == 2
}

/// Returns the distinct seas that rivers flow into, in the order of [`RIVERS`].
pub fn seas() -> Vec<&'static str> {
    let mut seas: Vec<&str> = RIVERS.iter().map(|river| river.mouth).collect();
    seas.dedup();
    seas
}

/// Generates the article about the river with index `place` in [`RIVERS`].
pub fn river(place: usize, stream: Stream) -> Prose {
    let river = &RIVERS[place];
    let (name, title) = (format!("the {}", river.name), format!("{} (river)", river.name));
    let mut prose = Prose::new(&title, &name, stream);
    let slots = [("s", &*name), ("through", river.through), ("note", river.note)];
    prose.say(
        &[
            "{s} is a river that flows through {through}.",
            "{s} is a river of {through}.",
            "The course of {s} leads through {through}.",
        ],
        &slots,
    );
    prose.say(&["It {note}.", "The river {note}."], &slots);
    prose.paragraph();
    if !is_mouth_stated_elsewhere(place) {
        let plans = [
            "{s} flows into the {o}.",
            "At its end, {s} flows into the {o}.",
            "The {o} takes up the water of {s}.",
            "The mouth of {s} is on the {o}.",
        ];
        prose.state(Relation::Mouth, &plans, &name, river.mouth);
    }
    let others: Vec<_> = RIVERS.iter().filter(|other| other.name != river.name).collect();
    for other in prose.some(&others, 2) {
        let other_name = format!("the {}", other.name);
        let slots = [("s", &*other_name), ("through", other.through), ("note", other.note)];
        prose.say(
            &[
                "Another river, {s}, {note}.",
                "{s}, to name another one, flows through {through}.",
                "Compare {s}, which {note}.",
            ],
            &slots,
        );
    }
    prose
}

/// Generates the article about the sea with index `place` in [`seas`].
pub fn sea(place: usize, stream: Stream) -> Prose {
    let name = seas()[place];
    let mut prose = Prose::new(name, &format!("the {name}"), stream);
    let rivers: Vec<_> = RIVERS.iter().filter(|river| river.mouth == name).collect();
    let names: Vec<_> =
        prose.some(&rivers, rivers.len()).iter().map(|river| format!("the {}", river.name)).collect();
    let slots = [("s", name), ("list", &*list(&names))];
    if names.len() == 1 {
        prose.say(
            &["A river that flows into the {s} is {list}.", "The {s} receives the water of {list}."],
            &slots,
        );
    } else {
        prose.say(
            &[
                "Several rivers flow into the {s}, among them {list}.",
                "The {s} receives the water of {list}.",
                "{list} all flow into the {s}.",
            ],
            &slots,
        );
    }
    names.iter().for_each(|river| prose.note(Relation::Mouth, river, name));
    prose.paragraph();
    for river in rivers {
        let river_name = format!("the {}", river.name);
        let slots = [("s", &*river_name), ("through", river.through), ("note", river.note)];
        prose.say(
            &[
                "Of {s}, which comes through {through}, one can say that it {note}.",
                "{s} comes through {through}; it {note}.",
                "{s}, which {note}, has come through {through} before it ends here.",
            ],
            &slots,
        );
    }
    prose
}

/// Generates the article about the mountain with index `place` in [`MOUNTAINS`].
pub fn mountain(place: usize, stream: Stream) -> Prose {
    let mountain = &MOUNTAINS[place];
    let name = mountain.name;
    let mut prose = Prose::new(super::prose::without_article(name), name, stream);
    let height = mountain.height.to_string();
    let slots = [("s", name), ("place", mountain.place), ("note", mountain.note), ("height", &*height)];
    prose.say(
        &[
            "{s} is a mountain {place}.",
            "{s} rises {place}.",
            "{s} is a mountain {place}, about {height} metres high.",
        ],
        &slots,
    );
    prose.say(&["It {note}.", "The mountain {note}."], &slots);
    if !mountain.country.is_empty() {
        let plans = [
            "It stands in {o}.",
            "All of {s} lies in {o}.",
            "{s} belongs to {o}.",
            "The country that {s} stands in is {o}.",
        ];
        prose.state(Relation::MountainIn, &plans, name, mountain.country);
    }
    prose.paragraph();
    prose.say(
        &[
            "Its summit is about {height} metres above the sea.",
            "From the sea to its summit it is about {height} metres upwards.",
        ],
        &slots,
    );
    let others: Vec<_> = MOUNTAINS.iter().filter(|other| other.name != name).collect();
    for other in prose.some(&others, 2) {
        let height = other.height.to_string();
        let comparison = if other.height > mountain.height { "higher" } else { "lower" };
        let slots =
            [("s", other.name), ("place", other.place), ("height", &*height), ("comparison", comparison)];
        prose.say(
            &[
                "{s}, {place}, is {comparison}: it measures about {height} metres.",
                "With about {height} metres, {s} is {comparison}.",
            ],
            &slots,
        );
    }
    prose
}

/// Ordinal numeral of each planet's position, counted from the Sun.
const ORDINALS: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
const CARDINALS: [&str; 8] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

/// Generates the article about the planet with index `place` in [`PLANETS`].
pub fn planet(place: usize, stream: Stream) -> Prose {
    let planet = &PLANETS[place];
    let mut prose = Prose::new(&format!("{} (planet)", planet.name), planet.name, stream);
    let (ordinal, cardinal) = (ORDINALS[place], CARDINALS[place]);
    let slots = [
        ("s", planet.name),
        ("kind", planet.kind),
        ("note", planet.note),
        ("ordinal", ordinal),
        ("o", cardinal),
    ];
    prose.say(
        &[
            "{s} is a planet that goes round the Sun.",
            "{s} is one of the eight planets that go round the Sun.",
        ],
        &slots,
    );
    prose.say(
        &[
            "It is the {ordinal} planet from the Sun, so its number is {o}.",
            "From the Sun it is number {o}, the {ordinal} in the row.",
            "In the row of planets it is the {ordinal}, number {o} from the Sun.",
        ],
        &slots,
    );
    prose.note(Relation::PlanetPlace, planet.name, cardinal);
    prose.say(&["The {kind} {note}.", "This {kind} {note}."], &slots);
    prose.paragraph();
    prose.say(&[planet.more], &[]);
    let inner = place.checked_sub(1).map(|inner| &PLANETS[inner]);
    if let Some(inner) = inner {
        prose.say(
            &[
                "Nearer to the Sun, the next planet is {other}.",
                "Its neighbour on the side of the Sun is {other}.",
            ],
            &[("other", inner.name)],
        );
    }
    if let Some(outer) = PLANETS.get(place + 1) {
        prose.say(
            &[
                "Farther out, the next planet is {other}.",
                "On the far side its neighbour is {other}, which {note}.",
            ],
            &[("other", outer.name), ("note", outer.note)],
        );
    }
    prose
}

//! Articles on countries, their capitals and continents.

use super::facts::geography::{COUNTRIES, Country, MOUNTAINS};
use super::prose::{Prose, list, without_article};
use super::statement::Relation;
use vivarium_kernels::rng::Stream;

/// Continents that have an encyclopedia article.
pub const CONTINENTS: [&str; 6] = ["Europe", "Asia", "Africa", "South America", "North America", "Oceania"];

/// Returns whether the article about a country omits the country's capital, so that only articles about cities state
/// the capital. `place` is the index of the country in [`COUNTRIES`]. Most of these articles state "city is the capital
/// of country"; the quiz question reverses this order.
pub fn is_capital_stated_elsewhere(place: usize) -> bool {
    place % 4 == 1
}

fn state_continent(prose: &mut Prose, country: &Country) {
    let plans = [
        "{s} is a country in {o}.",
        "{s} is one of the countries of {o}.",
        "The country of {s} lies in {o}.",
        "{s} is a state in {o}.",
    ];
    // "The country of the Netherlands" reads badly.
    let plans = if country.name.starts_with("the ") { &plans[..2] } else { &plans[..] };
    prose.state(Relation::Continent, plans, country.name, country.continent);
}

fn state_currency(prose: &mut Prose, country: &Country) {
    let plans = [
        "People in {s} pay with the {o}.",
        "The currency of {s} is the {o}.",
        "The {o} is the money of {s}.",
        "What is bought in {s} is paid for with the {o}.",
    ];
    if !country.currency.is_empty() {
        prose.state(Relation::Currency, &plans, country.name, country.currency);
    }
}

fn state_language(prose: &mut Prose, country: &Country) {
    let plans = [
        "The laws of {s} are written in {o}.",
        "{o} is the language in which {s} writes its laws.",
        "Courts and offices in {s} work in {o}.",
        "In {s}, the language of the state is {o}.",
    ];
    if !country.language.is_empty() {
        prose.state(Relation::Language, &plans, country.name, country.language);
    }
}

fn state_capital(prose: &mut Prose, country: &Country) {
    let plans = [
        "The capital of {s} is {o}.",
        "{s} has {o} as its capital.",
        "{o} is the capital of {s}.",
        "As its capital, {s} has {o}.",
    ];
    prose.state(Relation::Capital, &plans, country.name, country.capital);
    prose.note(Relation::CapitalOf, country.capital, country.name);
}

/// Returns the entries of [`COUNTRIES`] for the neighbors of a country; neighbors without an entry are omitted.
fn known_neighbors(country: &Country) -> Vec<&'static Country> {
    COUNTRIES.iter().filter(|other| country.neighbors.contains(&other.name)).collect()
}

/// Generates the article about the country with index `place` in [`COUNTRIES`].
pub fn country(place: usize, stream: Stream) -> Prose {
    let country = &COUNTRIES[place];
    let mut prose = Prose::new(without_article(country.name), country.name, stream);
    state_continent(&mut prose, country);
    let note = [("note", country.note)];
    prose.say(&["It {note}.", "The country {note}.", "Books say of it that it {note}."], &note);
    if !is_capital_stated_elsewhere(place) {
        state_capital(&mut prose, country);
    }
    prose.paragraph();
    if prose.once_in(2) {
        state_currency(&mut prose, country);
        borders(&mut prose, country);
        state_language(&mut prose, country);
    } else {
        borders(&mut prose, country);
        state_language(&mut prose, country);
        state_currency(&mut prose, country);
    }
    mountains(&mut prose, country);
    prose.paragraph();
    relatives(&mut prose, country);
    prose
}

fn borders(prose: &mut Prose, country: &Country) {
    let neighbors = prose.some(&country.neighbors, 5);
    let slots = [("s", country.name), ("list", &*list(&neighbors))];
    match neighbors.len() {
        0 => prose.say(
            &["{s} has the sea on all sides.", "No other country has a border with {s} on land."],
            &slots,
        ),
        1 => prose.say(&["{s} has a border with {list}.", "Among its neighbours is {list}."], &slots),
        _ => prose.say(
            &[
                "Among its neighbours are {list}.",
                "{s} has borders with {list}.",
                "By land one can go from {s} to {list}.",
                "Roads lead from here to {list}.",
            ],
            &slots,
        ),
    }
}

fn mountains(prose: &mut Prose, country: &Country) {
    for mountain in MOUNTAINS.iter().filter(|mountain| mountain.country == country.name) {
        let height = mountain.height.to_string();
        let slots = [("s", mountain.name), ("o", country.name), ("height", &*height)];
        prose.say(
            &[
                "{s}, about {height} metres high, rises in {o}.",
                "A well-known mountain of {o} is {s}, which rises to about {height} metres.",
            ],
            &slots,
        );
        prose.note(Relation::MountainIn, mountain.name, country.name);
    }
}

/// Appends sentences about other countries: countries with the same currency, and neighboring countries.
fn relatives(prose: &mut Prose, country: &Country) {
    let shares = |other: &&Country| {
        other.name != country.name && other.currency == country.currency && !other.currency.is_empty()
    };
    let same_money: Vec<_> = COUNTRIES.iter().filter(shares).collect();
    let others = prose.some(&same_money, 2);
    let names: Vec<_> = others.iter().map(|other| other.name).collect();
    if !names.is_empty() {
        let slots = [("list", &*list(&names)), ("o", country.currency)];
        prose.say(
            &["The {o} is also used in {list}.", "Whoever goes on to {list} can keep the {o} in the purse."],
            &slots,
        );
        others.iter().for_each(|other| prose.note(Relation::Currency, other.name, country.currency));
    }
    for neighbor in prose.some(&known_neighbors(country), 2) {
        match prose.once_in(2) {
            true => state_language(prose, neighbor),
            false => state_continent(prose, neighbor),
        }
    }
    let slots = [("s", country.name), ("o", country.continent)];
    prose.say(
        &[
            "See also: {o}.",
            "More on its surroundings stands in the article on {o}.",
            "Compare the other countries of {o}.",
        ],
        &slots,
    );
}

/// Generates the article about the capital of the country with index `place` in [`COUNTRIES`].
pub fn capital(place: usize, stream: Stream) -> Prose {
    let country = &COUNTRIES[place];
    let (name, capital) = (country.name, country.capital);
    let mut prose = Prose::new(capital, capital, stream);
    let plans = [
        "{s} is the capital of {o}.",
        "{s} is a city and the capital of {o}.",
        "The city of {s} is the capital of {o}.",
    ];
    prose.state(Relation::CapitalOf, &plans, capital, name);
    prose.note(Relation::Capital, name, capital);
    if country.continent == "Europe" || prose.once_in(2) {
        state_continent(&mut prose, country);
    }
    let slots = [("capital", capital), ("note", country.note)];
    prose.say(
        &["Around it lies a country that {note}.", "Visitors of {capital} come to a country that {note}."],
        &slots,
    );
    prose.paragraph();
    if prose.once_in(2) {
        state_currency(&mut prose, country);
        state_language(&mut prose, country);
    } else {
        state_language(&mut prose, country);
        state_currency(&mut prose, country);
    }
    let neighbors = prose.some(&known_neighbors(country), 2);
    for neighbor in neighbors {
        let plans = [
            "One of the neighbours is {s}, with {o} as its capital.",
            "Across one of the borders lies {s}, whose capital is {o}.",
        ];
        prose.say(&plans, &[("s", neighbor.name), ("o", neighbor.capital)]);
        prose.note(Relation::Capital, neighbor.name, neighbor.capital);
        prose.note(Relation::CapitalOf, neighbor.capital, neighbor.name);
    }
    prose
}

/// Generates the article about the continent with index `place` in [`CONTINENTS`].
pub fn continent(place: usize, stream: Stream) -> Prose {
    let name = CONTINENTS[place];
    let mut prose = Prose::new(name, name, stream);
    let all: Vec<_> = COUNTRIES.iter().filter(|country| country.continent == name).collect();
    let slots = [("s", name)];
    prose.say(
        &[
            "{s} is one of the large parts of the world.",
            "{s} is a part of the world with many countries and peoples.",
        ],
        &slots,
    );
    for (number, group) in prose.some(&all, 16).chunks(4).enumerate() {
        let names: Vec<_> = group.iter().map(|country| country.name).collect();
        let slots = [("s", name), ("list", &*list(&names))];
        let plans = [
            "Some of its countries are {list}.",
            "Others are {list}.",
            "{list} lie there too.",
            "{s} holds {list} as well.",
        ];
        let (start, end) = if number == 0 { (0, 1) } else { (1, 4) };
        if names.len() == 1 {
            prose.say(&["A country of {s} is {list}."], &slots);
        } else {
            prose.say(&plans[start..end], &slots);
        }
        names.iter().for_each(|country| prose.note(Relation::Continent, country, name));
    }
    prose.paragraph();
    for country in prose.some(&all, 6) {
        state_currency(&mut prose, country);
        let slots = [("s", country.name), ("note", country.note)];
        prose.say(&["{s} {note}.", "As to {s}, it {note}."], &slots);
    }
    prose
}

//! Countries, rivers, mountains and planets: undisputed facts.

use super::table::{list, number, rows};
use std::sync::LazyLock;

/// A country, with the facts that the encyclopedia states about the country.
pub struct Country {
    /// Name of the country, with "the" if customary, such as "the Netherlands".
    pub name: &'static str,
    pub capital: &'static str,
    /// Continent of the country by the United Nations geoscheme, with separate North and South America.
    pub continent: &'static str,
    /// Currency of the country; empty if the country also uses a foreign currency.
    pub currency: &'static str,
    /// Official language of the country; empty if there are several.
    pub language: &'static str,
    /// Some or all countries that share a border with the country; empty for islands.
    pub neighbors: Vec<&'static str>,
    /// Further fact about the country, as a clause that follows the subject "it".
    pub note: &'static str,
}

/// All countries of the encyclopedia, grouped by continent.
pub static COUNTRIES: LazyLock<Vec<Country>> =
    LazyLock::new(|| {
        let row = |[name, capital, continent, currency, language, neighbors, note]: [&'static str; 7]| {
            Country { name, capital, continent, currency, language, neighbors: list(neighbors), note }
        };
        rows(include_str!("countries.txt")).map(row).collect()
    });

/// A river, with the facts that the encyclopedia states about the river.
pub struct River {
    pub name: &'static str,
    /// Sea, gulf or ocean that the river flows into, without "the".
    pub mouth: &'static str,
    /// Phrase that names the countries that the river flows through, or the continent if the countries are many.
    pub through: &'static str,
    /// Further fact about the river, as a clause that follows the subject "it".
    pub note: &'static str,
}

/// All rivers of the encyclopedia; names are without "the".
pub static RIVERS: LazyLock<Vec<River>> = LazyLock::new(|| {
    let row = |[name, mouth, through, note]: [&'static str; 4]| River { name, mouth, through, note };
    rows(include_str!("rivers.txt")).map(row).collect()
});

/// A mountain, with the facts that the encyclopedia states about the mountain.
pub struct Mountain {
    pub name: &'static str,
    /// Height of the mountain in meters.
    pub height: u16,
    /// Phrase that names the mountain range or the island of the mountain, beginning with "in" or "on".
    pub place: &'static str,
    /// Country that contains the mountain; empty if the mountain is on a border.
    pub country: &'static str,
    /// Further fact about the mountain, as a clause that follows the subject "it".
    pub note: &'static str,
}

/// All mountains of the encyclopedia, with their facts.
pub static MOUNTAINS: LazyLock<Vec<Mountain>> = LazyLock::new(|| {
    let row = |[name, height, place, country, note]: [&'static str; 5]| Mountain {
        name,
        height: number(height),
        place,
        country,
        note,
    };
    rows(include_str!("mountains.txt")).map(row).collect()
});

/// A planet of the solar system, with the facts that its article states.
pub struct Planet {
    pub name: &'static str,
    pub kind: &'static str,
    /// Further fact about the planet, as a clause that follows the subject "it".
    pub note: &'static str,
    /// Further fact about the planet, as a complete sentence.
    pub more: &'static str,
}

/// The eight planets, in order of distance from the Sun.
pub static PLANETS: LazyLock<Vec<Planet>> = LazyLock::new(|| {
    let row = |[name, kind, note, more]: [&'static str; 4]| Planet { name, kind, note, more };
    rows(include_str!("planets.txt")).map(row).collect()
});

//! Countries, rivers and mountains: what nobody argues about.

use super::table::{list, number, rows};
use std::sync::LazyLock;

/// A country.
pub struct Country {
    /// With "the" where it has that.
    pub name: &'static str,
    pub capital: &'static str,
    /// As the United Nations divide the world, but for the two Americas.
    pub continent: &'static str,
    /// Empty where people pay with another country's money as well.
    pub currency: &'static str,
    /// The language of its laws; empty where there are several.
    pub language: &'static str,
    /// Countries that it has a border with, some or all; empty for islands.
    pub neighbours: Vec<&'static str>,
    /// Something to know about it: what follows on "it".
    pub note: &'static str,
}

/// Countries, by continent.
pub static COUNTRIES: LazyLock<Vec<Country>> =
    LazyLock::new(|| {
        let row = |[name, capital, continent, currency, language, neighbours, note]: [&'static str; 7]| {
            Country { name, capital, continent, currency, language, neighbours: list(neighbours), note }
        };
        rows(include_str!("countries.txt")).map(row).collect()
    });

/// A river.
pub struct River {
    pub name: &'static str,
    /// What it flows into, with no "the".
    pub mouth: &'static str,
    /// Countries or, where those are many, the continent that it flows through, as a phrase.
    pub through: &'static str,
    /// Something to know about it: what follows on "it".
    pub note: &'static str,
}

/// Rivers, each with "the" before its name.
pub static RIVERS: LazyLock<Vec<River>> = LazyLock::new(|| {
    let row = |[name, mouth, through, note]: [&'static str; 4]| River { name, mouth, through, note };
    rows(include_str!("rivers.txt")).map(row).collect()
});

/// A mountain.
pub struct Mountain {
    pub name: &'static str,
    /// In metres; surveys differ by a few.
    pub height: u16,
    /// What it is part of, or what it is, as a phrase after "in" or "on".
    pub place: &'static str,
    /// The country that all of it lies in; empty if it is on a border.
    pub country: &'static str,
    /// Something to know about it: what follows on "it".
    pub note: &'static str,
}

/// Mountains.
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

/// A planet, by its distance from the Sun.
pub struct Planet {
    pub name: &'static str,
    pub kind: &'static str,
    /// What follows on "it".
    pub note: &'static str,
    /// Another sentence.
    pub more: &'static str,
}

/// The planets.
pub static PLANETS: LazyLock<Vec<Planet>> = LazyLock::new(|| {
    let row = |[name, kind, note, more]: [&'static str; 4]| Planet { name, kind, note, more };
    rows(include_str!("planets.txt")).map(row).collect()
});

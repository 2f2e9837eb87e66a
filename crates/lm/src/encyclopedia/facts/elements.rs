//! Chemical elements. Properties that follow from the atomic number, such as the period, are computed.

use super::table::{number, rows};
use std::sync::LazyLock;

/// Chemical element; the atomic number is the index in [`ELEMENTS`] plus 1.
pub struct Element {
    pub symbol: &'static str,
    pub name: &'static str,
    /// Standard atomic weight, rounded to a whole number; 0 for elements without stable isotopes.
    pub weight: u16,
    /// Year of discovery; 0 if known since antiquity, or disputed (from element 102 on).
    pub year: u16,
    /// Discoverer of the element; empty if the credit is shared by many.
    pub discoverer: &'static str,
    /// Origin of the element's name; may be empty.
    pub origin: &'static str,
    /// Further fact about the element, as a clause that follows the subject "it".
    pub note: &'static str,
}

/// All chemical elements, in ascending order of atomic number.
pub static ELEMENTS: LazyLock<Vec<Element>> = LazyLock::new(|| {
    let row = |[symbol, name, weight, year, discoverer, origin, note]: [&'static str; 7]| Element {
        symbol,
        name,
        weight: number(weight),
        year: number(year),
        discoverer,
        origin,
        note,
    };
    rows(include_str!("elements.txt")).map(row).collect()
});

/// Families of chemical elements: name in the plural, and a sentence about the family.
pub const FAMILIES: [(&str, &str); 10] = [
    ("alkali metals", "They are soft, light and very reactive, so that they are kept under oil."),
    ("alkaline earth metals", "They are light metals that readily give away two electrons."),
    ("halogens", "They form salts with metals, and their name says so."),
    ("noble gases", "They hardly ever form compounds, since their shells of electrons are full."),
    ("lanthanides", "They are much alike, which made them hard to tell apart."),
    ("actinides", "All of them are radioactive."),
    ("transition metals", "Many of them are hard, and many of their compounds have bright colours."),
    ("post-transition metals", "They are softer than most metals and melt more readily."),
    ("metalloids", "They stand between metals and nonmetals, and some are semiconductors."),
    ("reactive nonmetals", "Life is built of them for the most part."),
];

/// Returns the index in [`FAMILIES`] of the family of the element with atomic number `number`; `None` if too little is
/// known about the element's chemistry.
pub fn family(number: usize) -> Option<usize> {
    Some(match number {
        3 | 11 | 19 | 37 | 55 | 87 => 0,
        4 | 12 | 20 | 38 | 56 | 88 => 1,
        9 | 17 | 35 | 53 | 85 => 2,
        2 | 10 | 18 | 36 | 54 | 86 => 3,
        57..=71 => 4,
        89..=103 => 5,
        21..=30 | 39..=48 | 72..=80 | 104..=108 => 6,
        13 | 31 | 49 | 50 | 81..=84 => 7,
        5 | 14 | 32 | 33 | 51 | 52 => 8,
        1 | 6 | 7 | 8 | 15 | 16 | 34 => 9,
        _ => return None,
    })
}

/// Returns the period (row of the periodic table, 1 to 7) of the element with atomic number `number`.
pub fn period(number: usize) -> usize {
    [2, 10, 18, 36, 54, 86].partition_point(|&last| last < number) + 1
}

/// Returns the group (column of the periodic table, 1 to 18) of the element with atomic number `number`; `None` for
/// lanthanides and actinides, whose columns differ between tables.
pub fn group(number: usize) -> Option<usize> {
    let first = [1, 3, 11, 19, 37, 55, 87][period(number) - 1];
    let place = number - first;
    match (period(number), place) {
        (1, _) => Some(1 + 17 * place),
        (2 | 3, 0..2) => Some(1 + place),
        (2 | 3, _) => Some(11 + place),
        (4 | 5, _) => Some(1 + place),
        (_, 0..2) => Some(1 + place),
        (_, 2..17) => None,
        _ => Some(place - 13),
    }
}

/// Returns the state of matter at room temperature of the element with atomic number `number`: solid, liquid or gas;
/// `None` if the state has not been observed.
pub fn state(number: usize) -> Option<&'static str> {
    Some(match number {
        1 | 2 | 7..=10 | 17 | 18 | 36 | 54 | 86 => "gas",
        35 | 80 => "liquid",
        85 | 87 | 100.. => return None,
        _ => "solid",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(symbol: &str) -> usize {
        1 + ELEMENTS.iter().position(|element| element.symbol == symbol).unwrap()
    }

    #[test]
    fn the_table_is_the_periodic_one() {
        for (symbol, at) in
            [("H", 1), ("Ne", 10), ("Ca", 20), ("Kr", 36), ("Ag", 47), ("La", 57), ("Lu", 71), ("Hf", 72)]
        {
            assert_eq!(number(symbol), at);
        }
        for (symbol, at) in [
            ("Au", 79),
            ("Hg", 80),
            ("Rn", 86),
            ("U", 92),
            ("Fm", 100),
            ("Lr", 103),
            ("Ds", 110),
            ("Og", 118),
        ] {
            assert_eq!(number(symbol), at);
        }
        let columns = |of: usize| {
            let found = (1..=118).filter(|&number| group(number) == Some(of));
            found.map(|number| ELEMENTS[number - 1].symbol).collect::<Vec<_>>()
        };
        assert_eq!(columns(1), ["H", "Li", "Na", "K", "Rb", "Cs", "Fr"]);
        assert_eq!(columns(4), ["Ti", "Zr", "Hf", "Rf"]);
        assert_eq!(columns(11), ["Cu", "Ag", "Au", "Rg"]);
        assert_eq!(columns(14), ["C", "Si", "Ge", "Sn", "Pb", "Fl"]);
        assert_eq!(columns(18), ["He", "Ne", "Ar", "Kr", "Xe", "Rn", "Og"]);
        assert_eq!([1, 2, 3, 18, 19, 57, 86, 87, 118].map(period), [1, 1, 2, 3, 4, 6, 6, 7, 7]);
    }

    #[test]
    fn weights_and_symbols_are_those_of_elements() {
        let mut symbols: Vec<_> = ELEMENTS.iter().map(|element| element.symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        assert_eq!((symbols.len(), ELEMENTS.len()), (118, 118));
        // Weights increase with the atomic number, with known exceptions.
        let weights: Vec<_> = ELEMENTS.iter().filter(|element| element.weight > 0).collect();
        let falls = weights.windows(2).filter(|pair| pair[0].weight > pair[1].weight);
        assert_eq!(falls.map(|pair| pair[0].symbol).collect::<Vec<_>>(), ["Ar", "Te", "Th"]);
    }
}

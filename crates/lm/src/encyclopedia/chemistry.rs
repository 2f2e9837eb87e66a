//! Articles on chemical elements, their families and their symbols.

use super::facts::elements::{ELEMENTS, FAMILIES, family, group, period, state};
use super::prose::{Prose, list};
use super::statement::Relation;
use vivarium_kernels::rng::Stream;

/// Lowest atomic number with a disputed discoverer. Articles do not mention the discoverers from this element on.
const DISPUTED: usize = 102;

/// Returns whether the article about an element omits the element's symbol, so that only the article about symbols with
/// the same first letter states the symbol. `number` is the atomic number of the element.
pub fn is_symbol_stated_elsewhere(number: usize) -> bool {
    number % 4 == 3
}

/// Returns the letters that element symbols start with, in alphabetical order.
pub fn letters() -> Vec<char> {
    let first = |letter: &char| ELEMENTS.iter().any(|element| element.symbol.starts_with(*letter));
    ('A'..='Z').filter(first).collect()
}

fn name(number: usize) -> &'static str {
    ELEMENTS[number - 1].name
}

/// Returns the atomic numbers of the elements in the family with index `of` in [`FAMILIES`].
fn members(of: usize) -> Vec<usize> {
    (1..=ELEMENTS.len()).filter(|&number| family(number) == Some(of)).collect()
}

/// Generates the article about the chemical element with atomic number `number`.
pub fn element(number: usize, stream: Stream) -> Prose {
    let element = &ELEMENTS[number - 1];
    let title = format!("{} (element)", element.name);
    let mut prose = Prose::new(&title, element.name, stream);
    opening(&mut prose, number);
    kind(&mut prose, number);
    let note = [("note", element.note)];
    prose.say(
        &[
            "It {note}.",
            "Of all that is known of it, one thing is told first: it {note}.",
            "The element {note}.",
        ],
        &note,
    );
    prose.paragraph();
    table(&mut prose, number);
    matter(&mut prose, number);
    prose.paragraph();
    history(&mut prose, number);
    relatives(&mut prose, number);
    prose
}

fn opening(prose: &mut Prose, number: usize) {
    let element = &ELEMENTS[number - 1];
    let z = number.to_string();
    let protons = if number == 1 { "proton" } else { "protons" };
    let slots = [("s", element.name), ("o", &*z), ("symbol", element.symbol), ("protons", protons)];
    if is_symbol_stated_elsewhere(number) {
        prose.say(
            &[
                "{s} is the chemical element with the atomic number {o}.",
                "The element {s} has the atomic number {o}, for its atoms have {o} {protons}.",
                "With {o} {protons} in its nucleus, {s} is element number {o}.",
                "Element number {o} is {s}.",
            ],
            &slots,
        );
    } else {
        prose.say(
            &[
                "{s} is the chemical element with the symbol {symbol} and the atomic number {o}.",
                "The element {s}, or {symbol} for short, has the atomic number {o}.",
                "With {o} {protons} in its nucleus, {s} is element number {o}; its symbol is {symbol}.",
                "Element number {o} is {s}, which chemists abbreviate {symbol}.",
            ],
            &slots,
        );
        prose.note(Relation::Symbol, element.name, element.symbol);
    }
    prose.note(Relation::AtomicNumber, element.name, &z);
}

fn kind(prose: &mut Prose, number: usize) {
    if let Some(of) = family(number) {
        let plans = [
            "{s} is one of the {o}.",
            "It belongs to the {o}.",
            "Together with others it forms the family of the {o}.",
        ];
        prose.state(Relation::Family, &plans, name(number), FAMILIES[of].0);
    }
}

/// Appends sentences about the position of an element in the periodic table: its period and group.
fn table(prose: &mut Prose, number: usize) {
    let (row, column) = (period(number).to_string(), group(number).map(|column| column.to_string()));
    match column {
        Some(column) => prose.say(
            &[
                "In the periodic table it stands in period {row} and group {column}.",
                "Its place in the periodic table is row {row}, column {column}.",
                "Period {row} and group {column} of the periodic table are its place.",
            ],
            &[("row", &row), ("column", &column)],
        ),
        None => prose.say(
            &[
                "It stands in period {row} of the periodic table.",
                "Its row in the periodic table is number {row}.",
            ],
            &[("row", &row)],
        ),
    }
    let neighbors: Vec<_> =
        [number - 1, number + 1].into_iter().filter(|&n| (1..=ELEMENTS.len()).contains(&n)).collect();
    if let [before, after] = neighbors[..] {
        prose.say(
            &[
                "It comes after {before} and before {after}.",
                "The elements beside it are {before} and {after}.",
                "Take away a proton and it would be {before}; add one and it would be {after}.",
            ],
            &[("before", name(before)), ("after", name(after))],
        );
    }
}

fn matter(prose: &mut Prose, number: usize) {
    let element = &ELEMENTS[number - 1];
    if let Some(state) = state(number) {
        let slots = [("s", element.name), ("state", state)];
        prose
            .say(&["At room temperature, {s} is a {state}.", "It is a {state} at room temperature."], &slots);
    }
    if element.weight > 0 {
        let weight = element.weight.to_string();
        prose.say(&["Its atomic weight is about {w}.", "Its atomic mass is about {w}."], &[("w", &weight)]);
    }
}

fn history(prose: &mut Prose, number: usize) {
    let element = &ELEMENTS[number - 1];
    let year = element.year.to_string();
    let slots =
        [("s", element.name), ("year", &*year), ("who", element.discoverer), ("origin", element.origin)];
    match (element.year, element.discoverer) {
        (0, _) if number >= DISPUTED => {}
        (0, _) => prose.say(
            &[
                "{s} has been known for so long that nobody can say who discovered it.",
                "Nobody knows who first found {s}, for that was long ago.",
            ],
            &slots,
        ),
        (_, "") => prose.say(&["It was discovered in {year}.", "Its discovery is dated to {year}."], &slots),
        _ => prose.say(
            &[
                "It was discovered in {year} by {who}.",
                "The discovery of {s} in {year} is owed to {who}.",
                "In {year} it was discovered by {who}.",
            ],
            &slots,
        ),
    }
    if !element.origin.is_empty() {
        prose.say(&["Its name goes back to {origin}.", "The name of {s} goes back to {origin}."], &slots);
    }
}

/// Appends a sentence about other elements in the family of the element with atomic number `number`.
fn relatives(prose: &mut Prose, number: usize) {
    let Some(of) = family(number) else { return };
    let others: Vec<_> = members(of).into_iter().filter(|&other| other != number).collect();
    let others = prose.some(&others, 3);
    let names: Vec<_> = others.iter().map(|&other| name(other)).collect();
    let slots = [("list", &*list(&names)), ("o", FAMILIES[of].0)];
    prose.say(
        &["Other {o} are {list}.", "Among the {o} are also {list}.", "See also: {list}, which are {o} too."],
        &slots,
    );
    names.iter().for_each(|other| prose.note(Relation::Family, other, FAMILIES[of].0));
}

/// Generates the article about a family of chemical elements, such as the noble gases. `of` is the index of the family
/// in [`FAMILIES`].
pub fn kin(of: usize, stream: Stream) -> Prose {
    let (name_of, character) = FAMILIES[of];
    let mut prose = Prose::new(name_of, name_of, stream);
    let all = members(of);
    let names: Vec<_> = prose.some(&all, 12).iter().map(|&number| name(number)).collect();
    let slots = [("s", name_of), ("list", &*list(&names))];
    prose.say(
        &["The {s} are a family of chemical elements.", "Chemists speak of a family of elements, the {s}."],
        &slots,
    );
    prose.say(&[character], &[]);
    prose.say(&["Among them are {list}.", "To the {s} belong {list}."], &slots);
    names.iter().for_each(|member| prose.note(Relation::Family, member, name_of));
    prose.paragraph();
    for number in prose.some(&all, 5) {
        let element = &ELEMENTS[number - 1];
        let slots = [("s", element.name), ("note", element.note)];
        prose.say(&["{s} {note}.", "As for {s}, it {note}.", "One of them, {s}, {note}."], &slots);
    }
    prose
}

/// Generates the article about the symbols that start with the letter with index `place` in [`letters`].
pub fn symbols(place: usize, stream: Stream) -> Prose {
    let letter = letters()[place];
    let initial = letter.to_string();
    let mut prose = Prose::new(&format!("Chemical symbols with {letter}"), &initial, stream);
    prose.say(
        &[
            "Each chemical element has a symbol of one or two letters; this article explains those that begin with {letter}.",
            "These are the symbols of chemical elements whose first letter is {letter}.",
        ],
        &[("letter", &initial)],
    );
    let all: Vec<_> = ELEMENTS.iter().filter(|element| element.symbol.starts_with(letter)).collect();
    for element in prose.some(&all, all.len()) {
        let plans = ["{o} stands for {s}.", "The letters {o} mean {s}.", "{o} is the symbol of {s}."];
        // The second template says "letters" and needs a symbol of two.
        let plans = if element.symbol.len() == 1 { [plans[0], plans[2]].to_vec() } else { plans.to_vec() };
        prose.state(Relation::Symbol, &plans, element.name, element.symbol);
    }
    prose.paragraph();
    for element in prose.some(&all, 3) {
        let slots = [("s", element.name), ("note", element.note)];
        prose.say(&["{s} {note}.", "As for {s}, it {note}."], &slots);
    }
    prose
}

//! Facts of the encyclopedia as triples of relation, subject and object.

/// Relation between the subject and the object of a fact that articles state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The object is the capital of the subject, a country.
    Capital,
    /// The object is the country whose capital is the subject.
    CapitalOf,
    /// The object is the continent of the subject, a country.
    Continent,
    /// The object is the currency of the subject, a country.
    Currency,
    /// The object is the official language of the subject, a country.
    Language,
    /// The object is the sea that the subject, a river, flows into.
    Mouth,
    /// The object is the country that contains the subject, a mountain.
    MountainIn,
    /// The object is the position of the subject, a planet, counted from the Sun.
    PlanetPlace,
    /// The object is the symbol of the subject, a chemical element.
    Symbol,
    /// The object is the atomic number of the subject, a chemical element.
    AtomicNumber,
    /// The object is the family of the subject, a chemical element; for example, the noble gases.
    Family,
    /// The object is the Roman numeral of the subject, a number.
    Roman,
    /// The object is the square of the subject, a number.
    Square,
    /// The object is the smallest prime factor of the subject, a composite number.
    SmallestFactor,
}

impl Relation {
    /// All relations of facts that encyclopedia articles state.
    pub const ALL: [Self; 14] = [
        Self::Capital,
        Self::CapitalOf,
        Self::Continent,
        Self::Currency,
        Self::Language,
        Self::Mouth,
        Self::MountainIn,
        Self::PlanetPlace,
        Self::Symbol,
        Self::AtomicNumber,
        Self::Family,
        Self::Roman,
        Self::Square,
        Self::SmallestFactor,
    ];

    /// Returns a phrase in the plural that names the relation, such as "capitals of countries".
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Capital => "capitals of countries",
            Self::CapitalOf => "countries of capitals",
            Self::Continent => "continents",
            Self::Currency => "currencies",
            Self::Language => "languages",
            Self::Mouth => "mouths of rivers",
            Self::MountainIn => "countries of mountains",
            Self::PlanetPlace => "places of planets",
            Self::Symbol => "symbols of elements",
            Self::AtomicNumber => "atomic numbers",
            Self::Family => "families of elements",
            Self::Roman => "Roman numerals",
            Self::Square => "squares of numbers",
            Self::SmallestFactor => "prime factors",
        }
    }

    /// Returns the prompt of the quiz question about this relation of `subject`: the start of a sentence that the
    /// answer completes after a space. No article contains the same sentence.
    pub(super) fn prompt(self, subject: &str) -> String {
        match self {
            Self::Capital => format!("The name of the city that serves {subject} as its capital is"),
            Self::CapitalOf => format!("Of all countries, the one whose capital is {subject} is"),
            Self::Continent => format!("On a map of the world, one would look for {subject} in"),
            Self::Currency => format!("A traveller who goes shopping in {subject} needs the"),
            Self::Language => format!("A lawyer who works in {subject} has to read"),
            Self::Mouth => format!("A bottle thrown into {subject} would one day reach the"),
            Self::MountainIn => format!("A climber who wants to stand on {subject} has to travel to"),
            Self::PlanetPlace => format!("Counting outwards from the Sun, {subject} is planet number"),
            Self::Symbol => format!("In a chemical formula, an atom of {subject} is written as"),
            Self::AtomicNumber => format!("Counted one by one, the protons of {subject} come to"),
            Self::Family => format!("A chemist would put {subject} on the shelf of the"),
            Self::Roman => format!("Carved into stone by a Roman, {subject} would read"),
            Self::Square => {
                format!("A square field with sides of {subject} metres has an area in square metres of")
            }
            Self::SmallestFactor => {
                format!("The first prime number that divides {subject} without remainder is")
            }
        }
    }
}

/// Fact that an article of the encyclopedia states: a relation between a subject and an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Statement {
    /// Relation between the subject and the object, such as the capital of a country.
    pub relation: Relation,
    /// Subject of the fact, such as a country.
    pub subject: String,
    /// Object of the fact, such as the capital of a country.
    pub object: String,
    /// Whether the article that states the fact is about the subject.
    pub at_home: bool,
}

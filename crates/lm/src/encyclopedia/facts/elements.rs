//! The chemical elements. What follows from an element's number, such as its period, is computed.

/// A chemical element; its number is its place in [`ELEMENTS`], counted from 1.
pub struct Element {
    pub symbol: &'static str,
    pub name: &'static str,
    /// The standard atomic weight, rounded to a whole number; 0 for elements without stable forms.
    pub weight: u16,
    /// When it was discovered; 0 if nobody knows, since it was so long ago, or from element 102 on, since it is disputed.
    pub year: u16,
    /// Who discovered it; empty where that is shared among many.
    pub discoverer: &'static str,
    /// Where its name comes from; may be empty.
    pub origin: &'static str,
    /// Something to know about it: what follows on "it".
    pub note: &'static str,
}

const fn e(
    symbol: &'static str,
    name: &'static str,
    weight: u16,
    year: u16,
    discoverer: &'static str,
    origin: &'static str,
    note: &'static str,
) -> Element {
    Element { symbol, name, weight, year, discoverer, origin, note }
}

/// All of them, by atomic number.
#[rustfmt::skip]
pub const ELEMENTS: [Element; 118] = [
    e("H", "hydrogen", 1, 1766, "Henry Cavendish", "Greek words for water and maker", "is the lightest and the most common element of the universe"),
    e("He", "helium", 4, 1868, "", "the Greek word for the Sun", "fills balloons and cools magnets"),
    e("Li", "lithium", 7, 1817, "Johan August Arfwedson", "the Greek word for stone", "is used in rechargeable batteries"),
    e("Be", "beryllium", 9, 1798, "Louis-Nicolas Vauquelin", "the mineral beryl", "is light, stiff and poisonous"),
    e("B", "boron", 11, 1808, "", "the mineral borax", "makes glass that bears heat"),
    e("C", "carbon", 12, 0, "", "the Latin word for coal", "forms both diamond and graphite"),
    e("N", "nitrogen", 14, 1772, "Daniel Rutherford", "Greek words for nitre and maker", "makes up about four fifths of the air"),
    e("O", "oxygen", 16, 1774, "", "Greek words for acid and maker", "is what animals breathe to live"),
    e("F", "fluorine", 19, 1886, "Henri Moissan", "a Latin word for flowing", "is the most reactive of all elements"),
    e("Ne", "neon", 20, 1898, "William Ramsay and Morris Travers", "the Greek word for new", "glows red in lamps and signs"),
    e("Na", "sodium", 23, 1807, "Humphry Davy", "the word soda", "is one half of table salt"),
    e("Mg", "magnesium", 24, 1808, "Humphry Davy", "Magnesia, a district of Greece", "burns with a bright white light"),
    e("Al", "aluminium", 27, 1825, "Hans Christian Ørsted", "the Latin word for alum", "is light, and much used in aircraft"),
    e("Si", "silicon", 28, 1824, "Jöns Jacob Berzelius", "the Latin word for flint", "is what computer chips are made of"),
    e("P", "phosphorus", 31, 1669, "Hennig Brand", "Greek words for light and bearer", "is needed by plants, and stands in many fertilisers"),
    e("S", "sulfur", 32, 0, "", "its Latin name", "is yellow and burns with a blue flame"),
    e("Cl", "chlorine", 35, 1774, "Carl Wilhelm Scheele", "a Greek word for pale green", "keeps water free of germs"),
    e("Ar", "argon", 40, 1894, "Lord Rayleigh and William Ramsay", "the Greek word for idle", "makes up nearly one hundredth of the air"),
    e("K", "potassium", 39, 1807, "Humphry Davy", "the word potash", "is needed by nerves and by plants"),
    e("Ca", "calcium", 40, 1808, "Humphry Davy", "the Latin word for lime", "makes bones and shells hard"),
    e("Sc", "scandium", 45, 1879, "Lars Fredrik Nilson", "Scandinavia", "makes aluminium stronger"),
    e("Ti", "titanium", 48, 1791, "William Gregor", "the Titans of Greek myth", "is as strong as steel, and much lighter"),
    e("V", "vanadium", 51, 1801, "Andrés Manuel del Río", "Vanadís, a name of a Norse goddess", "makes steel tough"),
    e("Cr", "chromium", 52, 1797, "Louis-Nicolas Vauquelin", "the Greek word for colour", "keeps stainless steel from rusting"),
    e("Mn", "manganese", 55, 1774, "Johan Gottlieb Gahn", "the same word as magnesia", "is added to nearly all steel"),
    e("Fe", "iron", 56, 0, "", "an old Germanic word", "is the main part of steel"),
    e("Co", "cobalt", 59, 1735, "Georg Brandt", "kobolds, the goblins of German miners", "colours glass blue"),
    e("Ni", "nickel", 59, 1751, "Axel Fredrik Cronstedt", "a mischievous spirit of German miners", "is used in coins"),
    e("Cu", "copper", 64, 0, "", "the island of Cyprus", "carries electricity well, and is drawn into wires"),
    e("Zn", "zinc", 65, 0, "", "", "covers iron to keep it from rusting"),
    e("Ga", "gallium", 70, 1875, "Paul-Émile Lecoq de Boisbaudran", "the Latin name of France", "melts in a warm hand"),
    e("Ge", "germanium", 73, 1886, "Clemens Winkler", "the Latin name of Germany", "was used in the first transistors"),
    e("As", "arsenic", 75, 0, "", "a Greek word for a yellow pigment", "is a famous poison"),
    e("Se", "selenium", 79, 1817, "Jöns Jacob Berzelius", "the Greek word for the Moon", "carries electricity better in light than in the dark"),
    e("Br", "bromine", 80, 1826, "Antoine Jérôme Balard", "the Greek word for stench", "is brown and gives off heavy fumes"),
    e("Kr", "krypton", 84, 1898, "William Ramsay and Morris Travers", "the Greek word for hidden", "is used in some lamps"),
    e("Rb", "rubidium", 85, 1861, "Robert Bunsen and Gustav Kirchhoff", "a Latin word for deep red", "takes fire in air by itself"),
    e("Sr", "strontium", 88, 1790, "Adair Crawford", "Strontian, a village in Scotland", "makes fireworks red"),
    e("Y", "yttrium", 89, 1794, "Johan Gadolin", "Ytterby, a village in Sweden", "was part of the red colour of old television screens"),
    e("Zr", "zirconium", 91, 1789, "Martin Heinrich Klaproth", "the mineral zircon", "holds the fuel of nuclear reactors"),
    e("Nb", "niobium", 93, 1801, "Charles Hatchett", "Niobe, a figure of Greek myth", "is used in superconducting magnets"),
    e("Mo", "molybdenum", 96, 1778, "Carl Wilhelm Scheele", "the Greek word for lead", "makes steel hard at great heat"),
    e("Tc", "technetium", 0, 1937, "Emilio Segrè and Carlo Perrier", "the Greek word for artificial", "was the first element that was made by people"),
    e("Ru", "ruthenium", 101, 1844, "Karl Ernst Claus", "a Latin name of Russia", "makes platinum harder"),
    e("Rh", "rhodium", 103, 1804, "William Hyde Wollaston", "the Greek word for rose", "cleans the exhaust of cars"),
    e("Pd", "palladium", 106, 1802, "William Hyde Wollaston", "the asteroid Pallas", "takes up large amounts of hydrogen"),
    e("Ag", "silver", 108, 0, "", "an old Germanic word", "carries electricity better than any other metal"),
    e("Cd", "cadmium", 112, 1817, "Friedrich Stromeyer", "an old name of zinc ore", "is poisonous, and was used in batteries"),
    e("In", "indium", 115, 1863, "Ferdinand Reich and Theodor Richter", "the colour indigo", "is part of touch screens"),
    e("Sn", "tin", 119, 0, "", "an old Germanic word", "makes bronze when it is melted with copper"),
    e("Sb", "antimony", 122, 0, "", "", "makes lead harder"),
    e("Te", "tellurium", 128, 1782, "Franz-Joseph Müller von Reichenstein", "the Latin word for the Earth", "is used in solar cells"),
    e("I", "iodine", 127, 1811, "Bernard Courtois", "the Greek word for violet", "is needed by the thyroid gland"),
    e("Xe", "xenon", 131, 1898, "William Ramsay and Morris Travers", "the Greek word for strange", "drives the engines of some spacecraft"),
    e("Cs", "caesium", 133, 1860, "Robert Bunsen and Gustav Kirchhoff", "a Latin word for sky blue", "beats time in atomic clocks"),
    e("Ba", "barium", 137, 1808, "Humphry Davy", "the Greek word for heavy", "makes fireworks green"),
    e("La", "lanthanum", 139, 1839, "Carl Gustaf Mosander", "a Greek word for lying hidden", "is used in the glass of camera lenses"),
    e("Ce", "cerium", 140, 1803, "", "the asteroid Ceres", "gives sparks in the flints of lighters"),
    e("Pr", "praseodymium", 141, 1885, "Carl Auer von Welsbach", "Greek words for green and twin", "colours glass yellow-green"),
    e("Nd", "neodymium", 144, 1885, "Carl Auer von Welsbach", "Greek words for new and twin", "makes very strong magnets"),
    e("Pm", "promethium", 0, 1945, "Jacob Marinsky, Lawrence Glendenin and Charles Coryell", "Prometheus, a Titan of Greek myth", "is radioactive in all its forms"),
    e("Sm", "samarium", 150, 1879, "Paul-Émile Lecoq de Boisbaudran", "the mineral samarskite", "makes magnets that bear heat"),
    e("Eu", "europium", 152, 1901, "Eugène-Anatole Demarçay", "Europe", "glows red in the ink of euro banknotes"),
    e("Gd", "gadolinium", 157, 1880, "Jean Charles Galissard de Marignac", "the chemist Johan Gadolin", "helps doctors to see more in magnetic scans"),
    e("Tb", "terbium", 159, 1843, "Carl Gustaf Mosander", "Ytterby, a village in Sweden", "glows green in lamps"),
    e("Dy", "dysprosium", 163, 1886, "Paul-Émile Lecoq de Boisbaudran", "a Greek word for hard to get", "lets magnets bear more heat"),
    e("Ho", "holmium", 165, 1878, "", "the Latin name of Stockholm", "is used in the lasers of surgeons"),
    e("Er", "erbium", 167, 1843, "Carl Gustaf Mosander", "Ytterby, a village in Sweden", "strengthens light in optical cables"),
    e("Tm", "thulium", 169, 1879, "Per Teodor Cleve", "Thule, an ancient name for the far north", "is used in small X-ray machines"),
    e("Yb", "ytterbium", 173, 1878, "Jean Charles Galissard de Marignac", "Ytterby, a village in Sweden", "is used in very exact clocks"),
    e("Lu", "lutetium", 175, 1907, "", "the Latin name of Paris", "is used in the scanners of hospitals"),
    e("Hf", "hafnium", 178, 1923, "Dirk Coster and George de Hevesy", "the Latin name of Copenhagen", "takes up neutrons in nuclear reactors"),
    e("Ta", "tantalum", 181, 1802, "Anders Gustaf Ekeberg", "Tantalus, a king of Greek myth", "is used in the capacitors of telephones"),
    e("W", "tungsten", 184, 1783, "the brothers Elhuyar", "Swedish words for heavy stone", "has the highest melting point of all metals"),
    e("Re", "rhenium", 186, 1925, "Walter Noddack, Ida Tacke and Otto Berg", "the Latin name of the Rhine", "is used in the turbines of jet engines"),
    e("Os", "osmium", 190, 1803, "Smithson Tennant", "the Greek word for smell", "is the densest metal that occurs in nature"),
    e("Ir", "iridium", 192, 1803, "Smithson Tennant", "the Greek goddess of the rainbow", "withstands nearly all acids"),
    e("Pt", "platinum", 195, 0, "", "a Spanish word for little silver", "does not tarnish and is used in jewellery"),
    e("Au", "gold", 197, 0, "", "an old Germanic word", "does not rust, and has been used for coins and jewellery"),
    e("Hg", "mercury", 201, 0, "", "the planet and the Roman god", "was used in thermometers"),
    e("Tl", "thallium", 204, 1861, "William Crookes", "a Greek word for a green shoot", "is very poisonous"),
    e("Pb", "lead", 207, 0, "", "an old Germanic word", "is soft and heavy, and shields from X-rays"),
    e("Bi", "bismuth", 209, 0, "", "an old German word", "grows into crystals with all colours of the rainbow"),
    e("Po", "polonium", 0, 1898, "Marie and Pierre Curie", "Poland, where Marie Curie was born", "is strongly radioactive"),
    e("At", "astatine", 0, 1940, "Dale Corson, Kenneth MacKenzie and Emilio Segrè", "the Greek word for unstable", "is one of the rarest elements that occur in nature"),
    e("Rn", "radon", 0, 1899, "", "the element radium", "gathers in the cellars of houses built on granite"),
    e("Fr", "francium", 0, 1939, "Marguerite Perey", "France", "was the last element that was found in nature first"),
    e("Ra", "radium", 0, 1898, "Marie and Pierre Curie", "the Latin word for ray", "once made the hands of watches glow"),
    e("Ac", "actinium", 0, 1899, "André-Louis Debierne", "the Greek word for ray", "glows blue in the dark"),
    e("Th", "thorium", 232, 1829, "Jöns Jacob Berzelius", "Thor, the Norse god of thunder", "could be a fuel of nuclear reactors"),
    e("Pa", "protactinium", 231, 1913, "Kasimir Fajans and Oswald Göhring", "a Greek word for first and the element actinium", "decays into actinium"),
    e("U", "uranium", 238, 1789, "Martin Heinrich Klaproth", "the planet Uranus", "is the fuel of most nuclear reactors"),
    e("Np", "neptunium", 0, 1940, "Edwin McMillan and Philip Abelson", "the planet Neptune", "is made in nuclear reactors"),
    e("Pu", "plutonium", 0, 1940, "Glenn Seaborg and his group", "Pluto", "has powered probes on their way to the outer planets"),
    e("Am", "americium", 0, 1944, "Glenn Seaborg and his group", "the Americas", "is used in smoke detectors"),
    e("Cm", "curium", 0, 1944, "Glenn Seaborg and his group", "Marie and Pierre Curie", "has served on Mars in instruments that study rocks"),
    e("Bk", "berkelium", 0, 1949, "Glenn Seaborg and his group", "the city of Berkeley", "has been made in tiny amounts only"),
    e("Cf", "californium", 0, 1950, "Glenn Seaborg and his group", "California", "gives off many neutrons"),
    e("Es", "einsteinium", 0, 1952, "Albert Ghiorso and his group", "Albert Einstein", "was found in the dust of the first hydrogen bomb"),
    e("Fm", "fermium", 0, 1952, "Albert Ghiorso and his group", "Enrico Fermi", "was found in the dust of the first hydrogen bomb"),
    e("Md", "mendelevium", 0, 1955, "Albert Ghiorso and his group", "Dmitri Mendeleev, who drew up the periodic table", "was first made one atom at a time"),
    e("No", "nobelium", 0, 0, "", "Alfred Nobel", "can be made in laboratories only"),
    e("Lr", "lawrencium", 0, 0, "", "Ernest Lawrence, who invented the cyclotron", "can be made in laboratories only"),
    e("Rf", "rutherfordium", 0, 0, "", "Ernest Rutherford", "can be made in laboratories only"),
    e("Db", "dubnium", 0, 0, "", "the town of Dubna", "can be made in laboratories only"),
    e("Sg", "seaborgium", 0, 0, "", "Glenn Seaborg", "can be made in laboratories only"),
    e("Bh", "bohrium", 0, 0, "", "Niels Bohr", "can be made in laboratories only"),
    e("Hs", "hassium", 0, 0, "", "the Latin name of the German state of Hesse", "can be made in laboratories only"),
    e("Mt", "meitnerium", 0, 0, "", "Lise Meitner", "can be made in laboratories only"),
    e("Ds", "darmstadtium", 0, 0, "", "the city of Darmstadt", "can be made in laboratories only"),
    e("Rg", "roentgenium", 0, 0, "", "Wilhelm Conrad Röntgen", "can be made in laboratories only"),
    e("Cn", "copernicium", 0, 0, "", "Nicolaus Copernicus", "can be made in laboratories only"),
    e("Nh", "nihonium", 0, 0, "", "a Japanese name of Japan", "can be made in laboratories only"),
    e("Fl", "flerovium", 0, 0, "", "the Flerov Laboratory in Dubna", "can be made in laboratories only"),
    e("Mc", "moscovium", 0, 0, "", "the region of Moscow", "can be made in laboratories only"),
    e("Lv", "livermorium", 0, 0, "", "the laboratory in Livermore, California", "can be made in laboratories only"),
    e("Ts", "tennessine", 0, 0, "", "the state of Tennessee", "can be made in laboratories only"),
    e("Og", "oganesson", 0, 0, "", "Yuri Oganessian", "can be made in laboratories only"),
];

/// Elements that are told of together, in the plural.
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

/// The family of an atomic number, as a place in [`FAMILIES`]; `None` where too little is known.
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

/// The row of the periodic table.
pub fn period(number: usize) -> usize {
    [2, 10, 18, 36, 54, 86].partition_point(|&last| last < number) + 1
}

/// The column of the periodic table, from 1 to 18; `None` among the lanthanides and actinides, where tables differ.
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

/// Solid, liquid or gas at room temperature; `None` where nobody has had enough of it to see.
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
        assert_eq!(symbols.len(), 118);
        // Weights rise with the number, but for the famous exceptions.
        let weights: Vec<_> = ELEMENTS.iter().filter(|element| element.weight > 0).collect();
        let falls = weights.windows(2).filter(|pair| pair[0].weight > pair[1].weight);
        assert_eq!(falls.map(|pair| pair[0].symbol).collect::<Vec<_>>(), ["Ar", "Te", "Th"]);
    }
}

//! Countries, rivers and mountains: what nobody argues about.

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
    pub neighbours: &'static [&'static str],
    /// Something to know about it: what follows on "it".
    pub note: &'static str,
}

const fn c(
    name: &'static str,
    capital: &'static str,
    continent: &'static str,
    currency: &'static str,
    language: &'static str,
    neighbours: &'static [&'static str],
    note: &'static str,
) -> Country {
    Country { name, capital, continent, currency, language, neighbours, note }
}

/// Countries, by continent.
#[rustfmt::skip]
pub const COUNTRIES: &[Country] = &[
    c("Albania", "Tirana", "Europe", "lek", "Albanian", &["Greece", "Montenegro", "North Macedonia"], "has a double-headed eagle on its flag"),
    c("Austria", "Vienna", "Europe", "euro", "German", &["Germany", "Czechia", "Slovakia", "Hungary", "Slovenia", "Italy", "Switzerland"], "is known for its mountains and its music"),
    c("Belgium", "Brussels", "Europe", "euro", "", &["France", "the Netherlands", "Germany", "Luxembourg"], "is known for chocolate and waffles"),
    c("Bosnia and Herzegovina", "Sarajevo", "Europe", "convertible mark", "", &["Croatia", "Serbia", "Montenegro"], "has a short coast on the Adriatic Sea"),
    c("Croatia", "Zagreb", "Europe", "euro", "Croatian", &["Slovenia", "Hungary", "Serbia", "Bosnia and Herzegovina"], "has more than a thousand islands"),
    c("Czechia", "Prague", "Europe", "koruna", "Czech", &["Germany", "Poland", "Slovakia", "Austria"], "is made up of Bohemia, Moravia and a part of Silesia"),
    c("Denmark", "Copenhagen", "Europe", "Danish krone", "Danish", &["Germany"], "is where Hans Christian Andersen wrote his tales"),
    c("Estonia", "Tallinn", "Europe", "euro", "Estonian", &["Latvia", "Russia"], "lies on the Baltic Sea"),
    c("Finland", "Helsinki", "Europe", "euro", "", &["Sweden", "Norway", "Russia"], "has tens of thousands of lakes"),
    c("France", "Paris", "Europe", "euro", "French", &["Spain", "Belgium", "Germany", "Italy", "Switzerland", "Luxembourg"], "is known for its wine and its cheese"),
    c("Germany", "Berlin", "Europe", "euro", "German", &["France", "Poland", "Denmark", "Austria", "Czechia", "the Netherlands", "Belgium"], "was divided until 1990"),
    c("Greece", "Athens", "Europe", "euro", "Greek", &["Albania", "North Macedonia", "Turkey"], "is where the first Olympic Games were held"),
    c("Hungary", "Budapest", "Europe", "forint", "Hungarian", &["Austria", "Slovakia", "Romania", "Serbia", "Croatia", "Slovenia"], "has many warm springs"),
    c("Iceland", "Reykjavik", "Europe", "Icelandic króna", "Icelandic", &[], "has both glaciers and volcanoes"),
    c("Ireland", "Dublin", "Europe", "euro", "English", &["the United Kingdom"], "is known for its green meadows"),
    c("Italy", "Rome", "Europe", "euro", "Italian", &["France", "Switzerland", "Austria", "Slovenia"], "has the shape of a boot"),
    c("Latvia", "Riga", "Europe", "euro", "Latvian", &["Estonia", "Lithuania", "Russia"], "lies on the Baltic Sea"),
    c("Lithuania", "Vilnius", "Europe", "euro", "Lithuanian", &["Latvia", "Poland"], "is the southernmost of the Baltic states"),
    c("Luxembourg", "Luxembourg City", "Europe", "euro", "", &["France", "Belgium", "Germany"], "is a grand duchy"),
    c("Malta", "Valletta", "Europe", "euro", "", &[], "has temples that are older than the pyramids"),
    c("Montenegro", "Podgorica", "Europe", "euro", "", &["Albania", "Serbia", "Croatia", "Bosnia and Herzegovina"], "is named after a black mountain"),
    c("the Netherlands", "Amsterdam", "Europe", "euro", "Dutch", &["Belgium", "Germany"], "has much land that lies below the level of the sea"),
    c("North Macedonia", "Skopje", "Europe", "denar", "", &["Greece", "Albania", "Serbia"], "shares the old and deep Lake Ohrid with a neighbour"),
    c("Norway", "Oslo", "Europe", "Norwegian krone", "Norwegian", &["Sweden", "Finland", "Russia"], "is known for its fjords"),
    c("Poland", "Warsaw", "Europe", "zloty", "Polish", &["Germany", "Czechia", "Slovakia", "Lithuania"], "is where Copernicus was born"),
    c("Portugal", "Lisbon", "Europe", "euro", "Portuguese", &["Spain"], "sent out the ships of Vasco da Gama"),
    c("Romania", "Bucharest", "Europe", "leu", "Romanian", &["Hungary", "Serbia"], "has the delta of the Danube on its coast"),
    c("Serbia", "Belgrade", "Europe", "dinar", "", &["Hungary", "Romania", "Croatia", "Montenegro", "North Macedonia"], "is where many of the world's raspberries grow"),
    c("Slovakia", "Bratislava", "Europe", "euro", "Slovak", &["Czechia", "Poland", "Hungary", "Austria"], "has many castles and caves"),
    c("Slovenia", "Ljubljana", "Europe", "euro", "Slovene", &["Italy", "Austria", "Hungary", "Croatia"], "is covered by forest for more than half"),
    c("Spain", "Madrid", "Europe", "euro", "Spanish", &["Portugal", "France"], "grows more olives than any other country"),
    c("Sweden", "Stockholm", "Europe", "Swedish krona", "Swedish", &["Norway", "Finland"], "is where the Nobel Prizes come from"),
    c("Switzerland", "Bern", "Europe", "Swiss franc", "", &["France", "Germany", "Italy", "Austria"], "is known for watches and for the Alps"),
    c("the United Kingdom", "London", "Europe", "pound sterling", "English", &["Ireland"], "is made up of England, Scotland, Wales and Northern Ireland"),
    c("Armenia", "Yerevan", "Asia", "dram", "Armenian", &["Georgia", "Turkey", "Iran"], "has an alphabet of its own"),
    c("Georgia", "Tbilisi", "Asia", "lari", "Georgian", &["Armenia", "Turkey", "Russia"], "has made wine for thousands of years"),
    c("Bangladesh", "Dhaka", "Asia", "taka", "Bengali", &["India", "Myanmar"], "lies for the most part on a wide river delta"),
    c("Bhutan", "Thimphu", "Asia", "", "", &["India", "China"], "has a dragon on its flag"),
    c("Cambodia", "Phnom Penh", "Asia", "", "Khmer", &["Thailand", "Laos", "Vietnam"], "shows the temple of Angkor Wat on its flag"),
    c("China", "Beijing", "Asia", "renminbi", "Chinese", &["Mongolia", "India", "Nepal", "Vietnam", "Laos", "Kazakhstan", "Russia"], "built the Great Wall"),
    c("India", "New Delhi", "Asia", "Indian rupee", "", &["Bangladesh", "Bhutan", "Nepal", "China", "Pakistan", "Myanmar"], "is home to the Taj Mahal"),
    c("Azerbaijan", "Baku", "Asia", "manat", "Azerbaijani", &["Georgia", "Iran", "Russia"], "lies on the Caspian Sea"),
    c("Iran", "Tehran", "Asia", "rial", "Persian", &["Iraq", "Turkey", "Armenia", "Pakistan"], "was once called Persia"),
    c("Iraq", "Baghdad", "Asia", "Iraqi dinar", "Arabic", &["Iran", "Turkey", "Jordan", "Saudi Arabia"], "lies where the oldest cities of the world stood"),
    c("Japan", "Tokyo", "Asia", "yen", "Japanese", &[], "has a red Sun on its flag"),
    c("Jordan", "Amman", "Asia", "Jordanian dinar", "Arabic", &["Iraq", "Saudi Arabia"], "is home to the rock city of Petra"),
    c("Kazakhstan", "Astana", "Asia", "tenge", "Kazakh", &["Russia", "China", "Uzbekistan", "Kyrgyzstan"], "is the largest country without a coast on an ocean"),
    c("Kyrgyzstan", "Bishkek", "Asia", "som", "Kyrgyz", &["Kazakhstan", "Uzbekistan", "China"], "is a country of high mountains"),
    c("Laos", "Vientiane", "Asia", "kip", "Lao", &["Thailand", "Vietnam", "Cambodia", "China", "Myanmar"], "is the only country of Southeast Asia without a coast"),
    c("Malaysia", "Kuala Lumpur", "Asia", "ringgit", "", &["Thailand", "Indonesia"], "has two parts with a sea between them"),
    c("Mongolia", "Ulaanbaatar", "Asia", "tögrög", "Mongolian", &["China", "Russia"], "is home to the Gobi Desert in its south"),
    c("Myanmar", "Naypyidaw", "Asia", "kyat", "Burmese", &["India", "China", "Thailand", "Laos", "Bangladesh"], "has thousands of old pagodas"),
    c("Nepal", "Kathmandu", "Asia", "Nepalese rupee", "Nepali", &["India", "China"], "has the only national flag that is not a rectangle"),
    c("Oman", "Muscat", "Asia", "Omani rial", "Arabic", &["Saudi Arabia", "the United Arab Emirates"], "is known for its frankincense"),
    c("Pakistan", "Islamabad", "Asia", "Pakistani rupee", "", &["India", "Iran"], "was founded in 1947"),
    c("the Philippines", "Manila", "Asia", "Philippine peso", "", &[], "is made up of thousands of islands"),
    c("Qatar", "Doha", "Asia", "Qatari riyal", "Arabic", &["Saudi Arabia"], "lies on a peninsula"),
    c("Saudi Arabia", "Riyadh", "Asia", "Saudi riyal", "Arabic", &["Jordan", "Iraq", "Oman", "Qatar", "the United Arab Emirates"], "has no river that always carries water"),
    c("South Korea", "Seoul", "Asia", "won", "Korean", &["North Korea"], "writes with an alphabet that a king had made in the 15th century"),
    c("Thailand", "Bangkok", "Asia", "baht", "Thai", &["Malaysia", "Laos", "Cambodia", "Myanmar"], "was long called Siam"),
    c("Turkey", "Ankara", "Asia", "Turkish lira", "Turkish", &["Greece", "Georgia", "Armenia", "Iran", "Iraq"], "reaches into Europe with a small part"),
    c("the United Arab Emirates", "Abu Dhabi", "Asia", "UAE dirham", "Arabic", &["Oman", "Saudi Arabia"], "has the tallest building in the world"),
    c("Uzbekistan", "Tashkent", "Asia", "Uzbek soum", "Uzbek", &["Kazakhstan", "Kyrgyzstan"], "is where the Silk Road passed through Samarkand"),
    c("Vietnam", "Hanoi", "Asia", "dong", "Vietnamese", &["China", "Laos", "Cambodia"], "has the shape of a long letter S"),
    c("Algeria", "Algiers", "Africa", "Algerian dinar", "Arabic", &["Morocco", "Tunisia", "Mali", "Niger"], "is the largest country of its continent"),
    c("Angola", "Luanda", "Africa", "kwanza", "Portuguese", &["Namibia", "Zambia"], "lies on the Atlantic Ocean"),
    c("Botswana", "Gaborone", "Africa", "pula", "English", &["Namibia", "Zambia", "Zimbabwe"], "is home to a river delta that ends in a desert"),
    c("Cameroon", "Yaoundé", "Africa", "Central African CFA franc", "", &["Nigeria", "Chad"], "has savanna, rainforest and a volcano by the sea"),
    c("Chad", "N'Djamena", "Africa", "Central African CFA franc", "", &["Niger", "Nigeria", "Cameroon"], "is named after a lake"),
    c("Egypt", "Cairo", "Africa", "Egyptian pound", "Arabic", &["Sudan", "Libya"], "is home to the pyramids of Giza"),
    c("Ethiopia", "Addis Ababa", "Africa", "birr", "Amharic", &["Kenya", "Sudan"], "is where coffee comes from"),
    c("Ghana", "Accra", "Africa", "cedi", "English", &["Togo", "Burkina Faso"], "is known for its cocoa"),
    c("Kenya", "Nairobi", "Africa", "Kenyan shilling", "", &["Ethiopia", "Tanzania", "Uganda"], "is known for its long-distance runners"),
    c("Libya", "Tripoli", "Africa", "Libyan dinar", "Arabic", &["Egypt", "Tunisia", "Algeria", "Niger", "Chad"], "is covered by desert for the most part"),
    c("Madagascar", "Antananarivo", "Africa", "ariary", "", &[], "is the home of the lemurs"),
    c("Mali", "Bamako", "Africa", "West African CFA franc", "", &["Algeria", "Niger", "Senegal", "Burkina Faso"], "is home to the old town of Timbuktu"),
    c("Morocco", "Rabat", "Africa", "Moroccan dirham", "Arabic", &["Algeria"], "lies across the sea from Spain"),
    c("Mozambique", "Maputo", "Africa", "metical", "Portuguese", &["Tanzania", "Zambia", "Zimbabwe"], "lies on the Indian Ocean"),
    c("Namibia", "Windhoek", "Africa", "Namibian dollar", "English", &["Angola", "Zambia", "Botswana"], "has some of the tallest dunes in the world"),
    c("Niger", "Niamey", "Africa", "West African CFA franc", "French", &["Mali", "Algeria", "Nigeria", "Chad", "Libya"], "is named after a river"),
    c("Nigeria", "Abuja", "Africa", "naira", "English", &["Niger", "Cameroon", "Chad"], "has more people than any other country of its continent"),
    c("Rwanda", "Kigali", "Africa", "Rwandan franc", "", &["Uganda", "Tanzania"], "is called the land of a thousand hills"),
    c("Senegal", "Dakar", "Africa", "West African CFA franc", "French", &["Mali"], "reaches farther west than any other country of the African mainland"),
    c("Sudan", "Khartoum", "Africa", "Sudanese pound", "Arabic", &["Egypt", "Ethiopia", "Chad", "Libya"], "is where the Blue Nile and the White Nile meet"),
    c("Tunisia", "Tunis", "Africa", "Tunisian dinar", "Arabic", &["Algeria", "Libya"], "is where the ruins of Carthage are"),
    c("Uganda", "Kampala", "Africa", "Ugandan shilling", "", &["Kenya", "Tanzania", "Rwanda"], "is home to mountain gorillas"),
    c("Zambia", "Lusaka", "Africa", "kwacha", "English", &["Angola", "Namibia", "Zimbabwe", "Mozambique", "Tanzania"], "shares the Victoria Falls with a neighbour"),
    c("Argentina", "Buenos Aires", "South America", "Argentine peso", "Spanish", &["Chile", "Uruguay", "Paraguay", "Brazil"], "is where the tango comes from"),
    c("Brazil", "Brasília", "South America", "real", "Portuguese", &["Argentina", "Uruguay", "Paraguay", "Peru", "Colombia", "Venezuela"], "has most of the Amazon rainforest"),
    c("Chile", "Santiago", "South America", "Chilean peso", "Spanish", &["Argentina", "Peru"], "is long and narrow, between the Andes and the sea"),
    c("Colombia", "Bogotá", "South America", "Colombian peso", "Spanish", &["Brazil", "Peru", "Ecuador", "Venezuela"], "has coasts on two oceans"),
    c("Peru", "Lima", "South America", "sol", "Spanish", &["Ecuador", "Colombia", "Brazil", "Chile"], "is home to Machu Picchu"),
    c("Uruguay", "Montevideo", "South America", "Uruguayan peso", "Spanish", &["Argentina", "Brazil"], "won the first football World Cup"),
    c("Canada", "Ottawa", "North America", "Canadian dollar", "", &["the United States"], "has a maple leaf on its flag"),
    c("Cuba", "Havana", "North America", "Cuban peso", "Spanish", &[], "is the largest island of the Caribbean"),
    c("Mexico", "Mexico City", "North America", "Mexican peso", "Spanish", &["the United States", "Guatemala"], "is where chillies come from"),
    c("the United States", "Washington", "North America", "United States dollar", "English", &["Canada", "Mexico"], "is made up of fifty states"),
    c("Australia", "Canberra", "Oceania", "Australian dollar", "English", &[], "is the home of kangaroos"),
    c("New Zealand", "Wellington", "Oceania", "New Zealand dollar", "English", &[], "is the home of the kiwi, a bird that cannot fly"),
];

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

const fn r(name: &'static str, mouth: &'static str, through: &'static str, note: &'static str) -> River {
    River { name, mouth, through, note }
}

/// Rivers, each with "the" before its name.
#[rustfmt::skip]
pub const RIVERS: &[River] = &[
    r("Nile", "Mediterranean Sea", "Uganda, South Sudan, Sudan and Egypt", "is one of the two longest rivers of the world"),
    r("Rhône", "Mediterranean Sea", "Switzerland and France", "flows through Lake Geneva"),
    r("Ebro", "Mediterranean Sea", "Spain", "has a wide delta in which rice is grown"),
    r("Amazon", "Atlantic Ocean", "Peru, Colombia and Brazil", "carries more water than any other river"),
    r("Congo", "Atlantic Ocean", "the middle of Africa", "is the deepest river of the world"),
    r("Niger", "Atlantic Ocean", "Guinea, Mali, Niger, Benin and Nigeria", "makes a wide bend at the edge of the Sahara"),
    r("Orange", "Atlantic Ocean", "the south of Africa", "is the border of South Africa and Namibia in its lower course"),
    r("Tagus", "Atlantic Ocean", "Spain and Portugal", "is the longest river of the Iberian Peninsula"),
    r("Loire", "Atlantic Ocean", "France", "is known for the castles on its banks"),
    r("Danube", "Black Sea", "ten countries of Europe", "passes four capitals, more than any other river"),
    r("Dnieper", "Black Sea", "Russia, Belarus and Ukraine", "flows through Kyiv"),
    r("Dniester", "Black Sea", "Ukraine and Moldova", "rises in the Carpathian Mountains"),
    r("Volga", "Caspian Sea", "Russia", "is the longest river of Europe"),
    r("Ural", "Caspian Sea", "Russia and Kazakhstan", "is taken for a part of the border between Europe and Asia"),
    r("Kura", "Caspian Sea", "Turkey, Georgia and Azerbaijan", "flows through Tbilisi"),
    r("Rhine", "North Sea", "Switzerland, Germany and the Netherlands", "is one of the busiest waterways of the world"),
    r("Elbe", "North Sea", "Czechia and Germany", "flows through Dresden and Hamburg"),
    r("Thames", "North Sea", "England", "flows through London under many bridges"),
    r("Weser", "North Sea", "Germany", "begins where the Werra and the Fulda meet"),
    r("Vistula", "Baltic Sea", "Poland", "flows through Kraków and Warsaw"),
    r("Oder", "Baltic Sea", "Czechia, Poland and Germany", "is a border between two countries for much of its length"),
    r("Daugava", "Baltic Sea", "Russia, Belarus and Latvia", "flows through Riga"),
    r("Po", "Adriatic Sea", "Italy", "is the longest river of Italy"),
    r("Adige", "Adriatic Sea", "Italy", "flows through Verona"),
    r("Ganges", "Bay of Bengal", "India and Bangladesh", "is holy to Hindus"),
    r("Godavari", "Bay of Bengal", "India", "rises near the west coast of India and flows to the east coast"),
    r("Krishna", "Bay of Bengal", "India", "rises in the Western Ghats"),
    r("Indus", "Arabian Sea", "Pakistan for the most part", "rises on the plateau of Tibet"),
    r("Narmada", "Arabian Sea", "India", "flows from east to west, as few rivers of India do"),
    r("Ob", "Arctic Ocean", "Russia", "is frozen for half of the year"),
    r("Yenisei", "Arctic Ocean", "Mongolia and Russia", "is the largest of the rivers that flow north through Siberia"),
    r("Lena", "Arctic Ocean", "Russia", "has a very large delta on the coast of Siberia"),
    r("Mackenzie", "Arctic Ocean", "Canada", "is the longest river of Canada"),
    r("Mekong", "South China Sea", "six countries of Asia", "feeds the rice fields of a great delta"),
    r("Pearl River", "South China Sea", "China", "reaches the sea between Hong Kong and Macau"),
    r("Chao Phraya", "Gulf of Thailand", "Thailand", "flows through Bangkok"),
];

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

const fn m(
    name: &'static str,
    height: u16,
    place: &'static str,
    country: &'static str,
    note: &'static str,
) -> Mountain {
    Mountain { name, height, place, country, note }
}

/// Mountains.
#[rustfmt::skip]
pub const MOUNTAINS: &[Mountain] = &[
    m("Mount Everest", 8849, "in the Himalayas", "", "is the highest mountain on Earth, and was first climbed in 1953"),
    m("K2", 8611, "in the Karakoram", "", "is the second-highest mountain on Earth"),
    m("Annapurna", 8091, "in the Himalayas", "Nepal", "was the first mountain above 8,000 metres to be climbed, in 1950"),
    m("Dhaulagiri", 8167, "in the Himalayas", "Nepal", "has a name that means white mountain"),
    m("Manaslu", 8163, "in the Himalayas", "Nepal", "was first climbed by a team from Japan"),
    m("Aconcagua", 6961, "in the Andes", "Argentina", "is the highest mountain outside Asia"),
    m("Mount Logan", 5959, "in the Saint Elias Mountains", "Canada", "is the highest mountain of Canada"),
    m("Chimborazo", 6263, "in the Andes", "Ecuador", "has the summit that is farthest from the centre of the Earth"),
    m("Huascarán", 6768, "in the Andes", "Peru", "is the highest mountain of the tropics"),
    m("Kilimanjaro", 5895, "in the savanna of East Africa", "Tanzania", "is the highest mountain of Africa"),
    m("Mount Kenya", 5199, "in the highlands of East Africa", "Kenya", "is the second-highest mountain of Africa"),
    m("Mount Elbrus", 5642, "in the Caucasus", "Russia", "is a volcano that has slept for a long time"),
    m("Mont Blanc", 4806, "in the Alps", "", "is the highest mountain of the Alps"),
    m("the Matterhorn", 4478, "in the Alps", "", "has the shape of a steep pyramid"),
    m("the Jungfrau", 4158, "in the Alps", "Switzerland", "stands beside the Mönch and the Eiger"),
    m("the Eiger", 3967, "in the Alps", "Switzerland", "has a north face that is feared by climbers"),
    m("the Zugspitze", 2962, "in the Alps", "", "is the highest mountain of Germany"),
    m("Mount Fuji", 3776, "on the island of Honshu", "Japan", "is a volcano that painters have shown again and again"),
    m("Mount Vesuvius", 1281, "above the city of Naples", "Italy", "is a volcano that buried the town of Pompeii in the year 79"),
    m("Mount Olympus", 2918, "near the Aegean Sea", "Greece", "was thought to be the home of the gods"),
    m("Teide", 3715, "on the island of Tenerife", "Spain", "is a volcano in the Atlantic Ocean"),
    m("Ben Nevis", 1345, "in the Highlands of Scotland", "the United Kingdom", "is the highest mountain of the British Isles"),
    m("Galdhøpiggen", 2469, "in the Jotunheimen", "Norway", "is the highest mountain of Scandinavia"),
    m("Popocatépetl", 5426, "in the highlands south-east of Mexico City", "Mexico", "has a name that means smoking mountain"),
];

/// A planet, by its distance from the Sun.
pub struct Planet {
    pub name: &'static str,
    pub kind: &'static str,
    /// What follows on "it".
    pub note: &'static str,
    /// Another sentence.
    pub more: &'static str,
}

const fn p(name: &'static str, kind: &'static str, note: &'static str, more: &'static str) -> Planet {
    Planet { name, kind, note, more }
}

/// The planets.
#[rustfmt::skip]
pub const PLANETS: &[Planet] = &[
    p("Mercury", "rocky planet", "is the smallest of the planets", "A year there lasts 88 days on Earth."),
    p("Venus", "rocky planet", "is the hottest of the planets, under thick clouds", "It turns so slowly that its day is longer than its year."),
    p("Earth", "rocky planet", "is the only planet that is known to bear life", "Water covers about seven tenths of its surface."),
    p("Mars", "rocky planet", "looks red, since there is rust in its soil", "It has two small moons, Phobos and Deimos."),
    p("Jupiter", "gas giant", "is the largest of the planets", "Its Great Red Spot is a storm that is wider than the Earth."),
    p("Saturn", "gas giant", "is known for its bright rings of ice", "Its largest moon, Titan, has a thick atmosphere."),
    p("Uranus", "ice giant", "lies on its side as it goes round the Sun", "William Herschel discovered it in 1781."),
    p("Neptune", "ice giant", "has the strongest winds of all planets", "It was found in 1846 where calculations had said that it must be."),
];

//! Tests of the conversion of wikitext to plain text, with valid, invalid and random markup.

use proptest::prelude::*;
use vivarium_lm::data::plain_text;

fn plain(wikitext: &str) -> String {
    let mut out = String::new();
    plain_text(wikitext, &mut out);
    out
}

#[test]
fn markup_is_removed() {
    for (wikitext, expected) in [
        ("'''Ada Lovelace''' was ''the'' first '''''ever'''''.", "Ada Lovelace was the first ever."),
        ("the dog''s'' '''l'''{{'}}etat, dogs' it's ''''x''''", "the dogs letat, dogs' it's 'x'"),
        (
            "A [[cat]], [[dog|two dogs]] and [[:Category:Pets]]; [[Mars (planet)|]].",
            "A cat, two dogs and Category:Pets; Mars.",
        ),
        ("[[File:A.jpg|thumb|An [[old]] owl {{x}}]]An owl.[[Category:Owls]][[de:Eule]]", "An owl."),
        (
            "See [https://example.org the site], [https://example.org], [sic] and a[1].",
            "See the site,, [sic] and a[1].",
        ),
        ("It weighs {{convert|5|kg|lb|abbr=on}} or {{nowrap|{{val|3}} kg}}.", "It weighs 5 kg or 3 kg."),
        (
            "{{lang|fr|Le [[mot]]}} {{Infobox\n|a={{b|c}}\n|d=[[e]]}}is{{sfn|X|1999|p=3}} kept{{ndash}}here",
            "Le mot is kept – here",
        ),
        (
            "One<ref name=\"a\">No <b>text</b>.</ref> two<ref name=\"a\" /> three<!-- four --> <small>five</small>.",
            "One two three five.",
        ),
        (
            "H<sub>2</sub>O, x &lt; y &amp;&nbsp;z&#8212;&#x41; &unknown; A&B 1 < 2",
            "H2O, x < y & z—A &unknown; A&B 1 < 2",
        ),
        ("<nowiki>[[kept]] ''so''</nowiki> __NOTOC__a__b__ __c", "[[kept]] ''so'' a__b__ __c"),
        (
            "Gold ({{lang-la|aurum}}), symbol ({{x}}; Au) (, old ) .5 and (.5) , so .NET",
            "Gold, symbol (Au) (old) .5 and (.5), so .NET",
        ),
        ("a\n{| class=\"wikitable\"\n|-\n| x || {{y|}}\n{|\n|inner\n|}\n|}\nb", "a\n\nb"),
        ("line<br>break<br />twice", "line\nbreak\ntwice"),
    ] {
        assert_eq!(plain(wikitext), expected, "{wikitext}");
    }
}

#[test]
fn sections_and_lists_are_lines() {
    let wikitext = "{{short description|x}}\nFirst.\n\n\n\nSecond.\n== A ==\n=== Empty ===\n=== Full ===\n* one\n* [[two]]\n\
        #three\n:four\n----\n== References ==\n{{reflist}}\n== Links ==\n[[Category:X]]\n";
    assert_eq!(plain(wikitext), "First.\n\nSecond.\n\nA\n\nFull\n\none\ntwo\nthree\nfour");
    assert_eq!(plain("== Only ==\n"), "");
    assert_eq!(plain("a == b\n== ==\n==x="), "a == b\n== ==\n==x=");
}

#[test]
fn invalid_markup_is_tolerated() {
    assert_eq!(plain("a {{b [[c]] d"), "a {{b c d");
    assert_eq!(plain("a [[b {{c}} d"), "a [[b d");
    assert_eq!(plain("a }} b ]] c |} d"), "a }} b ]] c |} d");
    assert_eq!(plain("a <ref>b"), "a b");
    assert_eq!(plain("a <!-- b"), "a");
    // Nesting that would overflow the stack.
    let deep = format!("a{}b{}c", "[[x|".repeat(200_000), "]]".repeat(200_000));
    assert_eq!(plain(&deep), "ac");
    assert_eq!(plain(&"{{nowrap|".repeat(100_000)).len(), 900_000);
}

proptest! {
    #[test]
    fn any_text_is_borne(parts in prop::collection::vec(
        prop::sample::select(vec![
            "{{", "}}", "[[", "]]", "{|", "|}", "|", "<ref>", "</ref>", "<", ">", "/>", "<!--", "-->", "''", "'", "\n", "==", "&",
            "amp;", "#", "__", "TOC", "ö", "中", "a", " ", "[http://", "]", "(", ")", ":", "=", "<nowiki>", "nowrap", "File:",
        ]),
        0..60,
    )) {
        let text = plain(&parts.concat());
        prop_assert_eq!(text.trim(), &text);
        prop_assert!(!text.contains("\n\n\n"), "{:?}", text);
    }
}

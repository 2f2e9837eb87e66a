//! Tests of the character-level tokenizer: vocabulary, unknown characters, encoding and decoding.

use proptest::prelude::*;
use vivarium_lm::{Characters, TokenizerError};

fn encoded(tokenizer: &Characters, text: &str) -> Vec<u32> {
    let mut tokens = Vec::new();
    tokenizer.encode(text, &mut tokens).expect("the vocabulary has all of these characters");
    tokens
}

#[test]
fn the_vocabulary_is_the_sorted_character_set() {
    let tokenizer = Characters::of_text("to be, ö\nor 中 not").unwrap();
    assert_eq!(tokenizer.characters(), ['\n', ' ', ',', 'b', 'e', 'n', 'o', 'r', 't', 'ö', '中']);
    assert_eq!(encoded(&tokenizer, "to 中"), [8, 6, 1, 10]);
    assert_eq!(Characters::of_text(""), Err(TokenizerError::Empty));
}

#[test]
fn unknown_characters_are_reported_and_nothing_is_appended() {
    let tokenizer = Characters::of_text("abc ö").unwrap();
    for (text, character, at) in [("aböcd", "'d'", 5), ("é", "'é'", 0), ("a\t", "'\\t'", 1)] {
        let mut tokens = vec![7];
        let error = tokenizer.encode(text, &mut tokens).unwrap_err().to_string();
        let expected =
            format!("the character {character} at byte {at} is not in the vocabulary; allowed: \" abcö\"");
        assert_eq!(error, expected);
        assert_eq!(tokens, [7]);
    }
    let error = tokenizer.decode(&[4, 5]).unwrap_err().to_string();
    assert_eq!(error, "token 5 is not in the vocabulary; allowed: 0 to 4");
}

proptest! {
    #[test]
    fn text_comes_back(text in ".{1,60}") {
        let tokenizer = Characters::of_text(&text).unwrap();
        let tokens = encoded(&tokenizer, &text);
        prop_assert_eq!(tokens.len(), text.chars().count());
        prop_assert_eq!(tokenizer.decode(&tokens).unwrap(), text);
    }
}

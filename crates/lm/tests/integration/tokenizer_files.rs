//! Tests of `tokenizer.json` files and of tokenizer fingerprints: round trips and rejected files.

use serde_json::Value;
use vivarium_lm::{Characters, Tokenizer};

const TEXT: &str =
    "A tokenizer's file holds what it takes: the tokens, the merges, the rule that takes text apart.\n\té";

fn both() -> [Tokenizer; 2] {
    let characters = Characters::of_text(TEXT).unwrap();
    [Tokenizer::Characters(characters), Tokenizer::bpe_of_text(TEXT, 300).unwrap()]
}

#[test]
fn files_round_trip() {
    for tokenizer in both() {
        let read = Tokenizer::from_json(&tokenizer.to_json()).unwrap();
        assert_eq!(read, tokenizer);
        assert_eq!(read.fingerprint(), tokenizer.fingerprint());
        assert_eq!(read.check_fingerprint(&tokenizer.fingerprint()), Ok(()));
    }
}

#[test]
fn the_former_format_of_merges_is_supported() {
    let [_, tokenizer] = both();
    let mut file: Value = serde_json::from_str(&tokenizer.to_json()).unwrap();
    for merge in file["model"]["merges"].as_array_mut().unwrap() {
        let parts: Vec<_> = merge.as_array().unwrap().iter().map(|part| part.as_str().unwrap()).collect();
        *merge = parts.join(" ").into();
    }
    assert_eq!(Tokenizer::from_json(&file.to_string()), Ok(tokenizer));
}

#[test]
fn another_tokenizer_is_rejected() {
    let [characters, pairs] = both();
    assert_ne!(characters.fingerprint(), pairs.fingerprint());
    let fewer = Tokenizer::bpe_of_text(TEXT, 265).unwrap();
    let error = fewer.check_fingerprint(&pairs.fingerprint()).unwrap_err().to_string();
    let (found, needed) = (fewer.fingerprint(), pairs.fingerprint());
    assert_eq!(
        error,
        format!(
            "the tokenizer does not match this checkpoint: its fingerprint is {found} (BPE with 265 tokens), and the model \
             was trained with {needed}; use the tokenizer that was saved with the checkpoint"
        )
    );
    // Fingerprints must not change between versions: checkpoints contain them.
    let abc = Tokenizer::Characters(Characters::of_text("abc").unwrap());
    assert_eq!(abc.fingerprint(), "0873290b4964b50b");
}

#[test]
fn invalid_files_are_rejected() {
    let [characters, pairs] = both();
    let changed = |tokenizer: &Tokenizer, change: &dyn Fn(&mut Value)| {
        let mut file = serde_json::from_str(&tokenizer.to_json()).unwrap();
        change(&mut file);
        Tokenizer::from_json(&file.to_string()).unwrap_err().to_string()
    };
    let says = |error: String, problem: &str| {
        assert!(error.starts_with("unsupported tokenizer file: "), "{error}");
        assert!(error.contains(problem), "{error}");
    };
    says(Tokenizer::from_json("{").unwrap_err().to_string(), "EOF");
    says(
        changed(&pairs, &|file| file["model"]["type"] = "WordPiece".into()),
        "the model type is \"WordPiece\"",
    );
    says(changed(&pairs, &|file| file["normalizer"] = "NFC".into()), "\"normalizer\"");
    says(changed(&pairs, &|file| file["model"]["vocab"] = Value::Null), "\"vocab\" is missing");
    says(changed(&pairs, &|file| file["model"]["vocab"]["!"] = 1.into()), "each exactly once");
    says(changed(&pairs, &|file| file["model"]["vocab"]["!"] = 1_000_000.into()), "token 1000000 of \"!\"");
    says(
        changed(&pairs, &|file| file["model"]["merges"][0] = "a".into()),
        "the merge \"a\" does not combine",
    );
    says(changed(&pairs, &|file| file["pre_tokenizer"] = Value::Null), "is not a single character");
    says(changed(&pairs, &|file| file["pre_tokenizer"]["type"] = "Digits".into()), "is not supported");
    let next = characters.vocabulary();
    says(
        changed(&characters, &|file| file["model"]["vocab"]["zz"] = next.into()),
        "\"zz\" is not a single character",
    );
}

//! Reading and writing `tokenizer.json`, the file format of the library `tokenizers`.
//!
//! A character vocabulary is written as a BPE model without merges, which produces the same tokens.

use super::bpe::byte_tokens;
use super::{Bpe, Characters, Tokenizer, TokenizerError, bytes, pretokenizer};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// String of the end-of-document token in `tokenizer.json`, the same as in GPT-2.
const END: &str = "<|endoftext|>";

fn wrong(problem: impl Into<String>) -> TokenizerError {
    TokenizerError::File(problem.into())
}

impl Tokenizer {
    /// Returns the tokenizer as a `tokenizer.json` file, which the library `tokenizers` can open.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Self::Characters(characters) => {
                let names = characters.characters().iter().map(char::to_string);
                file(vocabulary(names), json!([]), json!([]), Value::Null, json!({"type": "Fuse"}))
            }
            Self::Bpe(bpe) => write_bpe(bpe),
        }
    }

    /// Returns the field `pre_tokenizer` of the `tokenizer.json` file of a BPE tokenizer.
    #[must_use]
    pub fn pre_tokenizer_json() -> Value {
        pre_tokenizer()
    }

    /// Parses the content of a `tokenizer.json` file with the structure that [`to_json`](Self::to_json) produces.
    /// Ignores additional fields that do not change the tokens.
    ///
    /// # Errors
    /// [`TokenizerError::File`] with the problem.
    pub fn from_json(text: &str) -> Result<Self, TokenizerError> {
        let file: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let model = &file["model"];
        if model["type"] != "BPE" {
            return Err(wrong(format!("the model type is {}; \"BPE\" is required", model["type"])));
        }
        if !file["normalizer"].is_null() {
            return Err(wrong("it has a \"normalizer\"; null is required"));
        }
        let names = names(&model["vocab"])?;
        match &file["pre_tokenizer"] {
            Value::Null => read_characters(&names),
            rule if *rule == pre_tokenizer() => read_bpe(&names, &model["merges"]),
            rule => Err(wrong(format!("the \"pre_tokenizer\" is not supported: {rule}"))),
        }
    }
}

fn write_bpe(bpe: &Bpe) -> String {
    let end = bpe.end_of_document();
    let name = |token: u32| bytes::write(bpe.bytes(token).unwrap_or_default());
    let mut vocabulary = vocabulary((0..end).map(name));
    vocabulary.insert(END.into(), json!(end));
    let merges: Value = bpe.merges().iter().map(|pair| json!(pair.map(name))).collect();
    let added = json!([{
        "id": end, "content": END, "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": false, "special": true,
    }]);
    let decoder = json!({
        "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false,
    });
    file(vocabulary, merges, added, pre_tokenizer(), decoder)
}

fn vocabulary(names: impl Iterator<Item = String>) -> Map<String, Value> {
    names.zip(0..).map(|(name, token)| (name, json!(token))).collect()
}

/// Returns the JSON description of the pre-tokenizer in `tokenizer.json`: first the split into words by a pattern, then
/// the mapping of bytes to characters.
fn pre_tokenizer() -> Value {
    json!({"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": pretokenizer::PATTERN}, "behavior": "Isolated", "invert": false},
        {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
    ]})
}

fn file(
    vocabulary: Map<String, Value>,
    merges: Value,
    added: Value,
    splitting: Value,
    decoder: Value,
) -> String {
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": added, "normalizer": null,
        "pre_tokenizer": splitting, "post_processor": null, "decoder": decoder,
        "model": {
            "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false,
            "vocab": vocabulary, "merges": merges,
        },
    })
    .to_string()
}

/// Returns the strings of all tokens in the JSON object `vocab` of `tokenizer.json`, in token order.
fn names(vocabulary: &Value) -> Result<Vec<&str>, TokenizerError> {
    let vocabulary = vocabulary.as_object().ok_or_else(|| wrong("\"vocab\" is missing"))?;
    let mut names = vec![""; vocabulary.len()];
    for (name, token) in vocabulary {
        let place = token.as_u64().and_then(|token| names.get_mut(usize::try_from(token).ok()?));
        match place {
            Some(place) if place.is_empty() && !name.is_empty() => *place = name,
            _ => {
                return Err(wrong(format!(
                    "token {token} of {name:?}: tokens must be 0, 1, 2 …, each exactly once"
                )));
            }
        }
    }
    Ok(names)
}

fn read_characters(names: &[&str]) -> Result<Tokenizer, TokenizerError> {
    let mut characters = Vec::new();
    for name in names {
        let mut of_name = name.chars();
        match (of_name.next(), of_name.next()) {
            (Some(character), None) if characters.last().is_none_or(|&last| last < character) => {
                characters.push(character);
            }
            _ => {
                return Err(wrong(format!(
                    "the token {name:?} is not a single character in ascending order"
                )));
            }
        }
    }
    Ok(Tokenizer::Characters(Characters::new(characters)?))
}

fn read_bpe(names: &[&str], merges: &Value) -> Result<Tokenizer, TokenizerError> {
    let Some((&END, names)) = names.split_last() else {
        return Err(wrong(format!("the last token is not {END}")));
    };
    let spelled = |name: &&str| {
        let bytes =
            bytes::read(name).ok_or_else(|| wrong(format!("the token {name:?} is not a byte string")));
        bytes.map(Vec::into_boxed_slice)
    };
    let tokens = names.iter().map(spelled).collect::<Result<Vec<_>, _>>()?;
    if !tokens.starts_with(&byte_tokens()) {
        return Err(wrong("the first 256 tokens are not the bytes in GPT-2's order"));
    }
    let token_of: HashMap<&str, u32> = names.iter().copied().zip(0..).collect();
    let merges = merges.as_array().ok_or_else(|| wrong("\"merges\" is missing"))?;
    let (mut pairs, mut merged) = (Vec::new(), Vec::new());
    for merge in merges {
        let made = |[left, right]: [&str; 2]| {
            let found = [left, right].map(|name| token_of.get(name).copied());
            let made = token_of.get(&*[left, right].concat()).copied();
            Some(([found[0]?, found[1]?], made?))
        };
        let (pair, token) = parts(merge)
            .and_then(made)
            .ok_or_else(|| wrong(format!("the merge {merge} does not combine two tokens into a third")))?;
        pairs.push(pair);
        merged.push(token);
    }
    Ok(Tokenizer::Bpe(Bpe::new(tokens, pairs, merged)))
}

/// Returns the two token strings of an entry in the list of merges in `tokenizer.json`. The entry is a list of two
/// strings or (former file format) one string with a space. Returns `None` for other values.
fn parts(merge: &Value) -> Option<[&str; 2]> {
    match merge {
        Value::String(both) => both.split_once(' ').map(|(left, right)| [left, right]),
        Value::Array(both) => match both.as_slice() {
            [left, right] => Some([left.as_str()?, right.as_str()?]),
            _ => None,
        },
        _ => None,
    }
}

//! BPE training and encoding, compared with a direct implementation.

use proptest::prelude::*;
use std::collections::BTreeMap;
use vivarium_lm::tokenizer::words;
use vivarium_lm::{Bpe, BpeTraining, Tokenizer, WordCache, WordCounts};

const VERSE: &str = "The owl and the other owls, the otter and the others: they're older than the oldest oak.\n\n\
    Thereupon the three of them sat there, thinking; the thinnest thought the most. aaaaaaa aaaa 1111 111 ööö öö\n";

/// Trains BPE by definition: recounts all pairs after every merge.
fn slow_merges(text: &str, most: usize) -> Vec<[Vec<u8>; 2]> {
    let mut split: Vec<Vec<Vec<u8>>> =
        words(text).map(|word| word.bytes().map(|byte| vec![byte]).collect()).collect();
    // GPT-2's order of the bytes, then the order of merges.
    let order = (0..=255u8).filter(|b| matches!(b, 33..=126 | 161..=172 | 174..=255));
    let rest = (0..=255u8).filter(|b| !matches!(b, 33..=126 | 161..=172 | 174..=255));
    let mut tokens: Vec<Vec<u8>> = order.chain(rest).map(|byte| vec![byte]).collect();
    let mut merges = Vec::new();
    while merges.len() < most {
        let place = |token: &[u8]| tokens.iter().position(|known| known == token).unwrap();
        let mut counts = BTreeMap::new();
        for word in &split {
            for pair in word.windows(2) {
                *counts.entry([place(&pair[0]), place(&pair[1])]).or_insert(0) += 1;
            }
        }
        let best = counts.iter().max_by_key(|&(pair, count)| (*count, std::cmp::Reverse(*pair)));
        let Some((&pair, _)) = best.filter(|&(_, &count)| count > 1) else { break };
        let pair = pair.map(|token| tokens[token].clone());
        let joined = pair.concat();
        split.iter_mut().for_each(|word| slow_merge(word, &pair));
        if !tokens.contains(&joined) {
            tokens.push(joined);
        }
        merges.push(pair);
    }
    merges
}

fn slow_merge(word: &mut Vec<Vec<u8>>, pair: &[Vec<u8>; 2]) {
    let mut at = 0;
    while at + 1 < word.len() {
        if word[at..at + 2] == pair[..] {
            word.splice(at..at + 2, [pair.concat()]);
        }
        at += 1;
    }
}

/// Tokenizes a text by the definition of BPE: applies all occurrences of the first merge, then of the second, and so
/// on.
fn slow_tokens(text: &str, merges: &[[Vec<u8>; 2]]) -> Vec<Vec<u8>> {
    let mut tokens = Vec::new();
    for word in words(text) {
        let mut word = word.bytes().map(|byte| vec![byte]).collect();
        merges.iter().for_each(|pair| slow_merge(&mut word, pair));
        tokens.append(&mut word);
    }
    tokens
}

fn trained(text: &str, vocabulary: usize) -> Bpe {
    match Tokenizer::bpe_of_text(text, vocabulary) {
        Ok(Tokenizer::Bpe(bpe)) => bpe,
        other => panic!("{other:?}"),
    }
}

fn spelt(bpe: &Bpe, tokens: &[u32]) -> Vec<Vec<u8>> {
    tokens.iter().map(|&token| bpe.bytes(token).unwrap().to_vec()).collect()
}

fn agrees_with_slow(text: &str, other: &str) {
    let bpe = trained(text, 400);
    let merges = slow_merges(text, 400 - Bpe::MIN_VOCABULARY);
    let found: Vec<_> =
        bpe.merges().iter().map(|pair| pair.map(|t| bpe.bytes(t).unwrap().to_vec())).collect();
    assert_eq!(found, merges);
    for text in [text, other] {
        let mut tokens = Vec::new();
        bpe.encode(text, &mut WordCache::default(), &mut tokens);
        assert_eq!(spelt(&bpe, &tokens), slow_tokens(text, &merges), "{text:?}");
    }
}

#[test]
fn merges_and_tokens_match_the_definition() {
    agrees_with_slow(VERSE, "Oh, the ottoman's other aaaaaaaaa thing öööö!");
}

proptest! {
    #[test]
    fn random_text_agrees_with_the_definition(text in "[ab ö]{1,200}", other in "[abc ö']{0,60}") {
        agrees_with_slow(&text, &other);
    }

    #[test]
    fn any_text_comes_back(text in "\\PC{0,40}[ \n\t]{0,3}\\PC{0,20}") {
        let tokenizer = Tokenizer::bpe_of_text(VERSE, 320).unwrap();
        let tokens = tokenizer.tokens(&text).unwrap();
        prop_assert_eq!(tokenizer.text(&tokens).unwrap(), text.clone());
        prop_assert_eq!(words(&text).collect::<String>(), text);
    }
}

#[test]
fn incremental_training_equals_training_in_one_call() {
    let mut counts = WordCounts::default();
    VERSE.split_inclusive(',').for_each(|piece| counts.add(piece));
    assert_eq!(counts.different(), words(VERSE).collect::<std::collections::BTreeSet<_>>().len());
    for most in [1, 40, 1_000_000] {
        let mut training = BpeTraining::new(counts.clone(), 280).unwrap();
        let mut vocabularies = vec![training.bpe().vocabulary()];
        while training.advance(most) {
            vocabularies.push(training.bpe().vocabulary());
        }
        assert_eq!(training.bpe(), trained(VERSE, 280));
        assert_eq!(training.bpe().vocabulary(), 280);
        // The smallest increments are single words, then single pairs.
        let alone = vocabularies.len() > 30 && vocabularies.windows(2).all(|pair| pair[1] - pair[0] <= 1);
        assert!(alone || most > 1, "{vocabularies:?}");
    }
    // A long word of one letter, with overlapping pairs.
    let bpe = trained(&"a".repeat(100_000), 1000);
    assert_eq!(bpe.bytes(bpe.end_of_document() - 1).map(<[u8]>::len), Some(1 << 16));
}

#[test]
fn incomplete_characters_are_replaced_and_the_end_of_document_is_empty() {
    let tokenizer = Tokenizer::bpe_of_text("plain text", 257).unwrap();
    let tokens = tokenizer.tokens("é").unwrap();
    assert_eq!(tokens.len(), 2);
    assert_eq!(tokenizer.text(&tokens[..1]).unwrap(), "\u{fffd}");
    assert_eq!(tokenizer.text(&[tokens[0], tokens[1], 256]).unwrap(), "é");
    assert_eq!(tokenizer.end_of_document(), Some(256));
    let error = tokenizer.text(&[257]).unwrap_err().to_string();
    assert_eq!(error, "token 257 is not in the vocabulary; allowed: 0 to 256");
}

#[test]
fn invalid_vocabularies_and_texts_are_rejected() {
    let error = |text, vocabulary| Tokenizer::bpe_of_text(text, vocabulary).unwrap_err().to_string();
    assert_eq!(error("text", 256), "vocabulary size 256 is too small; BPE needs at least 257");
    assert_eq!(error("", 512), "the text is empty; a vocabulary needs at least one character");
}

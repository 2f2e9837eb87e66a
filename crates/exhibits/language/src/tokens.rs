//! Display of tokens and their probabilities.

use crate::protocol::{LanguageAlternative, LanguageTokenKind};
use vivarium_lm::Tokenizer;

/// Number of alternative tokens that are displayed at each position of a text.
const ALTERNATIVES: usize = 8;

/// Returns the characters of a token, for display. Incomplete UTF-8 characters are shown as `⟨e4⟩`, the end-of-document
/// token as `⟨end⟩`.
pub(super) fn shown(tokenizer: &Tokenizer, token: u32) -> String {
    if tokenizer.end_of_document() == Some(token) {
        return "⟨end⟩".into();
    }
    let mut bytes = Vec::new();
    // Decoding fails for a token outside the vocabulary, which is displayed without characters.
    let _ = tokenizer.decode(&[token], &mut bytes);
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("⟨{byte:02x}⟩")));
    }
    text
}

/// Returns the kind of a token, such as digit or word, from the characters of the token.
pub(super) fn kind(tokenizer: &Tokenizer, token: u32) -> LanguageTokenKind {
    let mut bytes = Vec::new();
    let _ = tokenizer.decode(&[token], &mut bytes);
    let Ok(text) = str::from_utf8(&bytes) else { return LanguageTokenKind::Subword };
    let word = text.trim_start();
    let all = |is: fn(char) -> bool| word.chars().all(is);
    match word.chars().count() {
        // Only the end-of-document token has no bytes.
        0 if text.is_empty() => LanguageTokenKind::Punctuation,
        0 => LanguageTokenKind::Space,
        _ if all(|c| c.is_ascii_digit()) => LanguageTokenKind::Digit,
        _ if all(|c| !c.is_alphanumeric()) => LanguageTokenKind::Punctuation,
        1 if word == text => LanguageTokenKind::Letter,
        _ if word != text => LanguageTokenKind::Word,
        _ => LanguageTokenKind::Subword,
    }
}

/// Returns the [`ALTERNATIVES`] most probable next tokens with their probabilities, in descending order of probability.
pub(super) fn top_alternatives(tokenizer: &Tokenizer, logits: &[f32]) -> Vec<LanguageAlternative> {
    let probabilities = Probabilities::new(logits);
    let alternative = |token| LanguageAlternative {
        token,
        text: shown(tokenizer, token),
        probability: probabilities.of(token) as f32,
    };
    vivarium_lm::top_tokens(logits, ALTERNATIVES).into_iter().map(alternative).collect()
}

/// Softmax probabilities of the next token, computed from one logit for each token of the vocabulary.
pub(super) struct Probabilities<'a> {
    logits: &'a [f32],
    largest: f32,
    log_sum: f64,
}

impl<'a> Probabilities<'a> {
    /// Prepares the softmax of `logits`, one logit for each token of the vocabulary: computes the logarithm of the sum
    /// of exponentials, which is the softmax's denominator.
    pub(super) fn new(logits: &'a [f32]) -> Self {
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = logits.iter().map(|&logit| f64::from(logit - largest).exp()).sum();
        Self { logits, largest, log_sum: sum.ln() }
    }

    /// Returns the natural logarithm of a token's probability.
    pub(super) fn log_of(&self, token: u32) -> f64 {
        f64::from(self.logits[token as usize] - self.largest) - self.log_sum
    }

    /// Returns the softmax probability of a token.
    pub(super) fn of(&self, token: u32) -> f64 {
        self.log_of(token).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_lm::Characters;

    #[test]
    fn bytes_that_are_no_character_are_shown_as_numbers() {
        let tokenizer = Tokenizer::bpe_of_text("the the the then", 260).unwrap();
        let of = |text: &str| tokenizer.tokens(text).unwrap();
        assert_eq!(shown(&tokenizer, of("A")[0]), "A");
        let halves: Vec<String> = of("ä").iter().map(|&token| shown(&tokenizer, token)).collect();
        assert_eq!(halves, ["⟨c3⟩", "⟨a4⟩"]);
        assert_eq!(shown(&tokenizer, tokenizer.beginning()), "⟨end⟩");
    }

    #[test]
    fn kinds_follow_from_the_characters() {
        let tokenizer = Tokenizer::bpe_of_text(&" the the then 77 77".repeat(3), 300).unwrap();
        for (text, expected) in [
            ("a", LanguageTokenKind::Letter),
            ("7", LanguageTokenKind::Digit),
            ("?", LanguageTokenKind::Punctuation),
            ("\n", LanguageTokenKind::Space),
            (" the", LanguageTokenKind::Word),
        ] {
            let tokens = tokenizer.tokens(text).unwrap();
            assert_eq!((tokens.len(), kind(&tokenizer, tokens[0])), (1, expected), "{text:?}");
        }
        assert_eq!(kind(&tokenizer, tokenizer.tokens("ä").unwrap()[0]), LanguageTokenKind::Subword);
        assert_eq!(kind(&tokenizer, tokenizer.beginning()), LanguageTokenKind::Punctuation);
    }

    #[test]
    fn the_likeliest_tokens_come_first_with_their_probabilities() {
        let tokenizer = Tokenizer::Characters(Characters::new("abcdefghijkl".chars()).unwrap());
        let logits: Vec<f32> = (0..12).map(|token| ((token * 5 % 12 + 1) as f32).ln()).collect();
        let found = top_alternatives(&tokenizer, &logits);
        assert_eq!(found.len(), ALTERNATIVES);
        for (place, LanguageAlternative { token, text, probability }) in found.iter().enumerate() {
            let weight = 12 - place;
            assert!((probability - weight as f32 / 78.0).abs() < 1e-6, "{text}: {probability}");
            assert_eq!(tokenizer.tokens(text).unwrap(), [*token]);
            assert_eq!(*token as usize * 5 % 12 + 1, weight);
        }
    }
}

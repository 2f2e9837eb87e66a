//! Character-level tokenizer.

use super::TokenizerError;

/// Character-level tokenizer. The vocabulary is sorted by code point; the token of a character is its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Characters {
    characters: Vec<char>,
    /// Token of each ASCII character, or [`NONE`]; avoids the binary search for most text.
    ascii: Box<[u32; 128]>,
}

const NONE: u32 = u32::MAX;

impl Characters {
    /// Creates the tokenizer whose vocabulary consists of all characters of a text.
    ///
    /// # Errors
    /// [`TokenizerError::Empty`] if the text is empty.
    pub fn of_text(text: &str) -> Result<Self, TokenizerError> {
        Self::new(text.chars())
    }

    /// Creates the tokenizer whose vocabulary consists of `characters`, in any order and possibly with duplicates.
    ///
    /// # Errors
    /// [`TokenizerError::Empty`] if `characters` is empty.
    pub fn new(characters: impl IntoIterator<Item = char>) -> Result<Self, TokenizerError> {
        let mut seen = std::collections::BTreeSet::new();
        // ASCII characters bypass the slower set.
        let mut ascii = Box::new([NONE; 128]);
        for character in characters {
            match ascii.get_mut(character as usize) {
                Some(place) => *place = 0,
                None => _ = seen.insert(character),
            }
        }
        let below_128 = (0..128u8).filter(|&code| ascii[usize::from(code)] != NONE).map(char::from);
        let characters: Vec<char> = below_128.chain(seen).collect();
        for (token, &character) in characters.iter().enumerate().take_while(|(_, c)| c.is_ascii()) {
            ascii[character as usize] = token as u32;
        }
        if characters.is_empty() { Err(TokenizerError::Empty) } else { Ok(Self { characters, ascii }) }
    }

    /// Returns the characters of the vocabulary in the order of their tokens.
    #[must_use]
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// Returns the token of a character; `None` if the character is not in the vocabulary.
    #[must_use]
    pub fn token(&self, character: char) -> Option<u32> {
        match self.ascii.get(character as usize) {
            Some(&token) => (token != NONE).then_some(token),
            None => self.characters.binary_search(&character).ok().map(|token| token as u32),
        }
    }

    /// Appends the tokens of a text to `out`, one per character.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownCharacter`] for the first character outside the vocabulary; `out` is unchanged then.
    pub fn encode(&self, text: &str, out: &mut Vec<u32>) -> Result<(), TokenizerError> {
        let before = out.len();
        for (at, character) in text.char_indices() {
            let Some(token) = self.token(character) else {
                out.truncate(before);
                let allowed = self.characters.iter().collect();
                return Err(TokenizerError::UnknownCharacter { character, at, allowed });
            };
            out.push(token);
        }
        Ok(())
    }

    /// Returns the text that the given tokens stand for.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownToken`] for the first token outside the vocabulary.
    pub fn decode(&self, tokens: &[u32]) -> Result<String, TokenizerError> {
        let last = self.characters.len() as u32 - 1;
        let character = |&token: &u32| {
            self.characters.get(token as usize).ok_or(TokenizerError::UnknownToken { token, last })
        };
        tokens.iter().map(character).collect()
    }
}

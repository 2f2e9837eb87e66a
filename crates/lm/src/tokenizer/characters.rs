//! A token for each character.

use super::TokenizerError;

/// A vocabulary of characters, sorted by code point; a character's token is its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Characters {
    characters: Vec<char>,
    /// The token of each ASCII character, or [`NONE`]: most text needs no search.
    ascii: Box<[u32; 128]>,
}

const NONE: u32 = u32::MAX;

impl Characters {
    /// The vocabulary of a text: each character that occurs in it.
    ///
    /// # Errors
    /// [`TokenizerError::Empty`] if there is none.
    pub fn of_text(text: &str) -> Result<Self, TokenizerError> {
        Self::new(text.chars())
    }

    /// A vocabulary of these characters, in any order and any number of times.
    ///
    /// # Errors
    /// [`TokenizerError::Empty`] if there are none.
    pub fn new(characters: impl IntoIterator<Item = char>) -> Result<Self, TokenizerError> {
        let mut seen = std::collections::BTreeSet::new();
        // A text repeats itself: a table spares the set nearly all of its characters.
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

    /// The characters, in the order of their tokens.
    #[must_use]
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// The token of a character, if the vocabulary has it.
    #[must_use]
    pub fn token(&self, character: char) -> Option<u32> {
        match self.ascii.get(character as usize) {
            Some(&token) => (token != NONE).then_some(token),
            None => self.characters.binary_search(&character).ok().map(|token| token as u32),
        }
    }

    /// Appends the tokens of a text to `out`, one for each character.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownCharacter`] for the first character that the vocabulary lacks; `out` is as it was before.
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

    /// The text of tokens.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownToken`] for the first number that is no token.
    pub fn decode(&self, tokens: &[u32]) -> Result<String, TokenizerError> {
        let last = self.characters.len() as u32 - 1;
        let character = |&token: &u32| {
            self.characters.get(token as usize).ok_or(TokenizerError::UnknownToken { token, last })
        };
        tokens.iter().map(character).collect()
    }
}

//! Positions as GNU Backgammon's position IDs.
//!
//! An ID is ten bytes in Base64 without padding. The bytes are bits, the lowest of each byte first: for one
//! player the points 1 to 24 and the bar, and then for the other, each written as a one for every checker and
//! a zero after them. The manual says that the player on roll comes first; the program writes the opponent
//! first, and so is it done here.

use super::outcome::Player;
use super::position::{Position, PositionError};
use super::side::{BAR, CHECKERS, OFF, PLACES};

/// Characters of a position ID.
pub(crate) const LENGTH: usize = 14;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A text that is no position ID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// A text that is too short or too long.
    #[error("the ID has {got} characters; {expected} are needed")]
    Length {
        /// How many it has.
        got: usize,
        /// How many there have to be.
        expected: usize,
    },
    /// A character that Base64 does not have.
    #[error("character {at} of the ID is {character:?}; allowed are A to Z, a to z, 0 to 9, + and /")]
    Character {
        /// Which one, counted from 1.
        at: usize,
        /// The character.
        character: char,
    },
    /// Bits where an ID has none.
    #[error("the ID goes on after the last checker; its rest should be A")]
    Excess,
    /// Checkers that cannot be there.
    #[error("the ID is of no position: {0}")]
    Position(#[from] PositionError),
}

impl Position {
    /// The position ID of GNU Backgammon, such as `4HPwATDgc/ABMA` for the start of a game.
    pub fn id(&self) -> String {
        let (mut key, mut bit) = (0u128, 0);
        for side in [self.theirs, self.mine] {
            for place in 1..PLACES {
                let count = u32::from(side.count(place));
                key |= ((1 << count) - 1) << bit;
                bit += count + 1;
            }
        }
        encode(&key.to_le_bytes()[..10])
    }

    /// The position of a position ID.
    ///
    /// # Errors
    /// [`IdError`] if it is not fourteen characters of Base64, or of no position.
    pub fn from_id(id: &str) -> Result<Self, IdError> {
        let mut bytes = [0; 16];
        decode(id, LENGTH, &mut bytes[..10])?;
        let mut key = u128::from_le_bytes(bytes);
        let mut sides = [[0u8; PLACES]; 2];
        for (counts, player) in sides.iter_mut().zip([Player::Theirs, Player::Mine]) {
            let mut total = 0;
            for count in &mut counts[1..=BAR] {
                let ones = key.trailing_ones();
                total += ones;
                if total > CHECKERS.into() {
                    return Err(PositionError::Checkers { player, got: total }.into());
                }
                *count = ones as u8;
                key >>= ones + 1;
            }
            counts[OFF] = CHECKERS - total as u8;
        }
        if key != 0 {
            return Err(IdError::Excess);
        }
        let [theirs, mine] = sides;
        Ok(Self::new(mine, theirs)?)
    }
}

/// Bytes in Base64 without padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity((bytes.len() * 8).div_ceil(6));
    for group in bytes.chunks(3) {
        let word = group.iter().fold(0, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for digit in 0..=group.len() {
            text.push(char::from(ALPHABET[(word >> (18 - 6 * digit)) as usize & 63]));
        }
    }
    text
}

/// The bytes of a text of Base64 with `length` characters, which is as many as they take.
pub(crate) fn decode(text: &str, length: usize, bytes: &mut [u8]) -> Result<(), IdError> {
    let got = text.chars().count();
    if got != length {
        return Err(IdError::Length { got, expected: length });
    }
    let (mut word, mut bits, mut filled) = (0u32, 0, 0);
    for (at, character) in text.chars().enumerate() {
        let digit = ALPHABET.iter().position(|&known| char::from(known) == character);
        let digit = digit.ok_or(IdError::Character { at: at + 1, character })?;
        word = word << 6 | digit as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes[filled] = (word >> bits) as u8;
            filled += 1;
        }
    }
    // What is left of the last character is of no byte.
    if word & ((1 << bits) - 1) != 0 { Err(IdError::Excess) } else { Ok(()) }
}

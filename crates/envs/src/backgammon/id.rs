//! Position IDs of GNU Backgammon
//! (<https://www.gnu.org/software/gnubg/manual/html_node/A-technical-description-of-the-Position-ID.html>).
//!
//! An ID is ten bytes in Base64 without padding. The bits, lowest first in each byte, list the points 1 to 24 and the
//! bar of the first player, then of the second player. Each point (or bar) is encoded as one 1 bit per checker,
//! followed by a 0 bit. The manual states that the player on roll comes first; GNU Backgammon writes the opponent
//! first, as does this module.

use super::outcome::RelativePlayer;
use super::position::{Position, PositionError};
use super::side::{BAR, CHECKERS, OFF, PLACES};

/// Number of characters of a position ID.
pub(crate) const LENGTH: usize = 14;

/// Prefix of an XGID. It may be omitted.
pub(crate) const XGID_PREFIX: &str = "XGID=";

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Parse error of a position ID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The text is an XGID.
    #[error("this is an XGID; enter a position ID of 14 characters here, such as 4HPwATDgc/ABMA")]
    Xgid,
    /// The ID has the wrong number of characters.
    #[error("the ID has {got} characters; {expected} are needed")]
    Length {
        /// Number of characters of the parsed ID.
        got: usize,
        /// Required number of characters of an ID.
        expected: usize,
    },
    /// A character of the ID is not in the Base64 alphabet.
    #[error("character {at} of the ID is {character:?}; allowed are A to Z, a to z, 0 to 9, + and /")]
    Character {
        /// Index of the invalid character in the ID, counted from 1.
        at: usize,
        /// The invalid character.
        character: char,
    },
    /// The bits after the last checker are not all 0.
    #[error("the ID has nonzero bits after the last checker; the remaining characters must be A")]
    Excess,
    /// The ID encodes an impossible position.
    #[error("the ID does not describe a legal position: {0}")]
    Position(#[from] PositionError),
}

impl Position {
    /// Returns the position ID, for example `4HPwATDgc/ABMA` for the starting position.
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

    /// Parses a position ID.
    ///
    /// # Errors
    /// [`IdError`] if the text is not 14 characters of Base64 or does not describe a legal position.
    pub fn from_id(id: &str) -> Result<Self, IdError> {
        if is_xgid(id) {
            return Err(IdError::Xgid);
        }
        let mut bytes = [0; 16];
        decode(id, LENGTH, &mut bytes[..10])?;
        let mut key = u128::from_le_bytes(bytes);
        let mut sides = [[0u8; PLACES]; 2];
        for (counts, player) in sides.iter_mut().zip([RelativePlayer::Theirs, RelativePlayer::Mine]) {
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

/// Returns whether a text has the form of an XGID: its prefix, more than two fields, or its 26 places alone.
pub(crate) fn is_xgid(text: &str) -> bool {
    let separators = text.matches(':').count();
    without_xgid_prefix(text).len() < text.len()
        || separators > 1
        || (separators == 0 && text.len() == PLACES)
}

/// Removes the prefix of an XGID, in upper or lower case, with `=` or `:`.
pub(crate) fn without_xgid_prefix(text: &str) -> &str {
    let Some((prefix, rest)) = text.split_at_checked(XGID_PREFIX.len() - 1) else { return text };
    let rest = rest.trim_start().strip_prefix(['=', ':']).filter(|_| prefix.eq_ignore_ascii_case("XGID"));
    rest.map_or(text, str::trim_start)
}

// The crate data-encoding would add 10 KB (gzip), 1.9 %, to the wasm module of the games for these two functions.

/// Encodes bytes in Base64 without padding.
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

/// Decodes Base64 text and overwrites `bytes`. The text must have `length` characters, which encode exactly
/// `bytes.len()` bytes.
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
    // The remaining bits of the last character have to be 0.
    if word & ((1 << bits) - 1) != 0 { Err(IdError::Excess) } else { Ok(()) }
}

//! Sequences of turns as people write them: `R U2 F'`.

use super::turn::{Face, Size, Turn};

/// A text that is no sequence of turns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("turn {at} is {token:?}; {allowed}")]
pub struct NotationError {
    /// Which turn, counted from 1.
    pub at: usize,
    /// What it is.
    pub token: String,
    /// What is allowed there.
    pub allowed: &'static str,
}

const TURNS: &str = "turns are U R F D L B, each by itself, with 2 or with '";
const TURNS_OF_TWO: &str = "turns are U R F, each by itself, with 2 or with '";
const FIXED: &str = "turns are U R F, as the corner at the bottom, back and left stays where it is: turn the other side instead";
const WIDE: &str = "lower case is for two layers together, which are not turned here: turns are U R F D L B";

/// Reads a sequence of turns. Blanks, commas and line breaks between turns may be left out; any sort of apostrophe will
/// do for ', as will 3 for three quarters and 2' for 2. On the cube of 2×2×2 lower case is as good as upper case.
///
/// # Errors
/// [`NotationError`] naming the first turn that is none, or none of this cube.
pub fn read(text: &str, size: Size) -> Result<Vec<Turn>, NotationError> {
    let between = |character: char| character.is_whitespace() || character == ',';
    let mut turns = Vec::new();
    let mut rest = text.trim_start_matches(between);
    while !rest.is_empty() {
        // A turn goes on until the next letter.
        let end = |(at, character): (usize, char)| {
            (at > 0 && (between(character) || character.is_alphabetic())).then_some(at)
        };
        let (token, after) = rest.split_at(rest.char_indices().find_map(end).unwrap_or(rest.len()));
        let turn = read_turn(token, size);
        turns.push(turn.map_err(|allowed| NotationError {
            at: turns.len() + 1,
            token: token.into(),
            allowed,
        })?);
        rest = after.trim_start_matches(between);
    }
    Ok(turns)
}

/// Reads one turn; the error names the allowed ones.
fn read_turn(token: &str, size: Size) -> Result<Turn, &'static str> {
    let allowed = if size == Size::Two { TURNS_OF_TWO } else { TURNS };
    let mut characters = token.chars();
    let letter = characters.next().ok_or(allowed)?;
    let face = match letter.to_ascii_uppercase() {
        // A color is no name of a turn.
        'W' | 'G' | 'Y' | 'O' => None,
        _ => Face::from_letter(letter),
    };
    let face = face.ok_or(allowed)?;
    match size {
        Size::Two if face >= Face::D => return Err(FIXED),
        Size::Three if letter.is_lowercase() => return Err(WIDE),
        _ => {}
    }
    let quarters = match (characters.next(), characters.next().map(is_prime), characters.next()) {
        (None, ..) => 1,
        (Some('2'), None | Some(true), None) => 2,
        (Some('3'), None, None) => 3,
        (Some('3'), Some(true), None) => 1,
        (Some(prime), None, None) if is_prime(prime) => 3,
        _ => return Err(allowed),
    };
    Turn::new(face, quarters).ok_or(allowed)
}

/// Apostrophes, primes, accents and quotation marks that stand for a counter-clockwise turn.
fn is_prime(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | '‛' | '′' | '‵' | '`' | '´' | 'ʹ' | 'ʼ' | '＇')
}

/// Writes a sequence of turns with blanks between them.
pub fn write(turns: &[Turn]) -> String {
    turns.iter().map(Turn::to_string).collect::<Vec<_>>().join(" ")
}

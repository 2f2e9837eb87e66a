//! Move notation (Singmaster): `R U2 F'`.

use super::turn::{CubeSize, Face, FaceTurn};

/// Parse error of a sequence of turns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("turn {at} is {token:?}; {allowed}")]
pub struct TurnNotationError {
    /// Index of the invalid turn in the sequence, starting at 1.
    pub at: usize,
    /// Text of the invalid turn.
    pub token: String,
    /// Description of the valid turns.
    pub allowed: &'static str,
}

const TURNS: &str = "turns are U R F D L B, each by itself, with 2 or with '";
const TURNS_OF_TWO: &str = "turns are U R F, each by itself, with 2 or with '";
const FIXED: &str = "turns are U R F, as the down-back-left corner is fixed: turn the opposite face instead";
const WIDE: &str = "lower case denotes wide turns, which are not supported: turns are U R F D L B";

/// Parses a sequence of turns.
///
/// Blanks, commas and line breaks between turns are optional. All apostrophe-like characters count as `'`. `R3` means
/// three quarter turns, `R2'` two. Lower-case letters are accepted for the 2×2×2 cube only.
///
/// # Errors
/// [`TurnNotationError`] with the first turn that is malformed or that a cube of size `size` does not have.
pub fn parse_turns(text: &str, size: CubeSize) -> Result<Vec<FaceTurn>, TurnNotationError> {
    let between = |character: char| character.is_whitespace() || character == ',';
    let mut turns = Vec::new();
    let mut rest = text.trim_start_matches(between);
    while !rest.is_empty() {
        // A turn ends before the next letter.
        let end = |(at, character): (usize, char)| {
            (at > 0 && (between(character) || character.is_alphabetic())).then_some(at)
        };
        let (token, after) = rest.split_at(rest.char_indices().find_map(end).unwrap_or(rest.len()));
        let turn = parse_turn(token, size);
        turns.push(turn.map_err(|allowed| TurnNotationError {
            at: turns.len() + 1,
            token: token.into(),
            allowed,
        })?);
        rest = after.trim_start_matches(between);
    }
    Ok(turns)
}

/// Parses one face turn such as `R2`; the error is a description of the valid turns.
fn parse_turn(token: &str, size: CubeSize) -> Result<FaceTurn, &'static str> {
    let allowed = if size == CubeSize::Two { TURNS_OF_TWO } else { TURNS };
    let mut characters = token.chars();
    let letter = characters.next().ok_or(allowed)?;
    let face = match letter.to_ascii_uppercase() {
        // Initials of colors, which `Face::from_letter` accepts, are not turns.
        'W' | 'G' | 'Y' | 'O' => None,
        _ => Face::from_letter(letter),
    };
    let face = face.ok_or(allowed)?;
    match size {
        CubeSize::Two if face >= Face::D => return Err(FIXED),
        CubeSize::Three if letter.is_lowercase() => return Err(WIDE),
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
    FaceTurn::new(face, quarters).ok_or(allowed)
}

/// Returns whether a character stands for a counter-clockwise turn: apostrophe, prime, accent or quotation mark.
fn is_prime(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | '‛' | '′' | '‵' | '`' | '´' | 'ʹ' | 'ʼ' | '＇')
}

/// Formats a sequence of turns, separated by blanks.
pub fn format_turns(turns: &[FaceTurn]) -> String {
    turns.iter().map(FaceTurn::to_string).collect::<Vec<_>>().join(" ")
}

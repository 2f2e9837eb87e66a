//! Recursive-descent parser of algorithms.

use super::algorithm::{AlgorithmPart, Brackets, CubeAlgorithm};
use super::error::CubeNotationError;
use super::layer_move::{CubeAxis, CubeLayers, LayerMove};
use crate::cube::turn::{CubeSize, Face};

/// Maximum number of moves of an algorithm without brackets.
const MAX_MOVES: u64 = 100_000;
/// Maximum depth of brackets.
const MAX_DEPTH: usize = 32;

/// Moves and their number without brackets.
type Sequence = (Vec<AlgorithmPart>, u64);

struct Parser {
    text: Vec<char>,
    at: usize,
    size: CubeSize,
}

/// Brackets around the current sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enclosing {
    Nothing,
    Round,
    Square,
}

impl CubeAlgorithm {
    /// Parses an algorithm for a cube of size `size`; see the table at [`CubeAlgorithm`]. Blanks between moves are
    /// optional, except between a closing bracket and `x`. Pauses (`.`) and commas outside of square brackets are blanks. All
    /// apostrophe-like characters count as `'`, and so does an `i` after a face.
    ///
    /// # Errors
    /// [`CubeNotationError`] with the position of the first error in the text.
    pub fn parse(text: &str, size: CubeSize) -> Result<Self, CubeNotationError> {
        let mut parser = Parser { text: text.chars().collect(), at: 0, size };
        let (parts, _) = parser.sequence(Enclosing::Nothing, 0)?;
        match parser.peek() {
            None => Ok(Self { size, parts }),
            Some(bracket) => Err(parser.error(
                parser.at,
                format!("this bracket closes nothing; remove {bracket:?} or add the opening bracket"),
            )),
        }
    }
}

impl Parser {
    /// Parses moves and brackets up to the end of the text or to a character that ends the sequence.
    fn sequence(&mut self, enclosing: Enclosing, depth: usize) -> Result<Sequence, CubeNotationError> {
        let (mut parts, mut moves) = (Vec::new(), 0);
        loop {
            self.skip_blanks(enclosing)?;
            let start = self.at;
            let (part, length) = match self.peek() {
                None | Some(')' | ']') => return Ok((parts, moves)),
                Some(',' | ':') if enclosing == Enclosing::Square => return Ok((parts, moves)),
                Some('(' | '[') if depth == MAX_DEPTH => {
                    return Err(
                        self.error(start, format!("brackets are nested deeper than {MAX_DEPTH} levels"))
                    );
                }
                Some('(') => self.group(depth)?,
                Some('[') => match self.bracketed_rotation()? {
                    Some(rotation) => (AlgorithmPart::Move(rotation), 1),
                    None => self.commutator_or_conjugate(depth)?,
                },
                Some(_) => (AlgorithmPart::Move(self.layer_move()?), 1),
            };
            parts.push(part);
            moves += length;
            if moves > MAX_MOVES {
                let problem = format!("the algorithm has more than {MAX_MOVES} moves; use fewer repetitions");
                return Err(self.error(start, problem));
            }
        }
    }

    /// Parses `(A)` and its number of repetitions.
    fn group(&mut self, depth: usize) -> Result<(AlgorithmPart, u64), CubeNotationError> {
        let start = self.at;
        self.at += 1;
        let (parts, moves) = self.inside(Enclosing::Round, depth)?;
        self.close(start, ')')?;
        self.repeated(Brackets::Group(parts), moves)
    }

    /// Parses a rotation of the cube in brackets, such as `[u']` for `y'`. Returns `None` for other brackets.
    fn bracketed_rotation(&mut self) -> Result<Option<LayerMove>, CubeNotationError> {
        let start = self.at;
        let letter =
            self.text.get(start + 1).filter(|&&letter| is_layer(letter) && letter.is_ascii_lowercase());
        let Some(face) = letter.and_then(|&letter| Face::from_letter(letter)) else { return Ok(None) };
        self.at = start + 2;
        let (number, is_inverse) = self.amount(start + 1)?;
        if self.peek() != Some(']') {
            self.at = start;
            return Ok(None);
        }
        self.at += 1;
        let axis = CubeAxis::of(face);
        let is_opposite = axis.face() != face;
        self.turn(start, CubeLayers::Whole(axis), number, is_inverse != is_opposite).map(Some)
    }

    /// Parses `[A, B]` or `[A: B]`, and its number of repetitions.
    fn commutator_or_conjugate(&mut self, depth: usize) -> Result<(AlgorithmPart, u64), CubeNotationError> {
        let start = self.at;
        self.at += 1;
        let (first, first_moves) = self.inside(Enclosing::Square, depth)?;
        let separator = self.peek();
        if !matches!(separator, Some(',' | ':')) {
            self.close(start, ']')?;
            let problem = "square brackets need two parts: write [A, B] (commutator), [A: B] (conjugate) or (A) (group)";
            return Err(self.error(start, problem));
        }
        self.at += 1;
        let (second, second_moves) = self.inside(Enclosing::Square, depth)?;
        if matches!(self.peek(), Some(',' | ':')) {
            let problem = "square brackets have two parts; write further brackets around two of the three";
            return Err(self.error(self.at, problem));
        }
        self.close(start, ']')?;
        if separator == Some(',') {
            self.repeated(Brackets::Commutator(first, second), 2 * (first_moves + second_moves))
        } else {
            self.repeated(Brackets::Conjugate(first, second), 2 * first_moves + second_moves)
        }
    }

    /// Parses the content of brackets, which must not be empty.
    fn inside(&mut self, enclosing: Enclosing, depth: usize) -> Result<Sequence, CubeNotationError> {
        let sequence = self.sequence(enclosing, depth + 1)?;
        if sequence.0.is_empty() && self.peek().is_some() {
            return Err(self
                .error(self.at, "moves are missing before this character; add them or remove the brackets"));
        }
        Ok(sequence)
    }

    /// Parses the closing bracket `expected` of the bracket at `start`.
    fn close(&mut self, start: usize, expected: char) -> Result<(), CubeNotationError> {
        match self.peek() {
            Some(found) if found == expected => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(self.error(self.at, format!("{expected:?} is expected here"))),
            None => Err(self.error(start, format!("this bracket is not closed; add {expected:?}"))),
        }
    }

    /// Parses the number of repetitions after brackets with `moves` moves.
    fn repeated(
        &mut self,
        brackets: Brackets,
        moves: u64,
    ) -> Result<(AlgorithmPart, u64), CubeNotationError> {
        let start = self.at;
        if matches!(self.peek(), Some('x' | 'X')) {
            let problem = "x is a rotation, not the sign of a repetition: for a repetition write (R U)2, for a rotation put a \
                           blank before x";
            return Err(self.error(start, problem));
        }
        if matches!(self.peek(), Some('*' | '×' | '^')) {
            self.at += 1;
        }
        let is_number_needed = self.at > start;
        let (number, is_inverse) = self.amount(start)?;
        if number == Some(0) || (is_number_needed && number.is_none()) {
            return Err(self.error(start, format!("the number of repetitions must be 1 to {MAX_MOVES}")));
        }
        let count = number.unwrap_or(1);
        let sign = if is_inverse { -1 } else { 1 };
        Ok((AlgorithmPart::Repeated(brackets, sign * count as i32), u64::from(count) * moves))
    }

    /// Parses one move, such as `Rw2'` or `2-3Rw`.
    fn layer_move(&mut self) -> Result<LayerMove, CubeNotationError> {
        let start = self.at;
        let numbers = self.layer_numbers(start)?;
        let Some(letter) = self.peek() else { return Err(self.error(start, "a move is missing")) };
        self.at += 1;
        let is_wide = letter.is_ascii_uppercase() && self.peek() == Some('w');
        self.at += usize::from(is_wide);
        let face = match letter.to_ascii_uppercase() {
            // Initials of colors, which `Face::from_letter` accepts, are not moves.
            'W' | 'G' | 'Y' | 'O' => None,
            _ => Face::from_letter(letter),
        };
        let is_wide = is_wide || letter.is_ascii_lowercase();
        let (layers, is_opposite) = match (numbers, letter, face) {
            (Some(numbers), _, Some(face)) => self.numbered_layers(start, numbers, face, is_wide)?,
            (_, _, Some(face)) if is_wide => (CubeLayers::Wide(face), false),
            (_, _, Some(face)) => (CubeLayers::Face(face), false),
            (_, 'M', _) => (CubeLayers::Slice(CubeAxis::X), false),
            (_, 'E', _) => (CubeLayers::Slice(CubeAxis::Y), false),
            (_, 'S', _) => (CubeLayers::Slice(CubeAxis::Z), false),
            (_, 'x', _) => (CubeLayers::Whole(CubeAxis::X), false),
            (_, 'y', _) => (CubeLayers::Whole(CubeAxis::Y), false),
            (_, 'z', _) => (CubeLayers::Whole(CubeAxis::Z), false),
            _ => return Err(self.error(start, self.unknown(letter))),
        };
        if self.size == CubeSize::Two {
            self.check_layers_of_two(start, letter, layers)?;
        }
        // The oldest notation writes Ri for R'.
        if matches!(layers, CubeLayers::Face(_)) && self.at == start + 1 && self.peek() == Some('i') {
            self.at += 1;
            return self.turn(start, layers, None, !is_opposite);
        }
        let (number, is_inverse) = self.amount(start)?;
        self.turn(start, layers, number, is_inverse != is_opposite)
    }

    /// Returns the move of `layers` by `number` quarter turns, by default one.
    fn turn(
        &self,
        start: usize,
        layers: CubeLayers,
        number: Option<u32>,
        is_inverse: bool,
    ) -> Result<LayerMove, CubeNotationError> {
        let turn = LayerMove::new(layers, (number.unwrap_or(1) % 4) as u8).ok_or_else(|| {
            self.error(
                start,
                "this move turns by a multiple of 4 quarter turns, which moves nothing; remove the move",
            )
        })?;
        Ok(if is_inverse { turn.inverse() } else { turn })
    }

    /// Parses the numbers of the layers before a face: `2` in `2R`, `2-3` in `2-3Rw`. Returns the first number, if there
    /// are two, and the last.
    fn layer_numbers(&mut self, start: usize) -> Result<Option<(Option<u32>, u32)>, CubeNotationError> {
        let Some(number) = self.number(start)? else { return Ok(None) };
        let is_range = self.peek() == Some('-');
        self.at += usize::from(is_range);
        let second = if is_range { self.number(start)? } else { None };
        let numbers = match (is_range, second) {
            (true, None) => {
                return Err(self.error(start, "the second layer of the range is missing: write 2-3Rw"));
            }
            (_, Some(second)) => (Some(number), second),
            (false, None) => (None, number),
        };
        if self.peek().is_some_and(is_layer) {
            return Ok(Some(numbers));
        }
        let problem = "a number must directly follow a move or a bracket, as in R2 or (R U)2; a layer number directly \
                       precedes a face, as in 2R or 2-3Rw";
        Err(self.error(start, problem))
    }

    /// Returns the layers of a move with layer numbers, which count from `face`, and whether their direction is opposite to
    /// the direction of `face`.
    fn numbered_layers(
        &self,
        start: usize,
        (first, last): (Option<u32>, u32),
        face: Face,
        is_wide: bool,
    ) -> Result<(CubeLayers, bool), CubeNotationError> {
        let most = match self.size {
            CubeSize::Two => 2,
            CubeSize::Three => 3,
        };
        let first = match (first, is_wide) {
            (Some(_), false) => {
                return Err(self.error(
                    start,
                    format!("several layers make a wide turn: write {face}w after the numbers"),
                ));
            }
            (Some(first), true) => first,
            (None, true) => 1,
            (None, false) => last,
        };
        if first == 0 || first > last || last > most {
            let problem = format!(
                "layers count from the face, 1 to {most}, the lower number first: write 2{face} or 1-2{face}w"
            );
            return Err(self.error(start, problem));
        }
        let (axis, opposite) = (CubeAxis::of(face), face.opposite());
        Ok(match (first, last) {
            (1, 1) => (CubeLayers::Face(face), false),
            (1, last) if last == most => (CubeLayers::Whole(axis), axis.face() != face),
            (first, last) if first == last && last == most => (CubeLayers::Face(opposite), true),
            (1, _) => (CubeLayers::Wide(face), false),
            (_, last) if last == most => (CubeLayers::Wide(opposite), true),
            _ => (CubeLayers::Slice(axis), axis.slice_face() != face),
        })
    }

    /// Returns an error if the 2×2×2 cube does not have these layers.
    fn check_layers_of_two(
        &self,
        start: usize,
        letter: char,
        layers: CubeLayers,
    ) -> Result<(), CubeNotationError> {
        let problem = match layers {
            CubeLayers::Face(_) | CubeLayers::Whole(_) => return Ok(()),
            CubeLayers::Wide(face) => {
                let axis = ["x", "y", "z"][CubeAxis::of(face) as usize];
                format!(
                    "the 2×2×2 cube has no wide turns; write {face}, which turns the same corners as {face}w on the 3×3×3 \
                     cube, or {axis} for a rotation of the cube"
                )
            }
            CubeLayers::Slice(_) => {
                format!("the 2×2×2 cube has no middle layer, so {letter} does not exist; use U R F D L B")
            }
        };
        Err(self.error(start, problem))
    }

    /// Returns problem and remedy for a character that begins no move.
    fn unknown(&self, letter: char) -> String {
        let moves = match self.size {
            CubeSize::Two => "moves of the 2×2×2 cube are U R F D L B and rotations x y z",
            CubeSize::Three => "moves are U R F D L B, wide turns Rw or r, slices M E S and rotations x y z",
        };
        match letter {
            'X' | 'Y' | 'Z' => format!("rotations are lower-case: write {}", letter.to_ascii_lowercase()),
            '/' => "a comment begins with // or /*; remove /, or write . for a pause".into(),
            'm' | 'e' | 's' => format!("slice turns are upper-case: write {}", letter.to_ascii_uppercase()),
            _ => format!("this is not a move; {moves}"),
        }
    }

    /// Parses a number, if there is one here. `start` is the start of the move or bracket.
    fn number(&mut self, start: usize) -> Result<Option<u32>, CubeNotationError> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|character| character.to_digit(10)) {
            let larger = number.unwrap_or(0) * 10 + digit;
            if u64::from(larger) > MAX_MOVES {
                return Err(self.error(start, format!("numbers must not exceed {MAX_MOVES}")));
            }
            number = Some(larger);
            self.at += 1;
        }
        Ok(number)
    }

    /// Parses the number of quarter turns or repetitions and the apostrophe, in either order: `2'` or `'2`. `start` is the
    /// start of the move or bracket.
    fn amount(&mut self, start: usize) -> Result<(Option<u32>, bool), CubeNotationError> {
        let number = self.number(start)?;
        if !self.peek().is_some_and(is_prime) {
            return Ok((number, false));
        }
        self.at += 1;
        if self.peek().is_some_and(is_prime) {
            return Err(self.error(start, "only one apostrophe may follow a move"));
        }
        let Some(second) = self.number(start)? else { return Ok((number, true)) };
        if self.peek().is_some_and(|next| next == '-' || is_layer(next)) {
            let problem = "the number belongs to this move or to the next one: put a blank before or after it, R' 2U or R'2 U";
            return Err(self.error(start, problem));
        }
        match number {
            None => Ok((Some(second), true)),
            Some(_) => Err(self.error(start, "only one number may follow a move")),
        }
    }

    /// Skips white space, comments, pauses, and commas outside of square brackets.
    fn skip_blanks(&mut self, enclosing: Enclosing) -> Result<(), CubeNotationError> {
        while let Some(character) = self.peek() {
            let rest = &self.text[self.at..];
            if rest.starts_with(&['/', '/']) {
                self.at += rest.iter().position(|&character| character == '\n').unwrap_or(rest.len());
            } else if rest.starts_with(&['/', '*']) {
                let Some(end) = rest[2..].windows(2).position(|end| end == ['*', '/']) else {
                    return Err(self.error(self.at, "this comment is not closed; add */"));
                };
                self.at += end + 4;
            } else if character.is_whitespace()
                || character == '.'
                || (character == ',' && enclosing != Enclosing::Square)
            {
                self.at += 1;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// Returns an error at index `start` of the text. The token extends to the parsed position, and to further
    /// characters of the same move.
    fn error(&self, start: usize, problem: impl Into<String>) -> CubeNotationError {
        let is_suffix = |character: &char| character.is_ascii_digit() || is_prime(*character);
        let mut end = self.at.clamp(start + 1, start + 12).min(self.text.len());
        if self.text.get(start).is_some_and(|character| character.is_alphanumeric()) {
            end += self.text[end..].iter().take(12).take_while(|&character| is_suffix(character)).count();
        }
        let before = &self.text[..start];
        let line_start = before.iter().rposition(|&character| character == '\n').map_or(0, |at| at + 1);
        CubeNotationError {
            line: 1 + before.iter().filter(|&&character| character == '\n').count(),
            column: 1 + start - line_start,
            token: self.text[start..end].iter().collect(),
            problem: problem.into(),
        }
    }
}

/// Returns whether a letter names a face or its layers.
fn is_layer(letter: char) -> bool {
    "URFDLBurfdlb".contains(letter)
}

/// Returns whether a character stands for the inverse: apostrophe, prime, accent or quotation mark.
fn is_prime(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | '‛' | '′' | '‵' | '`' | '´' | 'ʹ' | 'ʼ' | '＇')
}

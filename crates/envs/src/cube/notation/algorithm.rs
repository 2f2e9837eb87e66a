//! Algorithms: sequences of moves with brackets.

use super::layer_move::LayerMove;
use super::orientation::CubeOrientation;
use super::simplify::simplify_moves;
use crate::cube::turn::{CubeSize, Face, FaceTurn};
use std::fmt;

/// Algorithm: sequence of moves, with repetitions, commutators and conjugates. `Display` writes the notation of the
/// WCA, without comments; the text is parsed to an equal algorithm.
///
/// | text | meaning |
/// | --- | --- |
/// | `R`, `R'`, `R2` | face turn: clockwise quarter turn, counter-clockwise quarter turn, half turn; `R'2` is `R2'` |
/// | `Rw`, `r` | wide turn: the face and the middle layer beside it; only on the 3×3×3 cube |
/// | `2R`, `3Rw`, `2-3Rw` | numbered layers, which count from the face: the second layer, three layers, the second and the third layer |
/// | `M`, `E`, `S` | slice turn: the middle layer, in the direction of L, D and F; only on the 3×3×3 cube |
/// | `x`, `y`, `z` | rotation of the whole cube, in the direction of R, U and F; also `[r]`, `[u]`, `[f]` and their opposites `[l]`, `[d]`, `[b]` |
/// | `(R U)2`, `(R U)'` | repetition, inverse |
/// | `[A, B]` | commutator `A B A' B'` |
/// | `[A: B]` | conjugate `A B A'` |
/// | `.` | pause, which is ignored |
/// | `// …`, `/* … */` | comment up to the end of the line, comment |
///
/// ```
/// use vivarium_envs::cube::{CubeAlgorithm, CubeSize};
///
/// let niklas = CubeAlgorithm::parse("[R, U' L' U] // three corners", CubeSize::Three)?;
/// assert_eq!(niklas.to_string(), "[R, U' L' U]");
/// assert_eq!(niklas.expanded().to_string(), "R U' L' U R' U' L U");
/// assert_eq!(niklas.inverse().expanded().to_string(), "U' L' U R U' L U R'");
/// assert_eq!(niklas.mirrored().to_string(), "[L', U R U']");
/// # Ok::<(), vivarium_envs::cube::CubeNotationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubeAlgorithm {
    pub(super) size: CubeSize,
    pub(super) parts: Vec<AlgorithmPart>,
}

/// Part of an algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AlgorithmPart {
    Move(LayerMove),
    /// Brackets, and the number of repetitions: not 0; negative for the inverse.
    Repeated(Brackets, i32),
}

/// Content of brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Brackets {
    Group(Vec<AlgorithmPart>),
    Commutator(Vec<AlgorithmPart>, Vec<AlgorithmPart>),
    Conjugate(Vec<AlgorithmPart>, Vec<AlgorithmPart>),
}

/// Face turns of an algorithm, relative to the centers of the 3×3×3 cube or to the down-back-left corner of the 2×2×2
/// cube, and the orientation of the whole cube after the algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramedTurns {
    /// Face turns, of the faces U, R and F only on the 2×2×2 cube. The state after these turns is the state after the
    /// algorithm, rotated to the standard orientation.
    pub turns: Vec<FaceTurn>,
    /// Orientation of the whole cube after the algorithm.
    pub orientation: CubeOrientation,
}

impl CubeAlgorithm {
    /// Returns the size of the cube.
    pub const fn size(&self) -> CubeSize {
        self.size
    }

    /// Returns the inverse algorithm.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self { size: self.size, parts: inverse(&self.parts) }
    }

    /// Returns the algorithm in a mirror between left and right, with its brackets: `L' U'` of `R U`.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { size: self.size, parts: mirrored(&self.parts) }
    }

    /// Returns the moves of the algorithm, without brackets.
    pub fn moves(&self) -> Vec<LayerMove> {
        let mut moves = Vec::new();
        expand(&self.parts, &mut moves);
        moves
    }

    /// Returns the algorithm without brackets.
    #[must_use]
    pub fn expanded(&self) -> Self {
        self.with_moves(self.moves())
    }

    /// Returns the algorithm without brackets, where each run of moves about the same axis is replaced by the fewest moves
    /// with the same effect on the state and the orientation of the cube: `R L R` becomes `R2 L`, and `R L' x'` becomes `M`.
    #[must_use]
    pub fn simplified(&self) -> Self {
        self.with_moves(simplify_moves(self.moves(), self.size))
    }

    /// Replaces slice turns, wide turns and rotations by face turns, and counts the rotations of the whole cube. On the
    /// 3×3×3 cube, M is the turns R and L' together with the rotation x'.
    pub fn framed_turns(&self) -> FramedTurns {
        let mut framed = FramedTurns::starting_at(CubeOrientation::STANDARD);
        framed.extend(&self.moves(), self.size);
        framed
    }

    fn with_moves(&self, moves: Vec<LayerMove>) -> Self {
        Self { size: self.size, parts: moves.into_iter().map(AlgorithmPart::Move).collect() }
    }
}

impl FramedTurns {
    /// Returns no turns in the given orientation of the whole cube.
    pub const fn starting_at(orientation: CubeOrientation) -> Self {
        Self { turns: Vec::new(), orientation }
    }

    /// Appends moves of a cube of size `size`.
    pub fn extend(&mut self, moves: &[LayerMove], size: CubeSize) {
        moves.iter().for_each(|&layers| self.push(layers, size));
    }

    fn push(&mut self, next: LayerMove, size: CubeSize) {
        let axis = next.axis();
        let [back, middle, front] = next.layer_quarters();
        let (front_face, back_face) =
            (self.orientation.at(axis.face()), self.orientation.at(axis.face().opposite()));
        // The whole cube rotates as the layer does that holds the fixed pieces. A layer then turns by the difference.
        let fixed = match size {
            CubeSize::Three => middle,
            CubeSize::Two if front_face < Face::D => back,
            CubeSize::Two => front,
        };
        match size {
            CubeSize::Three => {
                self.turns.extend(FaceTurn::new(front_face, 4 + front - fixed));
                self.turns.extend(FaceTurn::new(back_face, 4 + fixed - back));
            }
            CubeSize::Two => {
                // Clockwise turns of the faces at both ends of an axis have opposite directions.
                self.turns.extend(FaceTurn::new(front_face.min(back_face), 4 + front - back));
            }
        }
        self.orientation = self.orientation.rotated(axis, fixed);
    }
}

fn inverse(parts: &[AlgorithmPart]) -> Vec<AlgorithmPart> {
    let invert = |part: &AlgorithmPart| match part {
        AlgorithmPart::Move(layers) => AlgorithmPart::Move(layers.inverse()),
        // The inverse of an inverse has no apostrophe.
        AlgorithmPart::Repeated(brackets, count @ ..0) => AlgorithmPart::Repeated(brackets.clone(), -count),
        AlgorithmPart::Repeated(brackets, count) => AlgorithmPart::Repeated(brackets.inverse(), *count),
    };
    parts.iter().rev().map(invert).collect()
}

fn mirrored(parts: &[AlgorithmPart]) -> Vec<AlgorithmPart> {
    let mirror = |part: &AlgorithmPart| match part {
        AlgorithmPart::Move(layers) => AlgorithmPart::Move(layers.mirrored()),
        AlgorithmPart::Repeated(brackets, count) => AlgorithmPart::Repeated(brackets.mirrored(), *count),
    };
    parts.iter().map(mirror).collect()
}

impl Brackets {
    fn mirrored(&self) -> Self {
        match self {
            Self::Group(group) => Self::Group(mirrored(group)),
            Self::Commutator(first, second) => Self::Commutator(mirrored(first), mirrored(second)),
            Self::Conjugate(setup, parts) => Self::Conjugate(mirrored(setup), mirrored(parts)),
        }
    }

    /// Returns the inverse without an apostrophe: `[B, A]` of `[A, B]`, and `[A: B']` of `[A: B]`.
    fn inverse(&self) -> Self {
        match self {
            Self::Group(group) => Self::Group(inverse(group)),
            Self::Commutator(first, second) => Self::Commutator(second.clone(), first.clone()),
            Self::Conjugate(setup, parts) => Self::Conjugate(setup.clone(), inverse(parts)),
        }
    }
}

fn expand(parts: &[AlgorithmPart], moves: &mut Vec<LayerMove>) {
    for part in parts {
        match part {
            AlgorithmPart::Move(layers) => moves.push(*layers),
            AlgorithmPart::Repeated(brackets, count) => {
                let start = moves.len();
                match brackets {
                    Brackets::Group(group) => expand(group, moves),
                    Brackets::Commutator(first, second) => {
                        expand(first, moves);
                        expand(second, moves);
                        expand(&inverse(first), moves);
                        expand(&inverse(second), moves);
                    }
                    Brackets::Conjugate(setup, parts) => {
                        expand(setup, moves);
                        expand(parts, moves);
                        expand(&inverse(setup), moves);
                    }
                }
                let mut once = moves.split_off(start);
                if *count < 0 {
                    once.reverse();
                    once.iter_mut().for_each(|layers| *layers = layers.inverse());
                }
                (0..count.unsigned_abs()).for_each(|_| moves.extend_from_slice(&once));
            }
        }
    }
}

impl fmt::Display for CubeAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(&self.parts))
    }
}

fn text(parts: &[AlgorithmPart]) -> String {
    let part = |part: &AlgorithmPart| match part {
        AlgorithmPart::Move(layers) => layers.to_string(),
        AlgorithmPart::Repeated(brackets, count) => {
            let brackets = match brackets {
                Brackets::Group(group) => format!("({})", text(group)),
                Brackets::Commutator(first, second) => format!("[{}, {}]", text(first), text(second)),
                Brackets::Conjugate(setup, parts) => format!("[{}: {}]", text(setup), text(parts)),
            };
            let prime = if *count < 0 { "'" } else { "" };
            match count.unsigned_abs() {
                1 => format!("{brackets}{prime}"),
                count => format!("{brackets}{count}{prime}"),
            }
        }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" ")
}

//! Symmetry classes of the states of the 2×2×2 cube.
//!
//! Rotating the whole cube about the axis through the fixed corner, or reflecting it in a plane through that axis,
//! permutes the three faces that turn. These six symmetries map solutions to solutions: a solution of a state, with
//! its faces permuted, solves the transformed state.

use super::cube2::Cube2;
use super::turn::{Face, FaceTurn, TurnMetric};

/// Number of symmetries of the 2×2×2 cube with one corner fixed.
const SYMMETRIES: usize = 6;

/// Images of the faces U, R and F under each symmetry. The last three symmetries are reflections, which map clockwise
/// turns to counter-clockwise turns.
const FACE_IMAGES: [[Face; 3]; SYMMETRIES] = {
    use Face::{F, R, U};
    [[U, R, F], [R, F, U], [F, U, R], [U, F, R], [F, R, U], [R, U, F]]
};

/// Symmetry reduction of the 2×2×2 cube: the representative of each state's symmetry class (lowest rank), and the
/// symmetry that maps the state to its representative.
#[derive(Clone, Debug)]
pub struct Cube2Symmetries {
    /// Representative of each state's symmetry class, indexed by [`Cube2::rank`].
    representatives: Vec<Cube2>,
    symmetries: Vec<u8>,
}

impl Cube2Symmetries {
    /// Computes the symmetry classes of all 3,674,160 states, which takes less than a second.
    pub fn new() -> Self {
        let turns = Cube2::turns(TurnMetric::Quarter);
        let mut all =
            Self { representatives: vec![Cube2::SOLVED; Cube2::STATES], symmetries: vec![0; Cube2::STATES] };
        let mut visited = vec![false; Cube2::STATES];
        visited[Cube2::SOLVED.rank() as usize] = true;
        // Breadth-first search from the solved state, which all symmetries fix. The search stores the images of each
        // state under all symmetries: the image of a turned state is the image of the state, turned by the image of the
        // turn.
        let (mut layer, mut next) = (vec![[Cube2::SOLVED; SYMMETRIES]], Vec::new());
        while !layer.is_empty() {
            for images in layer.drain(..) {
                for &turn in turns {
                    let rank = images[0].turned(turn).rank() as usize;
                    if !std::mem::replace(&mut visited[rank], true) {
                        let images =
                            std::array::from_fn(|symmetry| images[symmetry].turned(image(symmetry, turn)));
                        all.set_representative(rank, &images);
                        next.push(images);
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        all
    }

    /// Stores the representative of the state with rank `rank`. `images` holds the images of the state under all
    /// symmetries.
    fn set_representative(&mut self, rank: usize, images: &[Cube2; SYMMETRIES]) {
        for (symmetry, &cube) in images.iter().enumerate().skip(1) {
            if cube.rank() < images[usize::from(self.symmetries[rank])].rank() {
                self.symmetries[rank] = symmetry as u8;
            }
        }
        self.representatives[rank] = images[usize::from(self.symmetries[rank])];
    }

    /// Returns the representative of the symmetry class of `cube`: the state of lowest rank.
    #[inline]
    #[must_use]
    pub fn representative(&self, cube: Cube2) -> Cube2 {
        self.representatives[cube.rank() as usize]
    }

    /// Maps a turn of the representative of `cube` to the corresponding turn of `cube`.
    #[must_use]
    pub fn turn_of_original(&self, cube: Cube2, turn: FaceTurn) -> FaceTurn {
        let symmetry = usize::from(self.symmetries[cube.rank() as usize]);
        let turns = Cube2::turns(TurnMetric::Half);
        turns.iter().copied().find(|&candidate| image(symmetry, candidate) == turn).unwrap_or(turn)
    }
}

impl Default for Cube2Symmetries {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the image of a face turn under the symmetry with index `symmetry`.
fn image(symmetry: usize, turn: FaceTurn) -> FaceTurn {
    let face = match turn.face() {
        Face::U | Face::D => 0,
        Face::R | Face::L => 1,
        Face::F | Face::B => 2,
    };
    let mirrored = symmetry >= SYMMETRIES / 2;
    let quarters = if mirrored { 4 - turn.quarters() } else { turn.quarters() };
    FaceTurn::new(FACE_IMAGES[symmetry][face], quarters).unwrap_or(turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::DistanceTable;

    /// Tests for every state that state and representative have equal distances from the solved state, that all states
    /// of a symmetry class have one representative, and that representatives commute with turns.
    #[test]
    fn representatives_commute_with_turns() {
        let (symmetries, distances) = (Cube2Symmetries::new(), DistanceTable::new(TurnMetric::Quarter));
        let mut count = 0;
        for cube in Cube2::all() {
            let representative = symmetries.representative(cube);
            assert_eq!(distances.of(cube), distances.of(representative));
            assert_eq!(symmetries.representative(representative), representative);
            assert!(representative.rank() <= cube.rank());
            count += usize::from(representative == cube);
            for &turn in Cube2::turns(TurnMetric::Quarter) {
                let after = cube.turned(symmetries.turn_of_original(cube, turn));
                assert_eq!(
                    symmetries.representative(after),
                    symmetries.representative(representative.turned(turn)),
                );
            }
        }
        // About a sixth of all states; a few states are fixed by some symmetries.
        assert!((Cube2::STATES / 6..Cube2::STATES / 6 + 3_000).contains(&count), "{count}");
    }

    #[test]
    fn half_turns_map_to_half_turns() {
        for symmetry in 0..SYMMETRIES {
            for &turn in Cube2::turns(TurnMetric::Half) {
                let twice = image(symmetry, turn).quarters() * 2 % 4;
                assert_eq!(twice, turn.quarters() * 2 % 4);
                assert_eq!(image(symmetry, turn.inverse()), image(symmetry, turn).inverse());
            }
        }
    }
}

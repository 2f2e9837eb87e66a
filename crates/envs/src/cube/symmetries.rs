//! Symmetry classes of the states of the 2×2×2 cube.
//!
//! Rotating the whole cube about the axis through the fixed corner, or reflecting it in a plane through that axis, permutes
//! the three faces that turn. Together these are six views of a state; a solution, transformed as the view transforms the
//! faces, solves the transformed state.

use super::turn::{Face, Metric, Turn};
use super::two::Cube2;

/// Views of the cube.
const WAYS: usize = 6;

/// For each way the faces that U, R and F are seen as, those of mirrors last: these see clockwise turns as
/// counter-clockwise.
const SEEN: [[Face; 3]; WAYS] = {
    use Face::{F, R, U};
    [[U, R, F], [R, F, U], [F, U, R], [U, F, R], [F, R, U], [R, U, F]]
};

/// For every state, the representative of its symmetry class, which has the lowest rank, and the view that shows it.
#[derive(Clone, Debug)]
pub struct Symmetries {
    /// By rank.
    representatives: Vec<Cube2>,
    ways: Vec<u8>,
}

impl Symmetries {
    /// Of all states. Takes a fraction of a second.
    pub fn new() -> Self {
        let turns = Cube2::turns(Metric::Quarter);
        let mut all =
            Self { representatives: vec![Cube2::SOLVED; Cube2::STATES], ways: vec![0; Cube2::STATES] };
        let mut met = vec![false; Cube2::STATES];
        met[Cube2::SOLVED.rank() as usize] = true;
        // From the solved state, which looks alike from everywhere, outwards: what a turn makes of a state looks as what the
        // turn as it is seen makes of what the state looks like.
        let (mut layer, mut next) = (vec![[Cube2::SOLVED; WAYS]], Vec::new());
        while !layer.is_empty() {
            for looks in layer.drain(..) {
                for &turn in turns {
                    let rank = looks[0].turned(turn).rank() as usize;
                    if !std::mem::replace(&mut met[rank], true) {
                        let looks = std::array::from_fn(|way| looks[way].turned(seen(way, turn)));
                        all.note(rank, &looks);
                        next.push(looks);
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        all
    }

    /// Enters the representative of a state, given its views.
    fn note(&mut self, rank: usize, looks: &[Cube2; WAYS]) {
        for (way, &cube) in looks.iter().enumerate().skip(1) {
            if cube.rank() < looks[usize::from(self.ways[rank])].rank() {
                self.ways[rank] = way as u8;
            }
        }
        self.representatives[rank] = looks[usize::from(self.ways[rank])];
    }

    /// The state that stands for this one and all that look alike: of them, the one of the lowest rank.
    #[inline]
    #[must_use]
    pub fn representative(&self, cube: Cube2) -> Cube2 {
        self.representatives[cube.rank() as usize]
    }

    /// The turn that does to this state what `turn` does to its representative.
    #[must_use]
    pub fn unseen(&self, cube: Cube2, turn: Turn) -> Turn {
        let way = usize::from(self.ways[cube.rank() as usize]);
        let turns = Cube2::turns(Metric::Half);
        turns.iter().copied().find(|&candidate| seen(way, candidate) == turn).unwrap_or(turn)
    }
}

impl Default for Symmetries {
    fn default() -> Self {
        Self::new()
    }
}

/// What a turn of U, R or F is seen as.
fn seen(way: usize, turn: Turn) -> Turn {
    let face = match turn.face() {
        Face::U | Face::D => 0,
        Face::R | Face::L => 1,
        Face::F | Face::B => 2,
    };
    let mirrored = way >= WAYS / 2;
    let quarters = if mirrored { 4 - turn.quarters() } else { turn.quarters() };
    Turn::new(SEEN[way][face], quarters).unwrap_or(turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Distances;

    /// Every state: what stands for it is as far from solved, is the same for all that look alike, and turns as it does.
    #[test]
    fn representatives_turn_as_what_they_stand_for() {
        let (symmetries, distances) = (Symmetries::new(), Distances::new(Metric::Quarter));
        let mut count = 0;
        for cube in Cube2::all() {
            let representative = symmetries.representative(cube);
            assert_eq!(distances.of(cube), distances.of(representative));
            assert_eq!(symmetries.representative(representative), representative);
            assert!(representative.rank() <= cube.rank());
            count += usize::from(representative == cube);
            for &turn in Cube2::turns(Metric::Quarter) {
                let after = cube.turned(symmetries.unseen(cube, turn));
                assert_eq!(
                    symmetries.representative(after),
                    symmetries.representative(representative.turned(turn)),
                );
            }
        }
        // A sixth, and a few that look the same from several sides.
        assert!((Cube2::STATES / 6..Cube2::STATES / 6 + 3_000).contains(&count), "{count}");
    }

    #[test]
    fn half_turns_are_seen_as_half_turns() {
        for way in 0..WAYS {
            for &turn in Cube2::turns(Metric::Half) {
                let twice = seen(way, turn).quarters() * 2 % 4;
                assert_eq!(twice, turn.quarters() * 2 % 4);
                assert_eq!(seen(way, turn.inverse()), seen(way, turn).inverse());
            }
        }
    }
}

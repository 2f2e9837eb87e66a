//! Looking one move ahead: what every legal move leads to, judged by the network.

use super::game::{Learnable, MOST_HEADS};
use vivarium_mcts::Status;

/// A legal move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// Its action.
    pub action: usize,
    /// What the state after it is worth to whoever makes it, in the game's points.
    pub equity: f32,
    /// The same as value heads, the first [`Learnable::HEADS`] of them.
    pub heads: [f32; MOST_HEADS],
}

/// Room to look one move ahead in many games at once, with the states after all moves in one batch.
///
/// In backgammon those are states before the opponent's dice, or the second half of a double: no luck is in
/// their values.
pub struct Lookahead<G: Learnable> {
    scratch: G::Scratch,
    /// States that go on, and which prospect each belongs to.
    states: Vec<G>,
    of: Vec<usize>,
    /// `[states, HEADS]`.
    heads: Vec<f32>,
    prospects: Vec<Prospect>,
    /// Whether the other player is to move after each of them.
    turned: Vec<bool>,
    /// Where the prospects of each root end.
    ends: Vec<usize>,
}

impl<G: Learnable> Default for Lookahead<G> {
    fn default() -> Self {
        Self {
            scratch: G::Scratch::default(),
            states: Vec::new(),
            of: Vec::new(),
            heads: Vec::new(),
            prospects: Vec::new(),
            turned: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<G: Learnable> Lookahead<G> {
    /// Looks at all moves of these decisions. `judge` is given states and fills in their heads, `[states, HEADS]`, for
    /// the player to move in each.
    pub fn look(&mut self, roots: impl Iterator<Item = G>, judge: impl FnOnce(&[G], &mut [f32])) {
        self.begin(roots);
        let (states, heads) = self.evaluation();
        judge(states, heads);
        self.finish();
    }

    /// The first step of [`look`](Self::look): gathers the states that all moves of these decisions lead to.
    pub fn begin(&mut self, roots: impl Iterator<Item = G>) {
        let Self { scratch, states, of, heads, prospects, turned, ends } = self;
        states.clear();
        of.clear();
        prospects.clear();
        ends.clear();
        turned.clear();
        for root in roots {
            root.branches(scratch, |action, _| {
                let after = root.after(action);
                let mut prospect = Prospect { action, equity: 0.0, heads: [0.0; MOST_HEADS] };
                match after.status() {
                    Status::Over(value) => G::heads_of(value, &mut prospect.heads[..G::HEADS]),
                    Status::Decision | Status::Chance => {
                        of.push(prospects.len());
                        states.push(after);
                    }
                }
                turned.push(after.player() != root.player());
                prospects.push(prospect);
            });
            ends.push(prospects.len());
        }
        heads.resize(states.len() * G::HEADS, 0.0);
    }

    /// The states that were gathered, and room for their heads, `[states, HEADS]`, for the player to move in each.
    pub fn evaluation(&mut self) -> (&[G], &mut [f32]) {
        (&self.states, &mut self.heads)
    }

    /// The last step of [`look`](Self::look), with the heads filled in: what the moves are worth to whoever makes them.
    pub fn finish(&mut self) {
        let Self { of, heads, prospects, turned, .. } = self;
        for (&of, heads) in of.iter().zip(heads.chunks_exact(G::HEADS)) {
            prospects[of].heads[..G::HEADS].copy_from_slice(heads);
        }
        for (prospect, &turned) in prospects.iter_mut().zip(turned.iter()) {
            let heads = &mut prospect.heads[..G::HEADS];
            if turned {
                G::turn(heads);
            }
            prospect.equity = G::equity(heads);
        }
    }

    /// The moves of one of the roots, in the order of the game's branches.
    pub fn prospects(&self, root: usize) -> &[Prospect] {
        let first = if root == 0 { 0 } else { self.ends[root - 1] };
        &self.prospects[first..self.ends[root]]
    }
}

/// The action of the best of some moves, of equals the first; 0 where there is none.
pub fn best(prospects: &[Prospect]) -> usize {
    // The last of equals is taken: the first, backwards.
    let best = prospects.iter().rev().max_by(|a, b| a.equity.total_cmp(&b.equity));
    best.map_or(0, |best| best.action)
}

/// How probable each move should be that looking ahead found so much worth: as e^(equity / `unit`), with `unit` in
/// points. `each` is given every move's action and its probability.
pub(crate) fn softmax_policy(prospects: &[Prospect], unit: f32, mut each: impl FnMut(usize, f32)) {
    let best = prospects.iter().map(|prospect| prospect.equity).fold(f32::NEG_INFINITY, f32::max);
    let weight = |prospect: &Prospect| ((prospect.equity - best) / unit).exp();
    let total: f32 = prospects.iter().map(weight).sum();
    prospects.iter().for_each(|prospect| each(prospect.action, weight(prospect) / total));
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::{Phase, Position, Roll, State};
    use vivarium_envs::connect_four::ConnectFour;

    #[test]
    fn a_win_is_seen_without_asking_and_the_opponents_chances_are_turned() {
        // The player to move wins in column 4, counted from 1.
        let game = ConnectFour::from_moves("112233").unwrap();
        let mut lookahead = Lookahead::default();
        lookahead.look([game, ConnectFour::START].into_iter(), |states, heads| {
            assert_eq!(states.len(), 13);
            heads.chunks_exact_mut(2).for_each(|heads| heads.copy_from_slice(&[0.75, 0.25]));
        });
        assert_eq!(best(lookahead.prospects(0)), 3);
        for prospect in lookahead.prospects(0) {
            assert_eq!(prospect.equity, if prospect.action == 3 { 1.0 } else { -0.5 });
        }
        assert_eq!(lookahead.prospects(1).len(), 7);
        assert_eq!(best(lookahead.prospects(1)), 0, "of equals the first");
    }

    #[test]
    fn the_second_half_of_a_double_is_seen_by_the_same_player() {
        let before = State { position: Position::START, phase: Phase::Roll, player: 0 };
        for (roll, equity) in [((4, 4), 0.5), ((4, 3), -0.5)] {
            let state = before.rolled(Roll::new(roll.0, roll.1).unwrap());
            let mut lookahead = Lookahead::default();
            lookahead.look([state].into_iter(), |_, heads| {
                heads
                    .chunks_exact_mut(5)
                    .for_each(|heads| heads.copy_from_slice(&[0.75, 0.0, 0.0, 0.0, 0.0]));
            });
            assert!(lookahead.prospects(0).len() > 3);
            assert!(lookahead.prospects(0).iter().all(|prospect| prospect.equity == equity), "{roll:?}");
        }
    }

    #[test]
    fn moves_become_improbable_by_what_they_lose() {
        let prospect = |action, equity| Prospect { action, equity, heads: [0.0; MOST_HEADS] };
        let prospects = [prospect(4, 0.1), prospect(9, 0.1 + 0.02 * 3f32.ln()), prospect(2, -5.0)];
        let mut shares = Vec::new();
        softmax_policy(&prospects, 0.02, |action, share| shares.push((action, share)));
        for ((action, share), expected) in shares.into_iter().zip([(4, 0.25), (9, 0.75), (2, 0.0)]) {
            assert!(action == expected.0 && (share - expected.1).abs() < 1e-4, "{action}: {share}");
        }
    }
}

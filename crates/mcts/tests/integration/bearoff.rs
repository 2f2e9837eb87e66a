//! Tests of the search on backgammon bear-offs, which have chance events and known exact values.

use vivarium_envs::backgammon::{BAR, CHECKERS, OFF, PLACES, Position, Roll, State, TurnPhase};
use vivarium_envs::testing::TwoSided;
use vivarium_kernels::rng::Stream;
use vivarium_kernels::simd;
use vivarium_mcts::{BatchSearch, Evaluator, Game, Leaves, Puct, Tree, TreeLimits, UniformEvaluator};

const SIMULATIONS: u32 = 20_000;

fn search(state: State, evaluator: &mut impl Evaluator<State>) -> Tree<State> {
    let limits = TreeLimits { nodes: 1 << 17, edges: 1 << 20, leaves: 1 };
    let mut tree = [Tree::new(state, Puct::default(), limits).unwrap()];
    assert_eq!(
        BatchSearch::new(simd::level(), 1).search(&mut tree, evaluator, SIMULATIONS),
        SIMULATIONS as usize
    );
    let [tree] = tree;
    tree
}

/// Returns a random bear-off position, in which each side has 1 to `most` checkers in its home board.
fn race(random: &mut Stream, most: u32) -> Position {
    let mut side = || {
        let mut counts = [0; PLACES];
        let checkers = 1 + random.below(most) as u8;
        for _ in 0..checkers {
            counts[1 + random.below(6) as usize] += 1;
        }
        counts[OFF] = CHECKERS - checkers;
        counts
    };
    let mine = side();
    Position::new(mine, side()).unwrap()
}

/// Returns the exact equity in points of a position before the roll, for the player on roll: 2 · win probability − 1.
fn equity(table: &TwoSided, position: &Position) -> f64 {
    2.0 * table.win_probability(position).unwrap() - 1.0
}

#[test]
fn values_converge_to_the_exact_ones() {
    let table = TwoSided::new(2);
    let mut random = Stream::new(2, 0);
    for _ in 0..12 {
        let position = race(&mut random, 2);
        let tree = search(State { position, phase: TurnPhase::Roll, player: 0 }, &mut UniformEvaluator);
        let (found, exact) = (f64::from(tree.value().unwrap()), equity(&table, &position));
        assert!((found - exact).abs() < 0.03, "{found} for {exact} in {position:?}");
        // The frequency of each roll agrees with its probability.
        for branch in tree.branches() {
            let expected = branch.prior * SIMULATIONS as f32;
            assert!((branch.visits as f32 - expected).abs() < 8.0, "{branch:?}");
        }
    }
}

/// Evaluator that returns the exact equity of a position before the roll, also for a state with rolled dice.
struct BeforeRollEvaluator<'a>(&'a TwoSided);

impl Evaluator<State> for BeforeRollEvaluator<'_> {
    fn evaluate(&mut self, leaves: &Leaves<State>, logits: &mut [f32], values: &mut [f32]) {
        logits.fill(0.0);
        let value = |state: &State| equity(self.0, &state.position) as f32;
        values.iter_mut().zip(leaves.states()).for_each(|(to, state)| *to = value(state));
    }
}

#[test]
fn selected_plays_are_optimal() {
    let table = TwoSided::new(3);
    let mut evaluator = BeforeRollEvaluator(&table);
    let mut random = Stream::new(3, 0);
    let mut decisive = 0;
    for _ in 0..25 {
        let position = race(&mut random, 3);
        for (high, low) in [(2, 1), (3, 1), (3, 2), (4, 1), (5, 2), (1, 1)] {
            let roll = Roll::new(high, low).unwrap();
            let state = State { position, phase: TurnPhase::Play(roll), player: 1 };
            let mut actions = Default::default();
            state.actions(&mut actions);
            // Doubles of two checkers may take two decisions; only complete turns are compared.
            let value = |branch: usize| {
                let after = Game::after(&state, branch);
                match after.outcome() {
                    Some(outcome) => Some(-f64::from(outcome.points())),
                    None if after.phase == TurnPhase::Roll => Some(-equity(&table, &after.position)),
                    None => None,
                }
            };
            let values: Option<Vec<_>> = actions.iter().map(|action| value(action.index())).collect();
            let Some(values) = values else { continue };
            let best = values.iter().copied().fold(f64::MIN, f64::max);
            let worst = values.iter().copied().fold(f64::MAX, f64::min);
            let chosen = value(search(state, &mut evaluator).most_visited().unwrap()).unwrap();
            assert!(best - chosen < 0.01, "{chosen} instead of {best} with {roll} in {position:?}");
            decisive += usize::from(best - worst > 0.02);
        }
    }
    assert!(decisive > 20, "only {decisive} decisions matter");
}

#[test]
fn values_change_sign_with_the_player_only() {
    /// Evaluator that gives every state the value 0.7 for player 0, and equal logits.
    struct PlayerZeroEvaluator;
    impl Evaluator<State> for PlayerZeroEvaluator {
        fn evaluate(&mut self, leaves: &Leaves<State>, logits: &mut [f32], values: &mut [f32]) {
            logits.fill(0.0);
            let value = |state: &State| if state.player == 0 { 0.7 } else { -0.7 };
            values.iter_mut().zip(leaves.states()).for_each(|(to, state)| *to = value(state));
        }
    }
    // Rolls of doubles, which take two decisions, and other rolls, from the starting position and from the bar.
    let mut barred = [0; PLACES];
    (barred[BAR], barred[13], barred[OFF]) = (1, 4, 10);
    let on_bar = Position::new(barred, Position::START.theirs().counts()).unwrap();
    for (position, player) in [(Position::START, 0), (Position::START, 1), (on_bar, 0), (on_bar, 1)] {
        for roll in [Roll::new(3, 3).unwrap(), Roll::new(4, 2).unwrap()] {
            let state = State { position, phase: TurnPhase::Play(roll), player };
            let mut tree = [Tree::new(state, Puct::default(), TreeLimits::default()).unwrap()];
            BatchSearch::new(simd::level(), 4).search(&mut tree, &mut PlayerZeroEvaluator, 800);
            let expected = if player == 0 { 0.7 } else { -0.7 };
            assert!((tree[0].value().unwrap() - expected).abs() < 1e-6);
            for branch in tree[0].branches().filter(|branch| branch.visits > 0) {
                assert!((branch.value.unwrap() - expected).abs() < 1e-6, "{branch:?}");
            }
        }
    }
}

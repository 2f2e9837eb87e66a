//! One self-play game in progress, and the value targets of a finished game.

use super::config::AlphaZeroConfig;
use super::game::{MAX_HEADS, SelfPlayGame};
use super::lookahead::{ActionValue, best, softmax_policy};
use super::replay::{ActionProbability, Sample};
use crate::chance::outcome;
use vivarium_kernels::rng::Stream;
use vivarium_mcts::{Branch, GameStatus, Tree};

/// Maximum number of moves and rolls since the last search of a game after which the next search reuses the subtree.
const MAX_REUSE_DEPTH: usize = 4;

/// One self-play game in progress, with all its past states, from which training samples are made.
pub(super) struct GameInPlay<G> {
    pub state: G,
    /// Random number generator of the game; its seed derives from the run's seed and the game's index. The generator
    /// draws the dice, the Dirichlet noise and the sampled moves.
    pub random: Stream,
    pub decisions: u32,
    /// Whether a tree search chooses the current move; otherwise a one-ply lookahead chooses the move.
    pub searching: bool,
    /// Whether the next search can reuse the game's search tree. `path` then holds the branches (moves and rolls)
    /// taken since the last search.
    pub has_tree: bool,
    pub path: Vec<usize>,
    pub history: Vec<PastState<G>>,
    pub policies: Vec<ActionProbability>,
}

impl<G: SelfPlayGame> GameInPlay<G> {
    /// Creates the game with index `number` of the run. With probability `varied_starts`, the game begins at a
    /// [random state](SelfPlayGame::varied_start); otherwise in the initial state.
    pub fn new(seed: u64, number: u32, varied_starts: f32) -> Self {
        let mut random = Stream::new(seed, number);
        // Without varied starts, no random number is drawn: games are the same as in earlier versions.
        let is_varied = varied_starts > 0.0 && random.uniform() < varied_starts;
        Self {
            state: if is_varied { G::varied_start(&mut random) } else { G::START },
            random,
            decisions: 0,
            searching: false,
            has_tree: false,
            path: Vec::new(),
            history: Vec::new(),
            policies: Vec::new(),
        }
    }

    /// Samples and applies chance events, such as rolls, until a player has to decide. Appends the state before each
    /// event to the game's history; these states train only the value heads.
    pub fn roll(&mut self, scratch: &mut G::Scratch) {
        while self.state.status() == GameStatus::Chance {
            let sample = Sample { state: self.state, heads: [0.0; MAX_HEADS], policy_len: 0 };
            self.history.push(PastState { sample, estimate: None, explored: false });
            let branch = outcome(&self.state, scratch, self.random.uniform());
            self.advance(branch);
        }
    }

    /// Makes one decision, and appends the state before the decision to the game's history. Chooses the move by the
    /// visit counts of the search tree `tree`; if `tree` is `None`, by `action_values`, the result of the one-ply
    /// lookahead. After a search of one simulation, the priors replace the visit counts, which are 0.
    pub fn decide(
        &mut self,
        tree: Option<&Tree<G>>,
        action_values: &[ActionValue],
        config: &AlphaZeroConfig,
    ) {
        let is_drawn = self.decisions < config.temperature_moves;
        let first = self.policies.len();
        let (best, action, found) = if let Some(tree) = tree {
            let total: u32 = tree.branches().map(|branch| branch.visits).sum();
            let probability = |branch: Branch| match total {
                0 => branch.prior,
                total => branch.visits as f32 / total as f32,
            };
            let target = |branch: Branch| ActionProbability::new(branch.branch, probability(branch));
            self.policies.extend(tree.branches().map(target));
            let best = tree.best_branch().expect("a decision has a legal move");
            let temperature = if is_drawn { config.temperature } else { 0.0 };
            let action = tree.sample(temperature, &mut self.random).unwrap_or(best);
            let found = tree.branches().find(|branch| branch.branch == best);
            (best, action, found.and_then(|branch| branch.value))
        } else {
            let unit = config.tolerance * G::MAX_VALUE;
            softmax_policy(action_values, unit, |action, probability| {
                self.policies.push(ActionProbability::new(action, probability))
            });
            let best = best(action_values);
            let mut remaining = self.random.uniform();
            let mut action = best;
            if is_drawn {
                softmax_policy(action_values, unit * config.temperature, |candidate, probability| {
                    if remaining >= 0.0 && remaining < probability {
                        action = candidate;
                    }
                    remaining -= probability;
                });
            }
            (best, action, None)
        };
        let policy_len = (self.policies.len() - first) as u16;
        let seen = action_values.iter().find(|action_value| action_value.action == best);
        let estimate = seen.map(|action_value| {
            let mut heads = action_value.heads;
            if let Some(value) = found {
                G::set_equity(&mut heads[..G::HEADS], value);
            }
            heads
        });
        let sample = Sample { state: self.state, heads: [0.0; MAX_HEADS], policy_len };
        self.history.push(PastState { sample, estimate, explored: action != best });
        self.decisions += 1;
        self.advance(action);
    }

    fn advance(&mut self, branch: usize) {
        self.state = self.state.after(branch);
        self.has_tree &= self.path.len() < MAX_REUSE_DEPTH;
        if self.has_tree {
            self.path.push(branch);
        }
    }
}

/// A past state of a self-play game, from which a training sample is made when the game is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PastState<G> {
    pub sample: Sample<G>,
    /// Outcome probabilities of the state for the player to move, as estimated when the move was chosen; `None` at
    /// chance nodes.
    pub estimate: Option<[f32; MAX_HEADS]>,
    /// Whether the chosen move was exploratory, that is, not the move with the highest value. The value target of
    /// such a state is its own estimate; the rest of the game is ignored.
    pub explored: bool,
}

/// Computes the TD(λ) value target of each state in `history` after the game is over. `last` is the final state, and
/// `value` its outcome in points for the player to move.
///
/// The targets are computed from the last state to the first: z_t = λ·z_{t+1} + (1 − λ)·v_t with λ = `trace` and the
/// estimate v_t of the decision. With λ = 1 the target is the outcome of the game. λ is 0 at exploratory moves, and
/// the exact value replaces the target in states of an endgame table. The outcome probabilities are converted to the
/// opponent's view where the player to move changes. The player does not change between the halves of a double in
/// backgammon.
pub(crate) fn fill_targets<G: SelfPlayGame>(history: &mut [PastState<G>], last: &G, value: f32, trace: f32) {
    let mut goal = [0.0; MAX_HEADS];
    let goal = &mut goal[..G::HEADS];
    G::outcome_heads(value, goal);
    let mut player = last.player();
    for past in history.iter_mut().rev() {
        let to_move = past.sample.state.player();
        if to_move != player {
            G::flip_heads(goal);
            player = to_move;
        }
        if let Some(estimate) = &past.estimate {
            let trace = if past.explored { 0.0 } else { trace };
            goal.iter_mut().zip(estimate).for_each(|(goal, now)| *goal = trace * *goal + (1.0 - trace) * now);
        }
        past.sample.state.exact_heads(goal);
        past.sample.heads[..G::HEADS].copy_from_slice(goal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::{LegalActions, Position, Roll, State, TurnPhase};
    use vivarium_envs::connect_four::ConnectFour;
    use vivarium_kernels::simd;
    use vivarium_mcts::{SelectionResult, TreeLimits};

    #[test]
    fn the_share_of_games_with_varied_starts_is_that_of_the_config() {
        let varied = |share| {
            let games = (0..1000).map(|number| GameInPlay::<State>::new(1, number, share));
            games.filter(|game| game.state != State::START).count()
        };
        assert_eq!((varied(0.0), varied(1.0)), (0, 1000));
        assert!((200..300).contains(&varied(0.25)), "{}", varied(0.25));
    }

    #[test]
    fn a_search_of_one_simulation_plays_the_legal_move_of_highest_prior() {
        // Column 0 is full: branch 0 is illegal.
        let state = ConnectFour::from_moves("111111").unwrap();
        let mut tree = Tree::new(state, ConnectFour::puct(), TreeLimits::default()).unwrap();
        let SelectionResult::Leaf(leaf) = tree.select() else { panic!("a new root is a leaf") };
        tree.backup(simd::level(), leaf, &mut [0.0, 0.0, 0.0, 2.0, 0.0, 0.0], 0.0);
        assert_eq!(tree.most_visited(), None);
        let mut game = GameInPlay::<ConnectFour> { state, ..GameInPlay::new(1, 0, 0.0) };
        game.decide(Some(&tree), &[], &AlphaZeroConfig::default());
        assert!(game.state == state.after(4));
        let target: Vec<_> = game.policies.iter().map(|target| target.probability()).collect();
        assert!((target.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{target:?}");
        assert!(target[3] > 0.5, "{target:?}");
    }

    fn past<G>(state: G, estimate: Option<[f32; MAX_HEADS]>, explored: bool) -> PastState<G> {
        PastState { sample: Sample { state, heads: [9.0; MAX_HEADS], policy_len: 0 }, estimate, explored }
    }

    /// Returns the four states of a backgammon turn in which a double is rolled: before the roll, before the first
    /// half, before the second half, and before the opponent's roll.
    fn double() -> [State; 4] {
        let before = State { position: Position::START, phase: TurnPhase::Roll, player: 1 };
        let first = before.rolled(Roll::new(2, 2).unwrap());
        let mut actions = LegalActions::new();
        first.actions(&mut actions);
        let second = first.after(actions[0]);
        assert!(matches!(second.phase, TurnPhase::SecondHalf(_)));
        second.actions(&mut actions);
        [before, first, second, second.after(actions[0])]
    }

    #[test]
    fn targets_flip_with_the_player_but_not_within_a_double() {
        let mut history = double().map(|state| past(state, None, false));
        // Player 0 loses a gammon.
        let last = State { player: 0, ..State::START };
        fill_targets(&mut history, &last, -2.0, 1.0);
        let [won, lost] = [[1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]];
        assert_eq!(history.map(|past| past.sample.heads), [won, won, won, lost]);
    }

    #[test]
    fn estimates_affect_the_decision_and_all_earlier_states() {
        let [_, first, second, after] = double();
        let estimate = [0.6, 0.2, 0.0, 0.1, 0.0];
        let mut history =
            [past(first, None, false), past(second, Some(estimate), false), past(after, None, false)];
        let last = State { player: 1, ..State::START };
        fill_targets(&mut history, &last, 1.0, 0.75);
        let close = |found: [f32; MAX_HEADS], expected: [f32; MAX_HEADS]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
        };
        // The value target of the decision is a quarter of its estimate plus three quarters of the outcome (λ =
        // 0.75). The target of the state after the decision is the outcome.
        close(history[2].sample.heads, [0.0; MAX_HEADS]);
        close(history[1].sample.heads, [0.9, 0.05, 0.0, 0.025, 0.0]);
        close(history[0].sample.heads, [0.9, 0.05, 0.0, 0.025, 0.0]);
    }

    #[test]
    fn exact_values_replace_outcomes() {
        let side = |point: usize| {
            let mut counts = [0; 26];
            (counts[0], counts[point]) = (14, 1);
            counts
        };
        // 27 of the 36 rolls bear off the last checker of the player to move, from the six point. All rolls bear off
        // the opponent's last checker, from the ace point.
        let position = Position::new(side(6), side(1)).unwrap();
        let before = State { position, phase: TurnPhase::Roll, player: 0 };
        let decision = before.rolled(Roll::new(2, 1).unwrap());
        let mut history = [before, decision].map(|state| past(state, None, false));
        fill_targets(&mut history, &State { player: 0, ..State::START }, 1.0, 1.0);
        let [known, played] = history.map(|past| past.sample.heads);
        assert!((known[0] - 0.75).abs() < 1e-6 && known[1..] == [0.0; 4], "{known:?}");
        assert_eq!(played, [1.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn exploratory_moves_cut_the_trace() {
        let start = ConnectFour::START;
        let states = [start, start.after(3), start.after(3).after(3)];
        let believed = |win: f32, lose: f32| Some([win, lose, 0.0, 0.0, 0.0]);
        let mut history = [
            past(states[0], believed(0.5, 0.25), false),
            past(states[1], believed(0.75, 0.0), true),
            past(states[2], None, false),
        ];
        fill_targets(&mut history, &states[2].after(0), -1.0, 0.5);
        let heads = history.map(|past| [past.sample.heads[0], past.sample.heads[1]]);
        // The player of the last move wins. One move earlier, the opponent estimated a win probability of 0.75 and made
        // an exploratory move.
        assert_eq!(heads, [[0.25, 0.5], [0.75, 0.0], [1.0, 0.0]]);
    }
}

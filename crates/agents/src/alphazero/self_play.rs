//! Batched self-play: a worker plays many games concurrently and evaluates their states in common network batches.

use super::config::AlphaZeroConfig;
use super::forward::{Clock, ForwardPass};
use super::game::SelfPlayGame;
use super::game_in_play::{GameInPlay, fill_targets};
use super::lookahead::Lookahead;
use super::network::AlphaZeroNetwork;
use super::replay::{ActionProbability, Replay, Sample};
use super::report::{AlphaZeroCounters, SelfPlayTally};
#[cfg(feature = "gpu")]
use vivarium_kernels::gemm::SparseRows;
use vivarium_kernels::simd;
use vivarium_mcts::{BatchSearch, GameStatus, Leaves, Puct, SearchError, Tree, TreeLimits};

/// A group of concurrent self-play games. One thread at a time advances the group, and all its games share network
/// batches.
pub(crate) struct SelfPlayWorker<G: SelfPlayGame> {
    seed: u64,
    /// Index of this worker's next new game; games are numbered over all workers. It increases by `stride`, the number
    /// of workers, with each game.
    next_game: u32,
    stride: u32,
    games: Vec<GameInPlay<G>>,
    /// One search tree per game, allocated before the first search.
    trees: Vec<Tree<G>>,
    /// Size limits and PUCT parameters of the allocated `trees`; `None` before the allocation.
    trees_for: Option<(TreeLimits, Puct)>,
    batch: BatchSearch<G>,
    scratch: G::Scratch,
    lookahead: Lookahead<G>,
    forward: ForwardPass<G>,
    /// Samples of finished games.
    samples: Vec<Sample<G>>,
    /// Policy targets of `samples`, concatenated.
    policies: Vec<ActionProbability>,
    stage: RoundStage,
    pub tally: SelfPlayTally,
    /// Result of the last round; an error if a search failed.
    pub outcome: Result<(), SearchError>,
}

/// Progress of a worker within a self-play [round](super).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RoundStage {
    /// The worker has not started the round.
    Ready,
    /// Leaves of the searches in the first `searching` games await evaluation.
    Searching { searching: usize },
    /// One-ply lookahead: the afterstates of game `first` and all later games await evaluation.
    LookingAhead { first: usize },
    /// The worker has finished the round.
    Done,
}

/// Evaluation request of a worker: the states to evaluate, and buffers for the results.
pub(crate) enum EvaluationRequest<'a, G> {
    /// Leaves of searches; see [`Evaluator`](vivarium_mcts::Evaluator).
    Leaves { leaves: &'a Leaves<G>, logits: &'a mut [f32], values: &'a mut [f32] },
    /// Afterstates of a one-ply lookahead; `heads` is `[states, HEADS]`.
    Lookahead { states: &'a [G], heads: &'a mut [f32] },
}

impl<'a, G: SelfPlayGame> EvaluationRequest<'a, G> {
    fn of(stage: RoundStage, batch: &'a mut BatchSearch<G>, lookahead: &'a mut Lookahead<G>) -> Option<Self> {
        match stage {
            RoundStage::Ready | RoundStage::Done => None,
            RoundStage::Searching { .. } => {
                let (leaves, logits, values) = batch.evaluation();
                Some(Self::Leaves { leaves, logits, values })
            }
            RoundStage::LookingAhead { .. } => {
                let (states, heads) = lookahead.evaluation();
                Some(Self::Lookahead { states, heads })
            }
        }
    }
}

/// Parameters of one self-play round (one decision in every game).
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundSettings<'a> {
    pub config: &'a AlphaZeroConfig,
    /// Whether moves may be searched; if not, all moves use the one-ply lookahead.
    pub search: bool,
    /// λ of the TD(λ) value targets.
    pub trace: f32,
    /// Clock in seconds for time measurements; `None` disables them.
    pub clock: Option<Clock>,
}

impl<'a> RoundSettings<'a> {
    /// Returns the settings of the next self-play round, given the counters of the run.
    pub fn new(config: &'a AlphaZeroConfig, counters: &AlphaZeroCounters, clock: Option<Clock>) -> Self {
        let search = counters.games >= config.games_before_search;
        Self { config, search, trace: config.trace_at(counters.samples), clock }
    }
}

/// Maximum batch size of a worker's network evaluations.
pub(crate) const FORWARD_ROWS: usize = 256;

impl<G: SelfPlayGame> SelfPlayWorker<G> {
    /// Creates the worker with index `number`, 0 to `config.workers` − 1. Its first game has index `first_game` +
    /// `number`.
    pub fn new(
        config: &AlphaZeroConfig,
        network: &AlphaZeroNetwork<G>,
        seed: u64,
        number: u32,
        first_game: u32,
    ) -> Self {
        let mut worker = Self {
            seed,
            next_game: first_game.wrapping_add(number),
            stride: config.workers,
            games: Vec::new(),
            trees: Vec::new(),
            trees_for: None,
            batch: BatchSearch::new(simd::level(), config.games as usize),
            scratch: G::Scratch::default(),
            lookahead: Lookahead::default(),
            forward: ForwardPass::new(network, FORWARD_ROWS),
            samples: Vec::new(),
            policies: Vec::new(),
            stage: RoundStage::Ready,
            tally: SelfPlayTally::default(),
            outcome: Ok(()),
        };
        for _ in 0..config.games {
            let game = worker.new_game();
            worker.games.push(game);
        }
        worker
    }

    /// Creates the next game of this worker.
    fn new_game(&mut self) -> GameInPlay<G> {
        let number = self.next_game;
        self.next_game = number.wrapping_add(self.stride);
        GameInPlay::new(self.seed, number)
    }

    /// Iterates over the current states of the games.
    pub fn states(&self) -> impl Iterator<Item = &G> {
        self.games.iter().map(|game| &game.state)
    }

    /// Completes the round on the CPU: makes one decision in every game that has not made its decision of the round.
    pub fn round(&mut self, network: &AlphaZeroNetwork<G>, settings: RoundSettings<'_>) {
        self.forward.clock = settings.clock;
        self.timed(settings, |worker| {
            while !worker.is_done() {
                worker.evaluate(network);
                worker.advance(settings);
            }
        });
    }

    /// Advances the round until states await evaluation, and encodes these states as network inputs. Does nothing more
    /// if the round ends first. The results of the last [request](Self::request) must have been written.
    #[cfg(feature = "gpu")]
    pub fn step(&mut self, settings: RoundSettings<'_>) {
        self.forward.clock = settings.clock;
        self.timed(settings, |worker| {
            worker.advance(settings);
            let Self { stage, batch, lookahead, forward, .. } = worker;
            match EvaluationRequest::of(*stage, batch, lookahead) {
                Some(EvaluationRequest::Leaves { leaves, .. }) => forward.encode(leaves.states()),
                Some(EvaluationRequest::Lookahead { states, .. }) => forward.encode(states),
                None => {}
            }
        });
    }

    /// Returns the pending evaluation request and the encoded states; `None` if no states await evaluation.
    #[cfg(feature = "gpu")]
    pub fn request(&mut self) -> Option<(EvaluationRequest<'_, G>, &SparseRows)> {
        let Self { stage, batch, lookahead, forward, .. } = self;
        EvaluationRequest::of(*stage, batch, lookahead).map(|request| (request, forward.inputs()))
    }

    /// Returns whether the round is finished or has failed.
    pub fn is_done(&self) -> bool {
        self.stage == RoundStage::Done
    }

    /// Runs `work` and adds its elapsed time, in seconds, to the worker's tally.
    fn timed(&mut self, settings: RoundSettings<'_>, work: impl FnOnce(&mut Self)) {
        let begun = settings.clock.map(|clock| clock());
        work(self);
        if let (Some(clock), Some(begun)) = (settings.clock, begun) {
            self.tally.time += clock() - begun;
            let times = std::mem::take(&mut self.forward.times);
            self.tally.forward_time += times.forward;
            self.tally.encoding_time += times.encoding;
        }
    }

    /// Evaluates the states of the pending request on the CPU.
    fn evaluate(&mut self, network: &AlphaZeroNetwork<G>) {
        let Self { stage, batch, lookahead, forward, .. } = self;
        match EvaluationRequest::of(*stage, batch, lookahead) {
            Some(EvaluationRequest::Leaves { leaves, logits, values }) => {
                forward.evaluate(network, leaves, logits, values);
            }
            Some(EvaluationRequest::Lookahead { states, heads }) => forward.heads(network, states, heads),
            None => {}
        }
    }

    /// Advances a self-play round, one move in every game, to its next batch of network evaluations. The states of the
    /// previous batch must have been evaluated.
    fn advance(&mut self, settings: RoundSettings<'_>) {
        self.stage = match self.stage {
            RoundStage::Ready => match self.begin(settings) {
                Ok(searching) => self.search(searching, settings),
                Err(error) => {
                    self.outcome = Err(error);
                    RoundStage::Done
                }
            },
            RoundStage::Searching { searching } => {
                G::backup(&mut self.batch, &mut self.trees[..searching]);
                self.search(searching, settings)
            }
            RoundStage::LookingAhead { first } => self.decide(first, settings),
            RoundStage::Done => RoundStage::Done,
        };
    }

    /// Samples chance events and starts the searches of this round. Moves the games that are searched to the front, and
    /// returns their number.
    fn begin(&mut self, settings: RoundSettings<'_>) -> Result<usize, SearchError> {
        let Self { games, trees, scratch, .. } = self;
        let config = settings.config;
        let mut searching = 0;
        for index in 0..games.len() {
            let game = &mut games[index];
            game.roll(scratch);
            let mut choices = 0;
            game.state.branches(scratch, |_, _| choices += 1);
            let share = if settings.search { config.search_share } else { 0.0 };
            // A random number is drawn for every decision. Therefore the random stream of a game does not depend on the
            // config or on earlier choices.
            game.searching = game.random.uniform() < share && choices > 1;
            if game.searching {
                games.swap(searching, index);
                if !trees.is_empty() {
                    trees.swap(searching, index);
                }
                searching += 1;
            }
        }
        if searching == 0 {
            return Ok(0);
        }
        self.ensure_trees(config)?;
        let Self { games, trees, batch, .. } = self;
        for (game, tree) in games[..searching].iter_mut().zip(trees.iter_mut()) {
            if game.has_tree {
                tree.advance_path(&game.path)?;
                game.path.clear();
            } else {
                tree.restart(game.state)?;
            }
            game.has_tree = true;
            if config.noise_fraction > 0.0 {
                tree.add_noise(config.noise_concentration, config.noise_fraction, &mut game.random)?;
            }
        }
        batch.begin(&mut trees[..searching], config.simulations);
        Ok(searching)
    }

    /// Continues the searches of the first `searching` games. When they are finished, prepares the one-ply lookahead.
    fn search(&mut self, searching: usize, settings: RoundSettings<'_>) -> RoundStage {
        let Self { games, trees, batch, lookahead, tally, .. } = self;
        if searching > 0 {
            if G::gather(batch, &mut trees[..searching]) {
                return RoundStage::Searching { searching };
            }
            tally.simulations += batch.simulations() as f64;
        }
        // For searched moves, the lookahead is needed only if λ < 1: it provides the value estimate in the TD(λ)
        // target.
        let first = if settings.trace < 1.0 { 0 } else { searching };
        lookahead.begin(games[first..].iter().map(|game| game.state));
        let looked = lookahead.evaluation().0.len();
        tally.lookahead_states += looked as f64;
        match looked {
            0 => self.decide(first, settings),
            _ => RoundStage::LookingAhead { first },
        }
    }

    /// Makes the decision of every game, and ends the round. The one-ply lookahead has evaluated the games from `first`
    /// on.
    fn decide(&mut self, first: usize, settings: RoundSettings<'_>) -> RoundStage {
        self.lookahead.finish();
        for index in 0..self.games.len() {
            let Self { games, trees, lookahead, .. } = self;
            let action_values =
                index.checked_sub(first).map_or(&[][..], |root| lookahead.action_values(root));
            let game = &mut games[index];
            game.decide(trees.get(index).filter(|_| game.searching), action_values, settings.config);
            let status = game.state.status();
            self.tally.decisions += 1.0;
            if let GameStatus::Over(value) = status {
                self.finish(index, value, settings.trace);
            }
        }
        RoundStage::Done
    }

    /// Allocates the search trees unless the existing trees match the config.
    fn ensure_trees(&mut self, config: &AlphaZeroConfig) -> Result<(), SearchError> {
        let puct = Puct { c_init: config.exploration, ..G::puct() };
        let wanted = (TreeLimits::for_simulations::<G>(config.simulations), puct);
        if self.trees_for == Some(wanted) {
            return Ok(());
        }
        self.trees_for = None;
        self.trees.clear();
        for game in &mut self.games {
            self.trees.push(Tree::new(game.state, puct, wanted.0)?);
            game.has_tree = false;
            game.path.clear();
        }
        self.trees_for = Some(wanted);
        Ok(())
    }

    /// Computes the TD(λ) value targets of the finished game with index `index` in `games`, with λ = `trace`, appends
    /// the game's samples to `samples`, and replaces the game by a new one. `value` is the outcome in points for the
    /// player to move in the final state.
    fn finish(&mut self, index: usize, value: f32, trace: f32) {
        let mut game = self.new_game();
        std::mem::swap(&mut game, &mut self.games[index]);
        fill_targets(&mut game.history, &game.state, value, trace);
        self.samples.extend(game.history.iter().map(|past| past.sample));
        self.policies.extend_from_slice(&game.policies);
        self.tally.games += 1.0;
        self.tally.points += f64::from(value.abs());
        self.tally.lengths += f64::from(game.decisions);
    }

    /// Moves the samples of finished games to the replay buffer at the end of a round. Returns the number of samples
    /// moved.
    pub fn hand_over(&mut self, replay: &mut Replay<G>) -> usize {
        self.stage = RoundStage::Ready;
        let mut first = 0;
        for sample in &self.samples {
            let policy = &self.policies[first..first + usize::from(sample.policy_len)];
            replay.push(*sample, policy);
            first += policy.len();
        }
        let count = self.samples.len();
        self.samples.clear();
        self.policies.clear();
        count
    }
}

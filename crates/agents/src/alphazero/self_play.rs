//! Batched self-play: a worker plays many games concurrently and evaluates their states in common network batches.

use super::config::AlphaZeroConfig;
use super::forward::{Clock, ForwardPass};
use super::game::SelfPlayGame;
use super::game_in_play::{GameInPlay, fill_targets};
use super::lookahead::Lookahead;
use super::network::AlphaZeroNetwork;
use super::replay::SelfPlaySamples;
use super::report::AlphaZeroCounters;
use super::run_setup::rng_stream;
#[cfg(feature = "gpu")]
use vivarium_kernels::gemm::SparseRows;
use vivarium_kernels::{rng, simd};
use vivarium_mcts::{BatchSearch, GameStatus, Leaves, Puct, SearchError, Tree, TreeLimits};

/// A group of concurrent self-play games, whose states are evaluated in common network batches. One thread at a time
/// advances the group.
pub(crate) struct SelfPlayWorker<G: SelfPlayGame> {
    seed: u64,
    /// Index of this worker's next new game; the games of all workers are numbered together. Each new game increases
    /// the index by `stride`, the number of workers.
    next_game: u32,
    stride: u32,
    games: Vec<GameInPlay<G>>,
    /// One search tree per game. Empty until the first search.
    trees: Vec<Tree<G>>,
    /// Size limits and PUCT parameters with which `trees` were created; `None` before the trees have been created.
    trees_for: Option<(TreeLimits, Puct)>,
    batch: BatchSearch<G>,
    scratch: G::Scratch,
    lookahead: Lookahead<G>,
    forward: ForwardPass<G>,
    stage: RoundStage,
    /// Training samples of the games that finished in the current self-play round (one decision in every game of the
    /// worker), and statistics of the round.
    pub finished: SelfPlaySamples<G>,
    /// Result of the last self-play round (one decision in every game of the worker); an error if a tree search
    /// failed.
    outcome: Result<(), SearchError>,
}

/// Progress of a worker within a self-play round, which makes one decision in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RoundStage {
    /// The worker has not started the self-play round; no game has made its decision.
    Ready,
    /// Tree search: leaves of the search trees of the first `searching` games await network evaluation.
    Searching { searching: usize },
    /// One-ply lookahead: afterstates of the games from index `first` on await network evaluation.
    LookingAhead { first: usize },
    /// Every game of the worker has made its decision, or a search has failed.
    Done,
}

/// Network evaluation that a worker requires: the states, and output buffers for the results.
pub(crate) enum EvaluationRequest<'a, G> {
    /// Leaves of tree searches. `logits` receives one logit per legal action, concatenated over the leaves. `values`
    /// receives the equity of each leaf in points for the player to move.
    Leaves { leaves: &'a Leaves<G>, logits: &'a mut [f32], values: &'a mut [f32] },
    /// Afterstates of a one-ply lookahead. `heads` is the output buffer of their outcome probabilities, `[states,
    /// HEADS]`.
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
    /// Whether a share of the moves is chosen by tree search. If `false`, the one-ply lookahead chooses all moves.
    pub search: bool,
    /// λ of the TD(λ) value targets of the games that end in this self-play round.
    pub trace: f32,
    /// Clock for time measurements, which returns seconds; `None` disables them.
    pub clock: Option<Clock>,
}

impl<'a> RoundSettings<'a> {
    /// Returns the parameters of the next self-play round (one decision in every game) of a run with the counters
    /// `counters`.
    pub fn new(config: &'a AlphaZeroConfig, counters: &AlphaZeroCounters, clock: Option<Clock>) -> Self {
        let search = counters.games >= config.games_before_search;
        Self { config, search, trace: config.trace_at(counters.samples), clock }
    }
}

/// Maximum number of states in one forward pass of a worker.
pub(crate) const FORWARD_ROWS: usize = 256;

impl<G: SelfPlayGame> SelfPlayWorker<G> {
    /// Creates the worker with index `number`, from 0 to `config.workers` − 1. The first of its games has the index
    /// `first_game` + `number` in the run.
    fn new(
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
            stage: RoundStage::Ready,
            finished: SelfPlaySamples::default(),
            outcome: Ok(()),
        };
        for _ in 0..config.games {
            let game = worker.new_game(config);
            worker.games.push(game);
        }
        worker
    }

    /// Creates all self-play workers of a run. The first of their games has the index `first_game` in the run.
    pub fn all(
        config: &AlphaZeroConfig,
        network: &AlphaZeroNetwork<G>,
        seed: u64,
        first_game: u32,
    ) -> Vec<Self> {
        let seed = rng::derive(seed, rng_stream::SELF_PLAY);
        (0..config.workers).map(|number| Self::new(config, network, seed, number, first_game)).collect()
    }

    /// Creates the next new game of this worker and advances the game index.
    fn new_game(&mut self, config: &AlphaZeroConfig) -> GameInPlay<G> {
        let number = self.next_game;
        self.next_game = number.wrapping_add(self.stride);
        GameInPlay::new(self.seed, number, config.varied_starts)
    }

    /// Iterates over the current state of each of the worker's games.
    pub fn states(&self) -> impl Iterator<Item = &G> {
        self.games.iter().map(|game| &game.state)
    }

    /// Completes a self-play round on the CPU: makes one decision in every game that has not made its decision of the
    /// round.
    pub fn round(&mut self, network: &AlphaZeroNetwork<G>, settings: RoundSettings<'_>) {
        self.forward.clock = settings.clock;
        self.timed(settings, |worker| {
            while !worker.is_done() {
                worker.evaluate(network);
                worker.advance(settings);
            }
        });
    }

    /// Advances the self-play round (one decision in every game) until states await network evaluation, and encodes
    /// these states as network inputs. The results of the previous [request](Self::request) must have been written.
    /// If the round ends first, no states are encoded.
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

    /// Returns the states that await network evaluation, with output buffers for the results, and the states encoded
    /// as network inputs. Returns `None` if no states await evaluation.
    #[cfg(feature = "gpu")]
    pub fn request(&mut self) -> Option<(EvaluationRequest<'_, G>, &SparseRows)> {
        let Self { stage, batch, lookahead, forward, .. } = self;
        EvaluationRequest::of(*stage, batch, lookahead).map(|request| (request, forward.inputs()))
    }

    /// Returns whether the worker has finished the current self-play round (one decision in every game), or failed in
    /// it.
    pub fn is_done(&self) -> bool {
        self.stage == RoundStage::Done
    }

    /// Calls `work`, and adds its elapsed time in seconds to the worker's sums.
    fn timed(&mut self, settings: RoundSettings<'_>, work: impl FnOnce(&mut Self)) {
        let begun = settings.clock.map(|clock| clock());
        work(self);
        if let (Some(clock), Some(begun)) = (settings.clock, begun) {
            let tally = &mut self.finished.tally;
            tally.time += clock() - begun;
            let times = std::mem::take(&mut self.forward.times);
            tally.forward_time += times.forward;
            tally.encoding_time += times.encoding;
        }
    }

    /// Evaluates, on the CPU, the states that await network evaluation, and writes the results to their output buffers.
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

    /// Advances the self-play round (one decision in every game) until the next states await network evaluation. The
    /// previous states must have been evaluated.
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

    /// Begins a self-play round (one decision in every game): samples chance events and begins the tree searches.
    /// Moves the games whose decision is searched to the front of `games`, and returns the number of these games.
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
            // A random number is drawn for every decision, even if it is not used. Therefore the random stream of a
            // game does not depend on the config or on earlier decisions to search.
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

    /// Continues the tree searches of the first `searching` games until leaves await evaluation. After the last
    /// simulation, collects the afterstates for the one-ply lookahead. Returns the next stage of the self-play round.
    fn search(&mut self, searching: usize, settings: RoundSettings<'_>) -> RoundStage {
        let Self { games, trees, batch, lookahead, finished: SelfPlaySamples { tally, .. }, .. } = self;
        if searching > 0 {
            if G::gather(batch, &mut trees[..searching]) {
                return RoundStage::Searching { searching };
            }
            tally.simulations += batch.simulations() as f64;
        }
        // A searched move needs a lookahead only if λ < 1, for the value estimate in its TD(λ) target.
        let first = if settings.trace < 1.0 { 0 } else { searching };
        lookahead.begin(games[first..].iter().map(|game| game.state));
        let looked = lookahead.evaluation().0.len();
        tally.lookahead_states += looked as f64;
        match looked {
            0 => self.decide(first, settings),
            _ => RoundStage::LookingAhead { first },
        }
    }

    /// Makes the decision of every game, and ends the self-play round. Games from index `first` on have action values
    /// of the one-ply lookahead; games before `first` have only a search tree.
    fn decide(&mut self, first: usize, settings: RoundSettings<'_>) -> RoundStage {
        self.lookahead.finish();
        for index in 0..self.games.len() {
            let Self { games, trees, lookahead, .. } = self;
            let action_values =
                index.checked_sub(first).map_or(&[][..], |root| lookahead.action_values(root));
            let game = &mut games[index];
            game.decide(trees.get(index).filter(|_| game.searching), action_values, settings.config);
            let status = game.state.status();
            self.finished.tally.decisions += 1.0;
            if let GameStatus::Over(value) = status {
                self.finish(index, value, settings);
            }
        }
        RoundStage::Done
    }

    /// Creates one search tree per game, unless the existing trees match the number of simulations and the PUCT
    /// parameters of the config.
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

    /// Makes training samples from the finished game with index `index` in `games`, and replaces the game by a new
    /// game. `value` is the outcome in points for the player to move in the final state.
    fn finish(&mut self, index: usize, value: f32, settings: RoundSettings<'_>) {
        let mut game = self.new_game(settings.config);
        std::mem::swap(&mut game, &mut self.games[index]);
        fill_targets(&mut game.history, &game.state, value, settings.trace);
        let Self { finished, .. } = self;
        finished.add_game(game.history.iter().map(|past| past.sample), &game.policies);
        finished.tally.games += 1.0;
        finished.tally.points += f64::from(value.abs());
        finished.tally.lengths += f64::from(game.decisions);
    }

    /// Ends a self-play round (one decision in every game of the worker). Returns the samples of the games that
    /// finished in the round; the caller clears them.
    ///
    /// # Errors
    /// [`SearchError`] if a tree search of the round failed.
    pub fn end_round(&mut self) -> Result<&mut SelfPlaySamples<G>, SearchError> {
        std::mem::replace(&mut self.outcome, Ok(()))?;
        self.stage = RoundStage::Ready;
        Ok(&mut self.finished)
    }
}

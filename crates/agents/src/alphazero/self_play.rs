//! Games that the network plays against itself, many side by side.

use super::config::AlphaZeroConfig;
use super::forward::{Clock, Forward};
use super::game::Learnable;
use super::game_in_play::GameInPlay;
use super::lookahead::Lookahead;
use super::network::Network;
use super::replay::{Replay, Sample, Share};
use super::report::{Counters, Tally};
use super::target::fill_targets;
#[cfg(feature = "gpu")]
use vivarium_kernels::gemm::SparseRows;
use vivarium_mcts::{Batch, Leaves, Limits, Puct, SearchError, Status, Tree};

/// Some games on one core, one batch for all of them.
pub(crate) struct Worker<G: Learnable> {
    seed: u64,
    /// The number of the next game, and how many workers share the numbers.
    next_game: u32,
    stride: u32,
    games: Vec<GameInPlay<G>>,
    /// A tree for each game, made when the first move is searched.
    trees: Vec<Tree<G>>,
    /// How large the trees are and how they choose.
    trees_for: Option<(Limits, Puct)>,
    batch: Batch<G>,
    scratch: G::Scratch,
    lookahead: Lookahead<G>,
    forward: Forward<G>,
    /// Samples of games that are over, their policies one after another.
    samples: Vec<Sample<G>>,
    shares: Vec<Share>,
    step: Step,
    pub tally: Tally,
    /// What went wrong in the last round.
    pub outcome: Result<(), SearchError>,
}

/// How far a worker is with a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It has not begun.
    Ready,
    /// Leaves of the searches of the first games await their evaluation.
    Searching { searching: usize },
    /// The states one move ahead of the games from `first` on await theirs.
    LookingAhead { first: usize },
    /// It is over.
    Done,
}

/// States that a worker waits for the evaluation of, and room for it.
pub(crate) enum Request<'a, G> {
    /// Leaves of searches: as an [`Evaluator`](vivarium_mcts::Evaluator) evaluates them.
    Leaves { leaves: &'a Leaves<G>, logits: &'a mut [f32], values: &'a mut [f32] },
    /// States one move ahead: their heads, `[states, HEADS]`.
    Ahead { states: &'a [G], heads: &'a mut [f32] },
}

impl<'a, G: Learnable> Request<'a, G> {
    fn of(step: Step, batch: &'a mut Batch<G>, lookahead: &'a mut Lookahead<G>) -> Option<Self> {
        match step {
            Step::Ready | Step::Done => None,
            Step::Searching { .. } => {
                let (leaves, logits, values) = batch.evaluation();
                Some(Self::Leaves { leaves, logits, values })
            }
            Step::LookingAhead { .. } => {
                let (states, heads) = lookahead.evaluation();
                Some(Self::Ahead { states, heads })
            }
        }
    }
}

/// How a round is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a> {
    pub config: &'a AlphaZeroConfig,
    /// Moves may be searched already.
    pub search: bool,
    /// λ of the targets.
    pub trace: f32,
    /// A clock in seconds, where reports are to say how long each part took.
    pub clock: Option<Clock>,
}

impl<'a> Rules<'a> {
    /// Those of a round that begins after so much was played.
    pub fn new(config: &'a AlphaZeroConfig, counters: &Counters, clock: Option<Clock>) -> Self {
        let search = counters.games >= config.games_before_search;
        Self { config, search, trace: config.trace_at(counters.samples), clock }
    }
}

/// The memory that searches of so many simulations need.
pub(crate) fn limits<G: Learnable>(simulations: u32) -> Limits {
    // A simulation adds a state, or two where chance comes between decisions; what is kept of the search before
    // takes some more. Where a tree is full all the same, its search ends early.
    let nodes = 3 * simulations as usize + 64;
    Limits { nodes, edges: nodes * USUAL_BRANCHES.min(G::MOST_BRANCHES) + G::MOST_BRANCHES, leaves: 1 }
}

/// States that a worker evaluates together at most.
pub(crate) const FORWARD_ROWS: usize = 256;

/// Branches that a state has on average at most: 21 rolls, or actions.
const USUAL_BRANCHES: usize = 24;

impl<G: Learnable> Worker<G> {
    /// The worker of this number among `config.workers`, its games counted from `first_game` on over all workers.
    pub fn new(
        config: &AlphaZeroConfig,
        network: &Network<G>,
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
            batch: Batch::new(config.games as usize),
            scratch: G::Scratch::default(),
            lookahead: Lookahead::default(),
            forward: Forward::new(network, FORWARD_ROWS),
            samples: Vec::new(),
            shares: Vec::new(),
            step: Step::Ready,
            tally: Tally::default(),
            outcome: Ok(()),
        };
        for _ in 0..config.games {
            let game = worker.new_game();
            worker.games.push(game);
        }
        worker
    }

    /// A new game.
    fn new_game(&mut self) -> GameInPlay<G> {
        let number = self.next_game;
        self.next_game = number.wrapping_add(self.stride);
        GameInPlay::new(self.seed, number)
    }

    /// The states of the games, for whoever watches.
    pub fn states(&self) -> impl Iterator<Item = &G> {
        self.games.iter().map(|game| &game.state)
    }

    /// Moves on every game by a decision: begins a round, or takes one to its end that was begun elsewhere.
    pub fn round(&mut self, network: &Network<G>, rules: Rules<'_>) {
        self.forward.clock = rules.clock;
        self.timed(rules, |worker| {
            while !worker.is_done() {
                worker.evaluate(network);
                worker.advance(rules);
            }
        });
    }

    /// The same in steps: takes the round from where its [request](Self::request) has been answered, or from its beginning, to
    /// where states await their evaluation, or to its end, and writes those states as the network's inputs.
    #[cfg(feature = "gpu")]
    pub fn step(&mut self, rules: Rules<'_>) {
        self.forward.clock = rules.clock;
        self.timed(rules, |worker| {
            worker.advance(rules);
            let Self { step, batch, lookahead, forward, .. } = worker;
            match Request::of(*step, batch, lookahead) {
                Some(Request::Leaves { leaves, .. }) => forward.encode(leaves.states()),
                Some(Request::Ahead { states, .. }) => forward.encode(states),
                None => {}
            }
        });
    }

    /// The states that await their evaluation, with room for it, and as the network's inputs; `None` where none do.
    #[cfg(feature = "gpu")]
    pub fn request(&mut self) -> Option<(Request<'_, G>, &SparseRows)> {
        let Self { step, batch, lookahead, forward, .. } = self;
        Request::of(*step, batch, lookahead).map(|request| (request, forward.inputs()))
    }

    /// Whether every game has moved on in this round, or something went wrong.
    pub fn is_done(&self) -> bool {
        self.step == Step::Done
    }

    /// Does something, and adds the time that it took.
    fn timed(&mut self, rules: Rules<'_>, work: impl FnOnce(&mut Self)) {
        let begun = rules.clock.map(|clock| clock());
        work(self);
        if let (Some(clock), Some(begun)) = (rules.clock, begun) {
            self.tally.time += clock() - begun;
            let times = std::mem::take(&mut self.forward.times);
            self.tally.forward_time += times.forward;
            self.tally.encoding_time += times.encoding;
        }
    }

    /// Evaluates the states that await it.
    fn evaluate(&mut self, network: &Network<G>) {
        let Self { step, batch, lookahead, forward, .. } = self;
        match Request::of(*step, batch, lookahead) {
            Some(Request::Leaves { leaves, logits, values }) => {
                forward.evaluate(network, leaves, logits, values);
            }
            Some(Request::Ahead { states, heads }) => forward.heads(network, states, heads),
            None => {}
        }
    }

    /// Goes on with a round once the states that awaited their evaluation have it.
    fn advance(&mut self, rules: Rules<'_>) {
        self.step = match self.step {
            Step::Ready => match self.begin(rules) {
                Ok(searching) => self.search(searching, rules),
                Err(error) => {
                    self.outcome = Err(error);
                    Step::Done
                }
            },
            Step::Searching { searching } => {
                G::hand_back(&mut self.batch, &mut self.trees[..searching]);
                self.search(searching, rules)
            }
            Step::LookingAhead { first } => self.decide(first, rules),
            Step::Done => Step::Done,
        };
    }

    /// Throws the dice, and begins the searches of this round. Returns how many there are: those of the first games from now
    /// on.
    fn begin(&mut self, rules: Rules<'_>) -> Result<usize, SearchError> {
        let Self { games, trees, scratch, .. } = self;
        let config = rules.config;
        let mut searching = 0;
        for index in 0..games.len() {
            let game = &mut games[index];
            game.roll(scratch);
            let mut choices = 0;
            game.state.branches(scratch, |_, _| choices += 1);
            let share = if rules.search { config.search_share } else { 0.0 };
            // Drawn whether it is needed or not, so that one move's choices do not change the next one's.
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
        self.fit(config)?;
        let Self { games, trees, batch, .. } = self;
        for (game, tree) in games[..searching].iter_mut().zip(trees.iter_mut()) {
            if game.known {
                tree.follow(&game.way)?;
                game.way.clear();
            } else {
                tree.restart(game.state)?;
            }
            game.known = true;
            if config.noise_fraction > 0.0 {
                tree.add_noise(config.noise_concentration, config.noise_fraction, &mut game.random)?;
            }
        }
        batch.begin(&mut trees[..searching], config.simulations);
        Ok(searching)
    }

    /// Goes on with the searches of the first games; once they are over, looks one move ahead.
    fn search(&mut self, searching: usize, rules: Rules<'_>) -> Step {
        let Self { games, trees, batch, lookahead, tally, .. } = self;
        if searching > 0 {
            if G::gather(batch, &mut trees[..searching]) {
                return Step::Searching { searching };
            }
            tally.simulations += batch.made() as f64;
        }
        // What searched moves seem to be worth is asked only where targets are mixed with it.
        let first = if rules.trace < 1.0 { 0 } else { searching };
        lookahead.begin(games[first..].iter().map(|game| game.state));
        let looked = lookahead.evaluation().0.len();
        tally.looked += looked as f64;
        match looked {
            0 => self.decide(first, rules),
            _ => Step::LookingAhead { first },
        }
    }

    /// Makes the moves of all games, having looked ahead in those from `first` on.
    fn decide(&mut self, first: usize, rules: Rules<'_>) -> Step {
        self.lookahead.finish();
        for index in 0..self.games.len() {
            let Self { games, trees, lookahead, .. } = self;
            let prospects = index.checked_sub(first).map_or(&[][..], |root| lookahead.prospects(root));
            let game = &mut games[index];
            game.decide(trees.get(index).filter(|_| game.searching), prospects, rules.config);
            let status = game.state.status();
            self.tally.decisions += 1.0;
            if let Status::Over(value) = status {
                self.finish(index, value, rules.trace);
            }
        }
        Step::Done
    }

    /// Makes trees that are large enough, where there are none yet.
    fn fit(&mut self, config: &AlphaZeroConfig) -> Result<(), SearchError> {
        let puct = Puct { exploration: config.exploration, ..G::puct() };
        let wanted = (limits::<G>(config.simulations), puct);
        if self.trees_for == Some(wanted) {
            return Ok(());
        }
        self.trees_for = None;
        self.trees.clear();
        for game in &mut self.games {
            self.trees.push(Tree::new(game.state, puct, wanted.0)?);
            game.known = false;
            game.way.clear();
        }
        self.trees_for = Some(wanted);
        Ok(())
    }

    /// Hands on what a finished game taught, and begins another.
    fn finish(&mut self, index: usize, value: f32, trace: f32) {
        let mut game = self.new_game();
        std::mem::swap(&mut game, &mut self.games[index]);
        fill_targets(&mut game.history, &game.state, value, trace);
        self.samples.extend(game.history.iter().map(|past| past.sample));
        self.shares.extend_from_slice(&game.shares);
        self.tally.games += 1.0;
        self.tally.points += f64::from(value.abs());
        self.tally.lengths += f64::from(game.decisions);
    }

    /// Ends a round: moves the samples of finished games to the replay, and returns how many.
    pub fn hand_over(&mut self, replay: &mut Replay<G>) -> usize {
        self.step = Step::Ready;
        let mut first = 0;
        for sample in &self.samples {
            let shares = &self.shares[first..first + usize::from(sample.shares)];
            replay.push(*sample, shares);
            first += shares.len();
        }
        let count = self.samples.len();
        self.samples.clear();
        self.shares.clear();
        count
    }
}

//! Games that the network plays against itself, many side by side.

use super::config::AlphaZeroConfig;
use super::forward::{Clock, Forward};
use super::game::{Learnable, MOST_HEADS};
use super::lookahead::{Lookahead, best, soften};
use super::network::Network;
use super::replay::{Replay, Sample, Share};
use super::report::Tally;
use super::target::{Moment, fill_targets};
use crate::chance::outcome;
use vivarium_kernels::rng::Stream;
use vivarium_mcts::{Batch, Branch, Limits, Puct, SearchError, Status, Tree};

/// Moves and rolls after which a search starts anew rather than go on from what it knows of them.
const LONGEST_WAY: usize = 4;

/// A game under way.
struct Table<G> {
    state: G,
    /// Every game has a stream of its own: its dice, its noise and its choices depend on (seed, number) alone.
    random: Stream,
    decisions: u32,
    /// The next move is searched.
    searching: bool,
    /// The game's tree was searched before, and what was played since.
    known: bool,
    way: Vec<usize>,
    moments: Vec<Moment<G>>,
    shares: Vec<Share>,
}

/// Some games on one core, one batch for all of them.
pub(crate) struct Worker<G: Learnable> {
    seed: u64,
    /// The number of the next game, and how many workers share the numbers.
    next_game: u32,
    stride: u32,
    tables: Vec<Table<G>>,
    /// A tree for each table, made when the first move is searched.
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
    pub tally: Tally,
    /// What went wrong in the last round.
    pub outcome: Result<(), SearchError>,
}

/// How a round is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a> {
    pub config: &'a AlphaZeroConfig,
    /// Moves may be searched already.
    pub search: bool,
    /// λ of the targets.
    pub trace: f32,
    /// Tells the time in seconds, where somebody wants to know where it goes.
    pub clock: Option<Clock>,
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

impl<G: Learnable> Table<G> {
    fn new(seed: u64, number: u32) -> Self {
        Self {
            state: G::START,
            random: Stream::new(seed, number),
            decisions: 0,
            searching: false,
            known: false,
            way: Vec::new(),
            moments: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Throws the dice, if they are next. The state before them is worth learning from, too.
    fn roll(&mut self, scratch: &mut G::Scratch) {
        while self.state.status() == Status::Chance {
            let sample = Sample { state: self.state, heads: [0.0; MOST_HEADS], shares: 0 };
            self.moments.push(Moment { sample, estimate: None, explored: false });
            let branch = outcome(&self.state, scratch, self.random.uniform());
            self.go(branch);
        }
    }

    fn go(&mut self, branch: usize) {
        self.state = self.state.after(branch);
        self.known &= self.way.len() < LONGEST_WAY;
        if self.known {
            self.way.push(branch);
        }
    }
}

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
            tables: Vec::new(),
            trees: Vec::new(),
            trees_for: None,
            batch: Batch::new(config.games as usize),
            scratch: G::Scratch::default(),
            lookahead: Lookahead::default(),
            forward: Forward::new(network, FORWARD_ROWS),
            samples: Vec::new(),
            shares: Vec::new(),
            tally: Tally::default(),
            outcome: Ok(()),
        };
        for _ in 0..config.games {
            let table = worker.table();
            worker.tables.push(table);
        }
        worker
    }

    /// A new game.
    fn table(&mut self) -> Table<G> {
        let number = self.next_game;
        self.next_game = number.wrapping_add(self.stride);
        Table::new(self.seed, number)
    }

    /// The states of the games, for whoever watches.
    pub fn states(&self) -> impl Iterator<Item = &G> {
        self.tables.iter().map(|table| &table.state)
    }

    /// Moves on every game by a decision.
    pub fn round(&mut self, network: &Network<G>, rules: Rules<'_>) {
        let begun = rules.clock.map(|clock| clock());
        self.forward.clock = rules.clock;
        self.outcome = self.play(network, rules);
        if let (Some(clock), Some(begun)) = (rules.clock, begun) {
            self.tally.seconds += clock() - begun;
            let times = std::mem::take(&mut self.forward.times);
            self.tally.forward_seconds += times.forward;
            self.tally.encoding_seconds += times.encoding;
        }
    }

    fn play(&mut self, network: &Network<G>, rules: Rules<'_>) -> Result<(), SearchError> {
        let config = rules.config;
        for table in &mut self.tables {
            table.roll(&mut self.scratch);
            let mut choices = 0;
            table.state.branches(&mut self.scratch, |_, _| choices += 1);
            let share = if rules.search { config.search_share } else { 0.0 };
            // Drawn whether it is needed or not, so that one move's choices do not change the next one's.
            table.searching = table.random.uniform() < share && choices > 1;
        }
        let searching = self.search(network, config)?;
        // What searched moves seem to be worth is asked only where targets are mixed with it.
        let first = if rules.trace < 1.0 { 0 } else { searching };
        let Self { tables, lookahead, forward, tally, .. } = self;
        lookahead.look(tables[first..].iter().map(|table| table.state), |states, heads| {
            tally.looked += states.len() as u64;
            forward.heads(network, states, heads);
        });
        for index in 0..self.tables.len() {
            self.decide(index, index.checked_sub(first), rules);
        }
        Ok(())
    }

    /// Makes the searches of this round and returns how many: those of the first tables from now on.
    fn search(&mut self, network: &Network<G>, config: &AlphaZeroConfig) -> Result<usize, SearchError> {
        let Self { tables, trees, .. } = self;
        let mut searching = 0;
        for index in 0..tables.len() {
            if tables[index].searching {
                tables.swap(searching, index);
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
        let Self { tables, trees, batch, forward, tally, .. } = self;
        for (table, tree) in tables[..searching].iter_mut().zip(trees.iter_mut()) {
            if table.known {
                tree.follow(&table.way)?;
                table.way.clear();
            } else {
                tree.restart(table.state)?;
            }
            table.known = true;
            if config.noise_fraction > 0.0 {
                tree.add_noise(config.noise_concentration, config.noise_fraction, &mut table.random)?;
            }
        }
        let trees = &mut trees[..searching];
        let made = G::search(batch, trees, &mut forward.with(network), config.simulations);
        tally.simulations += made as u64;
        Ok(searching)
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
        for table in &mut self.tables {
            self.trees.push(Tree::new(table.state, puct, wanted.0)?);
            table.known = false;
            table.way.clear();
        }
        self.trees_for = Some(wanted);
        Ok(())
    }

    /// Makes the move of a table, of which looking ahead saw the root of this number.
    fn decide(&mut self, index: usize, root: Option<usize>, rules: Rules<'_>) {
        let config = rules.config;
        let table = &mut self.tables[index];
        let prospects = root.map_or(&[][..], |root| self.lookahead.prospects(root));
        let drawn = table.decisions < config.temperature_moves;
        let first = table.shares.len();
        let (best, action, found) = if table.searching {
            let tree = &self.trees[index];
            let total = tree.branches().map(|branch| branch.visits).sum::<u32>().max(1) as f32;
            let share = |branch: Branch| Share::new(branch.branch, branch.visits as f32 / total);
            table.shares.extend(tree.branches().map(share));
            let best = tree.most_visited().unwrap_or_default();
            let temperature = if drawn { config.temperature } else { 0.0 };
            let action = tree.draw(temperature, &mut table.random).unwrap_or(best);
            let found = tree.branches().find(|branch| branch.branch == best);
            (best, action, found.and_then(|branch| branch.value))
        } else {
            let unit = config.tolerance * G::MOST_VALUE;
            soften(prospects, unit, |action, share| table.shares.push(Share::new(action, share)));
            let best = best(prospects);
            let mut left = table.random.uniform();
            let mut action = best;
            if drawn {
                soften(prospects, unit * config.temperature, |candidate, share| {
                    if left >= 0.0 && left < share {
                        action = candidate;
                    }
                    left -= share;
                });
            }
            (best, action, None)
        };
        let shares = (table.shares.len() - first) as u16;
        let seen = prospects.iter().find(|prospect| prospect.action == best);
        let estimate = seen.map(|prospect| {
            let mut heads = prospect.heads;
            if let Some(value) = found {
                G::lean(&mut heads[..G::HEADS], value);
            }
            heads
        });
        let sample = Sample { state: table.state, heads: [0.0; MOST_HEADS], shares };
        table.moments.push(Moment { sample, estimate, explored: action != best });
        table.decisions += 1;
        table.go(action);
        self.tally.decisions += 1;
        if let Status::Over(value) = table.state.status() {
            self.finish(index, value, rules.trace);
        }
    }

    /// Hands on what a finished game taught, and begins another.
    fn finish(&mut self, index: usize, value: f32, trace: f32) {
        let mut table = self.table();
        std::mem::swap(&mut table, &mut self.tables[index]);
        fill_targets(&mut table.moments, &table.state, value, trace);
        self.samples.extend(table.moments.iter().map(|moment| moment.sample));
        self.shares.extend_from_slice(&table.shares);
        self.tally.games += 1;
        self.tally.points += f64::from(value.abs());
        self.tally.length += u64::from(table.decisions);
    }

    /// Moves the samples of finished games to the replay, and tells how many.
    pub fn hand_over(&mut self, replay: &mut Replay<G>) -> usize {
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

//! AlphaZero in one file, for Connect Four: Silver et al. 2018, "A general reinforcement learning algorithm that
//! masters chess, shogi, and Go through self-play", <https://doi.org/10.1126/science.aar6404>.
//!
//! `cargo run --release -p vivarium-agents --example alphazero` prints the losses. A test requires that
//! `vivarium_agents::alphazero::AlphaZero` without its extensions computes the same weights bit for bit.

use std::collections::VecDeque;
use std::error::Error;
use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};
use vivarium_graph::{Cpu, Graph, Initializer, Plan, Value, Workspaces};
use vivarium_kernels::gemm::gemm_columns;
use vivarium_kernels::rng::{self, Stream};
use vivarium_kernels::{PackedColumns, Ragged, adam::AdamStep};
use vivarium_learn::{Loss, Network, Trainer, schedule::cosine_annealing};
use vivarium_mcts::{BatchSearch, Evaluator, Leaves, Puct, Tree, TreeLimits};

const WIDTH: usize = 64;
const BLOCKS: usize = 2;
const GAMES: usize = 64;
const SIMULATIONS: u32 = 50;
const NOISE: (f32, f32) = (0.5, 0.25); // concentration α and weight
const TEMPERATURE_MOVES: usize = 10;
const REPLAY_CAPACITY: usize = 65_536;
const REPLAY_RATIO: f64 = 2.0;
const MINIBATCH: usize = 128;
const LEARNING_RATE: f32 = 2e-3;
const ANNEAL_SAMPLES: u64 = 1_000_000;
const MAX_GRADIENT_NORM: f32 = 5.0;
const CELLS: usize = COLUMNS * ROWS;
const INPUTS: usize = 4 * CELLS;

/// Position, policy target (share of visits of each column), value target (1 if the player to move won, 1 if it lost).
type Sample = (ConnectFour, [f32; COLUMNS], [f32; 2]);

/// Self-play game. `path`: moves since its last search, for subtree reuse. `history`: positions and policy targets.
struct OpenGame {
    state: ConnectFour,
    random: Stream,
    path: Option<Vec<usize>>,
    history: Vec<(ConnectFour, [f32; COLUMNS])>,
}

fn main() -> Result<(), Box<dyn Error>> {
    train(200_000, 1).map(|_| ())
}

/// Returns the network inputs as four 0/1 planes: the stones of the player to move and of the opponent, and for each of
/// them the empty cells that complete four in a row. The bit masks have one unused bit above each column.
fn encode(state: &ConnectFour) -> [f32; INPUTS] {
    let planes = [state.stones(), state.completions()];
    std::array::from_fn(|i| {
        let (plane, cell) = (planes.as_flattened()[i / CELLS], i % CELLS);
        (plane >> (cell + cell / ROWS) & 1) as f32
    })
}

/// Returns a mask of the seven columns for the policy: 1 for a column that is not full, 0 for a full column.
fn legal_moves(state: &ConnectFour) -> [f32; COLUMNS] {
    std::array::from_fn(|column| f32::from(state.is_open(column)))
}

/// Adds relu(layer_norm(x·W + b) + skip) to the graph, with parameters named from `name`. Returns its output.
fn layer(g: &mut Graph, name: &str, x: Value, skip: Option<Value>) -> Value {
    let h = g.linear(name, x, WIDTH);
    let h = g.layer_norm(&format!("{name}.norm"), h);
    let h = skip.map_or(h, |skip| g.add(h, skip));
    g.relu(h)
}

/// Evaluator of search-tree leaves. A network computes the logits of the legal moves and the value, P(win) − P(loss).
struct NetworkEvaluator<'a>(&'a Cpu, &'a Network);

impl Evaluator<ConnectFour> for NetworkEvaluator<'_> {
    fn evaluate(&mut self, leaves: &Leaves<ConnectFour>, logits: &mut [f32], values: &mut [f32]) {
        let (Self(cpu, network), rows) = (self, leaves.len());
        let states: Vec<f32> = leaves.states().iter().flat_map(encode).collect();
        let (mut trunk, mut heads) = (vec![0.0; rows * WIDTH], vec![0.0; rows * 2]);
        network.evaluate(cpu, &mut Workspaces::default(), 0, rows, &[&states], &mut [&mut trunk, &mut heads]);
        let [weight, bias] = ["policy.weight", "policy.bias"].map(|name| network.parameters().get(name));
        let weight = PackedColumns::pack(weight.expect("a weight"), WIDTH, COLUMNS);
        let moves = Ragged { values: leaves.actions(), start: 0, ends: leaves.ends() };
        gemm_columns(cpu.level(), &trunk, &weight, bias.expect("a bias"), moves, logits);
        values.iter_mut().zip(heads.chunks_exact(2)).for_each(|(value, head)| *value = head[0] - head[1]);
    }
}

/// Trains the network until self-play has produced `samples` positions. Returns the network's weights.
pub fn train(samples: u64, seed: u64) -> Result<Vec<f32>, Box<dyn Error>> {
    let mut g = Graph::new();
    let state = g.sparse_input("state", &[INPUTS]);
    let [legal, policy] = ["legal", "policy"].map(|name| g.input(name, &[COLUMNS]));
    let outcome = g.input("outcome", &[2]);
    let mut trunk = layer(&mut g, "stem", state, None);
    for block in 0..BLOCKS {
        let middle = layer(&mut g, &format!("block.{block}.0"), trunk, None);
        trunk = layer(&mut g, &format!("block.{block}.1"), middle, Some(trunk));
    }
    let logits = g.linear_with("policy", trunk, COLUMNS, Initializer::Orthogonal { gain: 0.01 });
    let z = g.linear_with("value", trunk, 2, Initializer::Orthogonal { gain: 0.01 });
    let heads = g.sigmoid(z);

    // L = −Σ π·ln p + Σ BCE(z, v), where p is the softmax over the legal moves.
    let illegal = g.offset(legal, -1.0);
    let mask = g.scale(illegal, 1e9);
    let masked = g.add(logits, mask);
    let policy_loss = g.soft_cross_entropy(masked, policy);
    let of_heads = g.binary_cross_entropy(z, outcome);
    let value_loss = g.sum(of_heads);
    let loss = g.add(policy_loss, value_loss);
    let cpu = Cpu::new(std::thread::available_parallelism()?.get());
    let [weights, playing, sampling] = [20, 21, 22].map(|stream| rng::derive(seed, stream));
    let mut network = Network::new(&g, vec![Plan::for_cache(&g, &[trunk, heads])?], weights)?;
    let plan = Plan::compile(&g.gradient(loss), &[policy_loss, value_loss], 64)?;
    let mut trainer = Trainer::new(&network, vec![Loss { plan, names: &["the loss"] }]);
    let start = ConnectFour::START;
    let new_game =
        |number| OpenGame { state: start, random: Stream::new(playing, number), path: None, history: vec![] };
    let mut begun = GAMES as u32;
    let mut games: Vec<OpenGame> = (0..begun).map(new_game).collect();
    let limits = TreeLimits::for_simulations::<ConnectFour>(SIMULATIONS);
    let new_tree = |_: &OpenGame| Tree::new(start, Puct::default(), limits);
    let mut trees = games.iter().map(new_tree).collect::<Result<Vec<_>, _>>()?;
    let mut search = BatchSearch::new(cpu.level(), GAMES);
    let mut replay: VecDeque<Sample> = VecDeque::new();
    let mut adam = AdamStep { weight_decay: 1e-5, step: 0, ..AdamStep::default() };
    let (mut played, mut due, mut losses) = (0, 0.0, [7f64.ln(), 4f64.ln()]);
    while played < samples {
        // Self-play: a move in every game. A forced move needs no search.
        let mut searching = 0;
        for index in 0..GAMES {
            games[index].random.uniform(); // With this number, the learner decides whether to search.
            if legal_moves(&games[index].state).iter().sum::<f32>() > 1.0 {
                games.swap(searching, index);
                trees.swap(searching, index);
                searching += 1;
            }
        }
        for (game, tree) in games[..searching].iter_mut().zip(&mut trees) {
            match game.path.replace(Vec::new()) {
                Some(path) => tree.advance_path(&path)?,
                None => tree.restart(game.state)?,
            }
            tree.add_noise(NOISE.0, NOISE.1, &mut game.random)?;
        }
        search.search(&mut trees[..searching], &mut NetworkEvaluator(&cpu, &network), SIMULATIONS);
        let mut finished = Vec::new();
        for (index, game) in games.iter_mut().enumerate() {
            let mut policy = [0.0; COLUMNS];
            let column = if index < searching {
                let tree = &trees[index];
                let total = tree.branches().map(|branch| branch.visits).sum::<u32>() as f32;
                // The replay stores shares as 16-bit integers.
                let share = |visits| (visits as f32 / total * 65_535.0).round() / 65_535.0;
                tree.branches().for_each(|branch| policy[branch.branch] = share(branch.visits));
                let temperature = if game.history.len() < TEMPERATURE_MOVES { 1.0 } else { 0.0 };
                tree.sample(temperature, &mut game.random).expect("a visited move")
            } else {
                game.random.uniform(); // With this number, the learner samples moves without search.
                policy = legal_moves(&game.state);
                policy.iter().position(|&share| share == 1.0).expect("a legal move")
            };
            game.history.push((game.state, policy));
            game.state = game.state.after(column);
            game.path.iter_mut().for_each(|path| path.push(column));
            if let Some(value) = game.state.value() {
                let last = std::mem::replace(game, new_game(begun));
                begun += 1;
                finished.extend(last.history.into_iter().map(|(state, policy)| {
                    let value = if state.player() == last.state.player() { value } else { -value };
                    (state, policy, [f32::from(value > 0.0), f32::from(value < 0.0)])
                }));
            }
        }

        // Gradient steps on random minibatches of the replay, at most twice the mean number per move.
        let most = (4.0 * GAMES as f64 * REPLAY_RATIO / MINIBATCH as f64).ceil();
        let steps = if replay.len() < 2 * MINIBATCH { 0 } else { (due / MINIBATCH as f64).min(most) as u64 };
        for _ in 0..steps {
            let mut random = Stream::new(sampling, adam.step as u32);
            let drawn = [(); MINIBATCH].map(|()| &replay[random.below(replay.len() as u32) as usize]);
            let states: Vec<f32> = drawn.iter().flat_map(|sample| encode(&sample.0)).collect();
            let legal = drawn.map(|sample| legal_moves(&sample.0));
            let (policies, outcomes) = (drawn.map(|sample| sample.1), drawn.map(|sample| sample.2));
            let inputs = [&states, legal.as_flattened(), policies.as_flattened(), outcomes.as_flattened()];
            trainer.differentiate(&cpu, &network, 0, MINIBATCH, &inputs);
            adam.learning_rate = cosine_annealing(LEARNING_RATE, 0.0, played, ANNEAL_SAMPLES);
            adam.step += 1;
            trainer.step(&cpu, &mut network, &adam, MAX_GRADIENT_NORM)?;
            losses = [0, 1].map(|i| losses[i] + 0.01 * (trainer.sum(i) / MINIBATCH as f64 - losses[i]));
            if adam.step.is_multiple_of(100) {
                println!("{played:7} positions, policy loss {:.3}, value loss {:.3}", losses[0], losses[1]);
            }
        }
        due += finished.len() as f64 * REPLAY_RATIO - (steps * MINIBATCH as u64) as f64;
        played += finished.len() as u64;
        replay.extend(finished);
        replay.drain(..replay.len().saturating_sub(REPLAY_CAPACITY));
    }
    Ok(network.weights().to_vec())
}

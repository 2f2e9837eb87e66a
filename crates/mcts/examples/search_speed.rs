//! How fast backgammon is searched on one core when evaluations cost nothing, in simulations a second:
//!
//! ```text
//! cargo run --profile fast -p vivarium-mcts --example search_speed
//! ```

use std::time::Instant;
use vivarium_envs::backgammon::{Dice, State};
use vivarium_mcts::{Batch, Even, Limits, Puct, SearchError, Tree};

/// Games that share a batch, simulations for each move, and runs, of which the fastest counts.
const GAMES: usize = 64;
const SIMULATIONS: u32 = 100;
const RUNS: usize = 10;

fn main() -> Result<(), SearchError> {
    let limits = Limits { nodes: 1 << 11, edges: 1 << 16, leaves: 1 };
    let first = |game| State::START.rolled(Dice { seed: 1, game }.opening().1);
    let trees = (0..GAMES as u32).map(|game| Tree::new(first(game), Puct::default(), limits));
    let mut trees = trees.collect::<Result<Vec<_>, _>>()?;
    let mut batch = Batch::new(GAMES);
    let mut best = f64::INFINITY;
    for run in 0..RUNS {
        let start = Instant::now();
        let made = batch.search(&mut trees, &mut Even, SIMULATIONS);
        best = best.min(start.elapsed().as_secs_f64() / made as f64);
        // On by a play and a roll, so that every sort of position comes up.
        for (game, tree) in (0..).zip(&mut trees) {
            for _ in 0..2 {
                let branches = tree.branches().len();
                let branch = tree.branches().nth(run * 7 % branches.max(1));
                match branch {
                    Some(branch) => tree.advance(branch.branch)?,
                    None => tree.restart(first(game))?,
                }
            }
        }
    }
    println!("{GAMES} games, {SIMULATIONS} simulations a move: {:.2} M simulations/s", 1e-6 / best);
    Ok(())
}

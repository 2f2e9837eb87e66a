//! Tests of the search on Connect Four, a game without chance events: forced wins and perfect play.

use std::collections::HashMap;
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};
use vivarium_kernels::rng::Stream;
use vivarium_kernels::simd;
use vivarium_mcts::{BatchSearch, Puct, Tree, TreeLimits, UniformEvaluator};

/// Returns the most visited column (from 0) and the value of the root for the player to move, after a search with the
/// uniform evaluator.
fn chosen(game: ConnectFour, simulations: u32) -> (usize, f32) {
    let limits = TreeLimits { nodes: 1 << 16, edges: 1 << 19, leaves: 1 };
    let mut tree = [Tree::new(game, Puct::default(), limits).unwrap()];
    assert_eq!(
        BatchSearch::new(simd::level(), 1).search(&mut tree, &mut UniformEvaluator, simulations),
        simulations as usize
    );
    (tree[0].most_visited().unwrap(), tree[0].value().unwrap())
}

#[test]
fn wins_are_taken_and_threats_are_stopped() {
    for (moves, column, why) in [
        ("112233", 4, "wins at once"),
        ("121212", 1, "wins at once, upwards"),
        ("43536", 7, "stops a row that is open on one side alone"),
        ("12171", 1, "stops a column"),
        ("4457", 3, "makes a row of three that is open on both sides"),
    ] {
        let (found, value) = chosen(ConnectFour::from_moves(moves).unwrap(), 3000);
        assert_eq!(found + 1, column, "after {moves} column {column} {why}; value {value}");
    }
}

/// Returns the value of a game state under perfect play, for the player to move: −1, 0 or 1. `known` caches the values
/// of earlier calls.
fn solve(game: ConnectFour, known: &mut HashMap<ConnectFour, i8>) -> i8 {
    if let Some(value) = game.value() {
        return value as i8;
    }
    if let Some(&value) = known.get(&game) {
        return value;
    }
    let mut best = -1;
    for column in [3, 2, 4, 1, 5, 0, 6] {
        if game.is_open(column) {
            best = best.max(-solve(game.after(column), known));
            if best == 1 {
                break;
            }
        }
    }
    known.insert(game, best);
    best
}

#[test]
fn play_is_perfect_if_the_search_reaches_the_end() {
    let mut random = Stream::new(6, 0);
    let mut known = HashMap::new();
    let (mut checked, mut decisive) = (0, 0);
    while checked < 60 {
        // Random moves until few cells are empty.
        let mut game = ConnectFour::START;
        for _ in 0..26 + random.below(6) {
            let open: Vec<_> = (0..COLUMNS).filter(|&column| game.is_open(column)).collect();
            if game.value().is_none() && !open.is_empty() {
                game = game.after(open[random.below(open.len() as u32) as usize]);
            }
        }
        if game.value().is_some() {
            continue;
        }
        let open = (0..COLUMNS).filter(|&column| game.is_open(column));
        let values: Vec<_> = open.map(|column| (column, -solve(game.after(column), &mut known))).collect();
        let best = values.iter().map(|&(_, value)| value).max().unwrap();
        let (found, _) = chosen(game, 4000);
        let value = values.iter().find(|&&(column, _)| column == found).unwrap().1;
        assert_eq!(value, best, "column {} of {values:?} in {game:?}", found + 1);
        checked += 1;
        decisive += usize::from(values.iter().any(|&(_, value)| value != best));
    }
    assert!(decisive > 20, "only {decisive} of {checked} positions have a mistake to make");
}

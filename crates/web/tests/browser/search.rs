//! Test that tree search without a network finds winning moves and stops threats in Connect Four.

use vivarium_envs::connect_four::ConnectFour;
use vivarium_kernels::simd;
use vivarium_mcts::{BatchSearch, Puct, Tree, TreeLimits, UniformEvaluator};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn wins_are_taken_and_threats_are_stopped() {
    const SIMULATIONS: u32 = 3000;
    let limits = TreeLimits { nodes: 1 << 13, edges: 1 << 16, leaves: 1 };
    for (moves, column) in [("112233", 4), ("121212", 1), ("43536", 7), ("12171", 1), ("4457", 3)] {
        let game = ConnectFour::from_moves(moves).expect("a legal game");
        let mut tree = [Tree::new(game, Puct::default(), limits).expect("limits are sound")];
        assert_eq!(
            BatchSearch::new(simd::level(), 1).search(&mut tree, &mut UniformEvaluator, SIMULATIONS),
            SIMULATIONS as usize
        );
        assert_eq!(tree[0].visits(), SIMULATIONS, "after {moves}");
        assert_eq!(tree[0].most_visited().map(|branch| branch + 1), Some(column), "after {moves}");
    }
}

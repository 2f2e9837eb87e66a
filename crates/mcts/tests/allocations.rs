//! Test: simulations and subtree reuse do not allocate. A test binary of its own, because all allocations of the
//! process are counted.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::counted;
use vivarium_envs::backgammon::State;
use vivarium_kernels::simd;
use vivarium_mcts::{BatchSearch, Puct, Tree, TreeLimits, UniformEvaluator};

/// A single test, because concurrent tests would count each other's allocations.
#[test]
fn searches_do_not_allocate() {
    let tree = || Tree::new(State::START, Puct::default(), TreeLimits::default()).unwrap();
    let mut trees = [tree(), tree(), tree()];
    let mut batch = BatchSearch::new(simd::level(), 6);
    let (made, allocated) = counted(|| {
        let mut made = 0;
        for _ in 0..20 {
            made += batch.search(&mut trees, &mut UniformEvaluator, 100);
            for tree in &mut trees {
                let branch = tree.most_visited().unwrap();
                tree.advance(branch).unwrap();
            }
        }
        made
    });
    assert_eq!((made, allocated.count), (6000, 0));
}

//! Forward passes and searches do not allocate. A separate test binary, because it counts all allocations of the
//! process.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::counted;
use vivarium_agents::alphazero::{AlphaZeroNetwork, ForwardPass, NetworkSize, SelfPlayGame};
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_kernels::simd;
use vivarium_mcts::{BatchSearch, Puct, Tree, TreeLimits};

/// Returns the number of heap allocations during tree searches with a network and while its weights are repacked.
fn allocations<G: SelfPlayGame>() -> usize {
    let mut network = AlphaZeroNetwork::<G>::new(NetworkSize::SMALL, 1).unwrap();
    let mut forward = ForwardPass::new(&network, 6);
    let tree = || Tree::new(G::START, Puct::default(), TreeLimits::default()).unwrap();
    // More trees than the batch capacity, and more leaves than the capacity of the forward pass.
    let mut trees: Vec<_> = (0..10).map(|_| tree()).collect();
    let mut batch = BatchSearch::new(simd::level(), 8);
    let mut heads = vec![0.0; 10 * G::HEADS];
    let (mut made, mut weights) = (0, network.weights().to_vec());
    let ((), allocated) = counted(|| {
        for _ in 0..10 {
            made += batch.search(&mut trees, &mut forward.with(&network), 50);
            forward.heads(&network, &[G::START; 10], &mut heads);
            weights[0] += 0.1;
            network.write(&weights);
            for tree in &mut trees {
                let branch = tree.most_visited().unwrap();
                tree.advance(branch).unwrap();
            }
        }
    });
    assert!(made > 4000 && heads.iter().all(|&head| head > 0.0), "{made} simulations, {heads:?}");
    allocated.count
}

/// All checks are in one test, because concurrent tests would count each other's allocations. The thread of the test
/// harness may allocate during some of the five repetitions, so the smallest count must be 0.
#[test]
fn evaluating_allocates_nothing() {
    let fewest = |count: fn() -> usize| (0..5).map(|_| count()).min();
    assert_eq!((fewest(allocations::<State>), fewest(allocations::<ConnectFour>)), (Some(0), Some(0)));
}

//! DQN allocates nothing after warm-up. A separate test binary, since all allocations of the process are counted.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::counted;
use vivarium_agents::Learner;
use vivarium_agents::dqn::{ControlProblem, Dqn, DqnConfig, DqnProblem, DqnWork};
use vivarium_envs::{CartPole, MountainCar};
use vivarium_graph::Cpu;

/// Returns the number of heap allocations during environment steps and gradient steps of DQN, on one thread.
fn allocations<P: DqnProblem>(params: P::Params) -> usize {
    let cpu = Cpu::new(1);
    let config = DqnConfig {
        replay_capacity: 1_000,
        warm_up: 200,
        iteration: 1_000_000,
        target_every: 3,
        ..DqnConfig::default()
    };
    let mut learner = Dqn::<P>::new(config, params, 1).unwrap();
    while learner.counters().updates < 10 {
        learner.advance(&cpu).unwrap();
    }
    let mut work = [0; 2];
    let ((), allocated) = counted(|| {
        for _ in 0..400 {
            work[usize::from(learner.next_work() == DqnWork::Learn)] += 1;
            learner.advance(&cpu).unwrap();
        }
    });
    assert!(work.iter().all(|&slices| slices > 50), "{work:?}");
    allocated.count
}

/// A single test, because concurrent tests would count each other's allocations. The harness's thread may allocate during
/// some repetitions, but not during all.
#[test]
fn a_warm_learner_allocates_nothing() {
    let fewest = |count: fn() -> usize| (0..5).map(|_| count()).min();
    assert_eq!(fewest(|| allocations::<ControlProblem<CartPole>>(Default::default())), Some(0));
    assert_eq!(fewest(|| allocations::<ControlProblem<MountainCar>>(Default::default())), Some(0));
}

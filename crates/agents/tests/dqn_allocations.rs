//! DQN allocates nothing after warm-up. A separate test binary, since all allocations of the process are counted.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::counted;
use vivarium_agents::Learner;
use vivarium_agents::dqn::{ControlProblem, CubeParams, CubeProblem, Dqn, DqnConfig, DqnProblem, DqnWork};
use vivarium_envs::{ActionSpace, CompiledWorld, Environment, each_world};
use vivarium_graph::Cpu;

/// Returns a DQN config with a small replay buffer and a target network that is copied often.
fn config() -> DqnConfig {
    DqnConfig {
        replay_capacity: 1_000,
        warm_up: 200,
        iteration: 1_000_000,
        target_every: 3,
        ..DqnConfig::default()
    }
}

/// Returns the number of heap allocations during 400 calls of `advance` after 10 gradient steps, on one thread. Checks
/// that each kind of work in `kinds` occurs in more than 50 calls, and that no other kind occurs.
fn allocations<P: DqnProblem>(config: DqnConfig, params: P::Params, kinds: &[DqnWork]) -> usize {
    let cpu = Cpu::new(1);
    let mut learner = Dqn::<P>::new(config, params, 1).unwrap();
    while learner.counters().updates < 10 {
        learner.advance(&cpu).unwrap();
    }
    let mut work = [0; 3];
    let ((), allocated) = counted(|| {
        for _ in 0..400 {
            work[learner.next_work() as usize] += 1;
            learner.advance(&cpu).unwrap();
        }
    });
    for kind in [DqnWork::Pretrain, DqnWork::Act, DqnWork::Learn] {
        let calls = work[kind as usize];
        assert!(if kinds.contains(&kind) { calls > 50 } else { calls == 0 }, "{kind:?}: {work:?}");
    }
    allocated.count
}

/// Checks that DQN on the environment `W` does not allocate. DQN requires discrete actions.
fn check<W: CompiledWorld>() {
    let run =
        || allocations::<ControlProblem>(config(), Environment::of::<W>(), &[DqnWork::Act, DqnWork::Learn]);
    if let ActionSpace::Discrete(_) = W::ACTIONS {
        assert_eq!(fewest(run), Some(0), "{}", W::NAME);
    }
}

fn demonstrations() -> usize {
    let config = DqnConfig { hidden: vec![16], minibatch: 16, demonstrations: 1_000_000, ..config() };
    allocations::<CubeProblem>(config, CubeParams::default(), &[DqnWork::Pretrain])
}

/// Returns the smallest count of five repetitions: the thread of the test harness may allocate during some of them.
fn fewest(count: impl Fn() -> usize) -> Option<usize> {
    (0..5).map(|_| count()).min()
}

/// All checks are in one test, because concurrent tests would count each other's allocations.
#[test]
fn a_warm_learner_allocates_nothing() {
    each_world!(check());
    assert_eq!(fewest(demonstrations), Some(0));
}

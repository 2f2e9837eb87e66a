//! PPO solves CartPole on the GPU as on the CPU.

use crate::common::{gpu, iterate};
use vivarium_agents::mean_return;
use vivarium_agents::ppo::{Ppo, PpoConfig, PpoGpuTrainer};
use vivarium_envs::{CartPole, CompiledWorld, Environment};
use vivarium_graph::Cpu;

/// Trains PPO until the mean return of 100 fresh greedy episodes reaches `target`; fails after `budget` environment
/// steps.
fn reaches<W: CompiledWorld>(config: PpoConfig, target: f64, budget: u64) {
    let cpu = Cpu::new(2);
    let mut judge = Ppo::new(config, Environment::of::<W>(), 1).unwrap();
    let mut trainer = PpoGpuTrainer::new(gpu(), &judge).unwrap();
    let mut best = f64::NEG_INFINITY;
    while best < target {
        let report = iterate(&mut trainer);
        judge.adopt(trainer.state()).unwrap();
        let episodes = judge.evaluate(&cpu, 100, report.counters.iterations).unwrap();
        best = best.max(mean_return(&episodes));
        let steps = report.counters.steps;
        assert!(steps < budget, "{}: at best {best} after {steps} steps", W::NAME);
    }
    println!("{}: {target} after {} steps", W::NAME, judge.counters().steps);
}

/// Trains with few environments and many epochs until a mean return of 475. The same config on the CPU takes 14,000 to
/// 25,000 environment steps, depending on the seed.
#[test]
fn cartpole_is_solved() {
    let config = PpoConfig {
        num_envs: 32,
        minibatch: 512,
        epochs: 6,
        hidden: vec![32, 32],
        learning_rate: 5e-3,
        normalize_observations: false,
        ..PpoConfig::default()
    };
    reaches::<CartPole>(config, 475.0, 60_000);
}

//! Small configs shared by CPU and GPU tests.

use vivarium_agents::alphazero::AlphaZeroConfig;
use vivarium_agents::dqn::DqnConfig;

/// Returns a small AlphaZero config with searched and unsearched moves, several workers, matches, and a replay buffer
/// that fills up.
pub fn alphazero() -> AlphaZeroConfig {
    AlphaZeroConfig {
        width: 16,
        blocks: 1,
        workers: 3,
        games: 4,
        simulations: 8,
        search_share: 0.4,
        trace: 0.9,
        final_trace: 0.7,
        trace_samples: 2048,
        replay_capacity: 1024,
        minibatch: 64,
        generation: 512,
        match_every: 2,
        match_pairs: 4,
        ..AlphaZeroConfig::default()
    }
}

/// Returns a small DQN config for fast tests, with all extensions enabled.
pub fn dqn() -> DqnConfig {
    DqnConfig {
        hidden: vec![16, 16],
        num_envs: 10,
        watkins_cutoff: true,
        epsilon: 0.5,
        epsilon_steps: 2_000,
        replay_capacity: 1_000,
        warm_up: 200,
        minibatch: 100,
        target_every: 7,
        iteration: 20,
        ..DqnConfig::default()
    }
}

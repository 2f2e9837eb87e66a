//! Tests of the public interface, in one binary to save link time.

mod alphazero;
mod alphazero_network;
#[path = "../shared/configs.rs"]
mod configs;
mod cube2_evaluation;
mod cube3;
mod decisions;
mod described;
mod distributed;
mod dqn;
mod dqn_cube;
mod dqn_network;
mod exactness;
mod examples;
mod export;
mod learning;
mod network_player;
mod players;

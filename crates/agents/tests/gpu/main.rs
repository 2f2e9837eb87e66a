//! Tests of learners on the GPU, in one binary to save link time.

mod alphazero;
mod common;
#[path = "../shared/configs.rs"]
mod configs;
mod cube3;
mod dqn;
mod learning;
mod life;
mod parity;
mod ppo;
mod tensors;

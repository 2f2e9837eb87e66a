//! Learners on the GPU, in one program, so that it is compiled and linked once.

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

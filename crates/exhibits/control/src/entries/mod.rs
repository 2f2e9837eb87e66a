//! Configs and descriptions of the control experiments.

mod acrobot;
mod cartpole;
pub(crate) mod describe;
pub(crate) mod dqn;
mod frozen_lake;
mod mountain_car;
mod pendulum;
pub(crate) mod ppo;

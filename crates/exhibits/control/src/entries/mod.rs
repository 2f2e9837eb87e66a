//! What configs the control experiments may have, and how these are described.

mod acrobot;
mod cartpole;
pub(crate) mod describe;
pub(crate) mod dqn;
mod mountain_car;
mod pendulum;
pub(crate) mod ppo;

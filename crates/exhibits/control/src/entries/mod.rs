//! What configs the control experiments may have, and what there is to tell of them.

mod acrobot;
mod cartpole;
pub(crate) mod describe;
pub(crate) mod dqn;
mod mountain_car;
mod pendulum;
pub(crate) mod ppo;

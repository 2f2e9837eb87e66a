//! Tests of the inputs and outputs of AlphaZero networks.

mod backgammon;
mod connect_four;
mod forward;

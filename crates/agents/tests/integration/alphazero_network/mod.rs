//! What the network of a game of two players is given, and what comes out.

mod backgammon;
mod connect_four;
mod forward;

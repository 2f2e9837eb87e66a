//! Cubes: compared with stickers rotated in space, known state counts and known sequences.

mod both;
mod notation;
mod slow;
mod stickers;
mod three;
mod two;
mod walks;

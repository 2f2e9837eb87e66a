//! Cubes: compared with stickers rotated in space, known state counts and known sequences.

mod checks;
mod notation;
mod reference;
mod stickers;
mod three;
mod two;
mod walks;

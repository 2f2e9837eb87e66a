//! Cubes against turned stickers in space, counted states and known sequences.

mod both;
mod notation;
mod slow;
mod stickers;
mod three;
mod two;
mod walks;

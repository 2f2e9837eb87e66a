//! The cubes of 2×2×2 and 3×3×3 pieces, as groups of face turns.
//!
//! A [`Turn`] is a turn of one face, and a [`Metric`] says which of them count as one move. [`Cube2`] is a state of the
//! smaller cube, with one corner that stays where it is, so that turns of three faces reach all 3,674,160 of them;
//! [`Distances`] knows how far each is from the solved one. [`Cube3`] is a state of the larger one.
//!
//! ```
//! use vivarium_envs::cube::{Cube2, Distances, Metric, Size, read};
//!
//! let mut cube = Cube2::SOLVED;
//! for turn in read("R U R' U'", Size::Two)? {
//!     cube = cube.turned(turn);
//! }
//! let distances = Distances::new(Metric::Quarter);
//! assert_eq!(distances.of(cube), 4);
//! # Ok::<(), vivarium_envs::cube::NotationError>(())
//! ```

mod distances;
mod notation;
mod pieces;
mod sticker_error;
mod stickers;
mod symmetries;
mod tables;
mod three;
mod turn;
mod two;
mod views;
mod walk;

pub use distances::Distances;
pub use notation::{NotationError, read, write};
pub use sticker_error::StickerError;
pub use symmetries::Symmetries;
pub use tables::Tables;
pub use three::Cube3;
pub use turn::{Face, Metric, Size, Turn};
pub use two::Cube2;
pub use views::View;
pub use walk::{Undo, Walk};

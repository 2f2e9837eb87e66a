//! What can be wrong with a cube that is given by its colors.

use super::turn::Face;

/// A cube that cannot be, or that turns cannot solve. Positions are named by their faces, such as `URF` and `UR`; the
/// colors at a position follow in the order of its name, and are those that were given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StickerError {
    /// Too few stickers or too many.
    #[error("there are {got} stickers; this cube has {expected}")]
    Length {
        /// How many were given.
        got: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A character that is no color.
    #[error("sticker {at} is {character:?}; colors are written as U R F D L B or as W R G Y O B")]
    Color {
        /// Which sticker, counted from 1.
        at: usize,
        /// What it is.
        character: char,
    },
    /// A color that there is too much or too little of.
    #[error("there are {got} {} stickers; each color has {expected}", .color.color())]
    Count {
        /// The color.
        color: Face,
        /// How many there are.
        got: usize,
        /// How many there must be.
        expected: usize,
    },
    /// Two centers of a color.
    #[error("the centers of {first} and {second} are both {}; every center has a color of its own", .color.color())]
    Centers {
        /// One face.
        first: Face,
        /// The other.
        second: Face,
        /// The color.
        color: Face,
    },
    /// Centers in each other's place.
    #[error(
        "two centers are exchanged, {}: once they have changed places, everything else is a cube",
        exchanged(*.first, *.second)
    )]
    ExchangedCenters {
        /// One face.
        first: Face,
        /// The other.
        second: Face,
    },
    /// A corner that does not exist.
    #[error("the corner at {position} is {}: no corner has these colors", named(.colors))]
    NoCorner {
        /// Where it is.
        position: String,
        /// What it shows.
        colors: [Face; 3],
    },
    /// A corner as in a mirror.
    #[error(
        "the corner at {position} is {}: the corner of these colors has them the other way round; two of its stickers are \
         exchanged", named(.colors)
    )]
    MirroredCorner {
        /// Where it is.
        position: String,
        /// What it shows.
        colors: [Face; 3],
    },
    /// An edge that does not exist.
    #[error("the edge at {position} is {}: no edge has these colors", named(.colors))]
    NoEdge {
        /// Where it is.
        position: String,
        /// What it shows.
        colors: [Face; 2],
    },
    /// A piece that is there twice.
    #[error("the pieces at {first} and {second} are both {}: there is only one of these colors", named(.colors))]
    Twice {
        /// One position.
        first: String,
        /// The other.
        second: String,
        /// What the first shows.
        colors: Vec<Face>,
    },
    /// Corners that are twisted by what turns cannot make up for.
    #[error(
        "a corner is twisted {}: every piece is there, but turns cannot solve this cube until one corner is taken out and \
         turned back in its place", if *.clockwise { "clockwise" } else { "counter-clockwise" }
    )]
    Twisted {
        /// Which way.
        clockwise: bool,
    },
    /// Edges of which an odd number is flipped.
    #[error(
        "an edge is flipped: every piece is there, but turns cannot solve this cube until one edge is taken out and put \
         back the other way round"
    )]
    Flipped,
    /// Pieces that need an odd number of swaps.
    #[error(
        "two pieces are swapped: every piece is there, but turns cannot solve this cube until two corners or two edges \
         change places"
    )]
    Swapped,
}

/// Which centers change places. Of opposite ones it may be any two: a cube in a mirror is the same in every mirror.
fn exchanged(first: Face, second: Face) -> String {
    if first.opposite() == second {
        "those of two opposite faces".into()
    } else {
        format!("those of {first} and {second}")
    }
}

/// Colors by their names.
fn named(colors: &[Face]) -> String {
    colors.iter().map(|color| color.color()).collect::<Vec<_>>().join(", ")
}

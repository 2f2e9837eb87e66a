//! What can be wrong with a cube that is given by its colours.

use super::turn::Face;

/// A cube that cannot be, or that turns cannot solve. Positions are named by their faces, such as `URF` and `UR`; the
/// colours at a position follow in the order of its name, and are those that were given.
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
    /// A character that is no colour.
    #[error("sticker {at} is {character:?}; colours are written as U R F D L B or as W R G Y O B")]
    Colour {
        /// Which sticker, counted from 1.
        at: usize,
        /// What it is.
        character: char,
    },
    /// A colour that there is too much or too little of.
    #[error("there are {got} {} stickers; each colour has {expected}", .colour.colour())]
    Count {
        /// The colour.
        colour: Face,
        /// How many there are.
        got: usize,
        /// How many there must be.
        expected: usize,
    },
    /// Two centres of a colour.
    #[error("the centres of {first} and {second} are both {}; every centre has a colour of its own", .colour.colour())]
    Centres {
        /// One face.
        first: Face,
        /// The other.
        second: Face,
        /// The colour.
        colour: Face,
    },
    /// Centres in each other's place.
    #[error(
        "two centres are exchanged, {}: once they have changed places, everything else is a cube",
        exchanged(*.first, *.second)
    )]
    ExchangedCentres {
        /// One face.
        first: Face,
        /// The other.
        second: Face,
    },
    /// A corner that does not exist.
    #[error("the corner at {position} is {}: no corner has these colours", named(.colours))]
    NoCorner {
        /// Where it is.
        position: String,
        /// What it shows.
        colours: [Face; 3],
    },
    /// A corner as in a mirror.
    #[error(
        "the corner at {position} is {}: the corner of these colours has them the other way round; two of its stickers are \
         exchanged", named(.colours)
    )]
    MirroredCorner {
        /// Where it is.
        position: String,
        /// What it shows.
        colours: [Face; 3],
    },
    /// An edge that does not exist.
    #[error("the edge at {position} is {}: no edge has these colours", named(.colours))]
    NoEdge {
        /// Where it is.
        position: String,
        /// What it shows.
        colours: [Face; 2],
    },
    /// A piece that is there twice.
    #[error("the pieces at {first} and {second} are both {}: there is only one of these colours", named(.colours))]
    Twice {
        /// One position.
        first: String,
        /// The other.
        second: String,
        /// What the first shows.
        colours: Vec<Face>,
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

/// Which centres change places. Of opposite ones it may be any two: a cube in a mirror is the same in every mirror.
fn exchanged(first: Face, second: Face) -> String {
    if first.opposite() == second {
        "those of two opposite faces".into()
    } else {
        format!("those of {first} and {second}")
    }
}

/// Colours by their names.
fn named(colours: &[Face]) -> String {
    colours.iter().map(|colour| colour.colour()).collect::<Vec<_>>().join(", ")
}

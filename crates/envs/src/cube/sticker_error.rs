//! Validation errors of a cube given by its sticker colors.

use super::turn::Face;

/// Validation error of sticker colors: the colors do not form a cube, or turns cannot solve the cube.
///
/// Positions are named by their faces, such as `URF` and `UR`; the colors at a position are listed in the order of
/// its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StickerError {
    /// Wrong number of stickers.
    #[error("there are {got} stickers; this cube has {expected}")]
    Length {
        /// Number of stickers given.
        got: usize,
        /// Number of stickers of a cube of the required size.
        expected: usize,
    },
    /// A character that is not the initial of a face or color.
    #[error("sticker {at} is {character:?}; colors are written as U R F D L B or as W R G Y O B")]
    Color {
        /// Index of the invalid sticker in the list of stickers, counted from 1; blanks do not count.
        at: usize,
        /// The invalid character.
        character: char,
    },
    /// Color with too many or too few stickers.
    #[error("there are {got} {} stickers; each color has {expected}", .color.color())]
    Count {
        /// Color with the wrong number of stickers.
        color: Face,
        /// Number of stickers of the color `color`.
        got: usize,
        /// Number of stickers that each color has.
        expected: usize,
    },
    /// Two faces whose centers have the same color.
    #[error("the centers of {first} and {second} are both {}; every center has a color of its own", .color.color())]
    Centers {
        /// The first of the two faces whose centers have the same color.
        first: Face,
        /// The second of the two faces whose centers have the same color.
        second: Face,
        /// Color that both centers have.
        color: Face,
    },
    /// Two centers whose exchange would make the cube valid.
    #[error(
        "two centers are exchanged: {}; swap their colors and the cube is valid",
        exchanged(*.first, *.second)
    )]
    ExchangedCenters {
        /// Face of the first exchanged center.
        first: Face,
        /// Face of the second exchanged center.
        second: Face,
    },
    /// Corner with a combination of colors that no corner has.
    #[error("the corner at {position} is {}: no corner has these colors", named(.colors))]
    NoCorner {
        /// Name of the corner's position, such as `URF`.
        position: String,
        /// Colors of the corner's stickers, in the order of the position's name.
        colors: [Face; 3],
    },
    /// Corner whose colors are in the wrong rotational order.
    #[error(
        "the corner at {position} is {}: its colors are in the wrong rotational order; swap two of its \
         stickers", named(.colors)
    )]
    MirroredCorner {
        /// Name of the corner's position, such as `URF`.
        position: String,
        /// Colors of the corner's stickers, in the order of the position's name.
        colors: [Face; 3],
    },
    /// Edge with a combination of colors that no edge has.
    #[error("the edge at {position} is {}: no edge has these colors", named(.colors))]
    NoEdge {
        /// Name of the edge's position, such as `UR`.
        position: String,
        /// Colors of the edge's stickers, in the order of the position's name.
        colors: [Face; 2],
    },
    /// Two pieces with the same set of colors.
    #[error("the pieces at {first} and {second} are both {}: there is only one of these colors", named(.colors))]
    Twice {
        /// Name of the first of the two positions of the repeated piece.
        first: String,
        /// Name of the second of the two positions of the repeated piece.
        second: String,
        /// Colors of the repeated piece.
        colors: Vec<Face>,
    },
    /// The corner twists do not sum to a multiple of 3. Turns cannot solve the cube.
    #[error(
        "a corner is twisted {}: turns cannot solve this cube; rotate any one corner {} in its place to \
         make it solvable", if *.clockwise { "clockwise" } else { "counter-clockwise" },
        if *.clockwise { "counter-clockwise" } else { "clockwise" }
    )]
    Twisted {
        /// Direction of the twist, if only one corner is twisted: `true` if clockwise.
        clockwise: bool,
    },
    /// The number of flipped edges is odd. Turns cannot solve the cube.
    #[error(
        "an edge is flipped: turns cannot solve this cube; flip any one edge in its place to make it solvable"
    )]
    Flipped,
    /// The permutation of the pieces is odd. Turns cannot solve the cube.
    #[error(
        "two pieces are swapped: turns cannot solve this cube; swap two corners or two edges to make it solvable"
    )]
    Swapped,
}

/// Returns the part of the error message that names the exchanged centers. Opposite faces are not named: exchanging any
/// opposite pair mirrors the cube, so the pair is not unique.
fn exchanged(first: Face, second: Face) -> String {
    if first.opposite() == second { "two opposite faces".into() } else { format!("{first} and {second}") }
}

/// Returns the names of the colors, separated by commas.
fn named(colors: &[Face]) -> String {
    colors.iter().map(|color| color.color()).collect::<Vec<_>>().join(", ")
}

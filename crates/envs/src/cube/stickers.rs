//! Cubes that are given by the colors of their stickers.

use super::pieces::{
    CORNER_STICKERS, CORNER_TURNS, CORNERS, EDGE_STICKERS, EDGES, PLACES, corner_name, edge_name,
};
use super::sticker_error::StickerError;
use super::three::{Cube3, is_odd};
use super::turn::Face;
use super::two::{Cube2, STICKERS as CORNER_STICKERS_OF_TWO};

impl Cube2 {
    /// The state that shows these colors, listed as by [`stickers`](Self::stickers): initials of faces or of colors,
    /// blanks ignored. The cube may be held in any way; it is turned so that the yellow, blue and orange corner comes to
    /// the bottom, back and left.
    ///
    /// # Errors
    /// [`StickerError`] saying what about the cube is impossible.
    pub fn from_stickers(text: &str) -> Result<Self, StickerError> {
        let given: [Face; Self::STICKERS] = read(text)?;
        count(&given)?;
        let places = corners(&given, &given, &CORNER_STICKERS_OF_TWO)?;
        twist(&places)?;
        Ok(Self::from_places(&held_by_the_last(places)))
    }
}

impl Cube3 {
    /// The state that shows these colors, listed as by [`stickers`](Self::stickers): initials of faces or of colors,
    /// blanks ignored. The cube may be held in any way, and need not have the usual colors next to each other: a
    /// face's color is that of its center.
    ///
    /// # Errors
    /// [`StickerError`] saying what about the cube is impossible.
    pub fn from_stickers(text: &str) -> Result<Self, StickerError> {
        let given: [Face; Self::STICKERS] = read(text)?;
        let faces = by_centers(&given)?;
        count(&given)?;
        Self::with_centers(&given, faces).map_err(|error| match exchanged_centers(&given, faces) {
            Some([first, second]) => StickerError::ExchangedCenters { first, second },
            None => error,
        })
    }

    /// The state that shows `given`, of whose colors `faces` says on which face their centers are.
    fn with_centers(given: &[Face; Self::STICKERS], faces: [Face; 6]) -> Result<Self, StickerError> {
        let meant = given.map(|color| faces[color as usize]);
        let corners = corners(given, &meant, &CORNER_STICKERS)?;
        let edges = edges(given, &meant)?;
        twist(&corners)?;
        if edges.iter().sum::<u8>() % 2 == 1 {
            return Err(StickerError::Flipped);
        }
        if is_odd(corners.map(|place| place / 3)) != is_odd(edges.map(|place| place / 2)) {
            return Err(StickerError::Swapped);
        }
        Ok(Self::from_places(corners, edges))
    }
}

/// The colors that a text lists.
fn read<const N: usize>(text: &str) -> Result<[Face; N], StickerError> {
    let mut colors = Vec::with_capacity(N);
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        let color = Face::from_letter(character);
        colors.push(color.ok_or(StickerError::Color { at: colors.len() + 1, character })?);
    }
    colors.try_into().map_err(|colors: Vec<_>| StickerError::Length { got: colors.len(), expected: N })
}

/// There is as much of each color as there must be.
fn count(colors: &[Face]) -> Result<(), StickerError> {
    let expected = colors.len() / Face::ALL.len();
    for color in Face::ALL {
        let got = colors.iter().filter(|&&other| other == color).count();
        if got != expected {
            return Err(StickerError::Count { color, got, expected });
        }
    }
    Ok(())
}

/// For each color, the face whose center has it.
fn by_centers(given: &[Face; Cube3::STICKERS]) -> Result<[Face; 6], StickerError> {
    let mut faces = [None; 6];
    for face in Face::ALL {
        let color = given[9 * face as usize + 4];
        if let Some(first) = faces[color as usize].replace(face) {
            return Err(StickerError::Centers { first, second: face, color });
        }
    }
    // Six different ones of six.
    Ok(faces.map(|face| face.unwrap_or(Face::U)))
}

/// The two faces whose centers, put in each other's place, make a cube of colors that else is none.
fn exchanged_centers(given: &[Face; Cube3::STICKERS], faces: [Face; 6]) -> Option<[Face; 2]> {
    let pairs = (0..6).flat_map(|first| (first + 1..6).map(move |second| (first, second)));
    { pairs }.find_map(|(first, second)| {
        let mut exchanged = faces;
        exchanged.swap(first, second);
        let mut on = [faces[first], faces[second]];
        on.sort_by_key(|&face| face as u8);
        Cube3::with_centers(given, exchanged).is_ok().then_some(on)
    })
}

/// The place of each corner. `given` is what errors show, `meant` the same in the usual colors; `stickers` says where
/// each sticker of a corner is among them.
fn corners(
    given: &[Face],
    meant: &[Face],
    stickers: &[u8; PLACES],
) -> Result<[u8; CORNERS.len()], StickerError> {
    let mut places = [None; CORNERS.len()];
    for position in 0..CORNERS.len() {
        let shown = |colors: &[Face]| [0, 1, 2].map(|k| colors[usize::from(stickers[3 * position + k])]);
        let [a, b, c] = shown(meant);
        let find = |colors: [Face; 3]| CORNERS.iter().position(|corner| *corner == colors);
        let found = [[a, b, c], [b, c, a], [c, a, b]].map(find);
        let Some((twist, corner)) = (0..).zip(found).find_map(|(twist, corner)| Some((twist, corner?)))
        else {
            let mirrored = [[a, c, b], [c, b, a], [b, a, c]].into_iter().find_map(find);
            let (position, colors) = (corner_name(position), shown(given));
            return Err(match mirrored {
                Some(_) => StickerError::MirroredCorner { position, colors },
                None => StickerError::NoCorner { position, colors },
            });
        };
        if let Some(first) = places[corner].replace(3 * position as u8 + twist) {
            let [first, second] = [usize::from(first / 3), position].map(corner_name);
            return Err(StickerError::Twice { first, second, colors: shown(given).into() });
        }
    }
    // Eight different ones of eight.
    Ok(places.map(Option::unwrap_or_default))
}

/// The place of each edge.
fn edges(given: &[Face], meant: &[Face]) -> Result<[u8; EDGES.len()], StickerError> {
    let mut places = [None; EDGES.len()];
    for position in 0..EDGES.len() {
        let shown = |colors: &[Face]| [0, 1].map(|k| colors[usize::from(EDGE_STICKERS[2 * position + k])]);
        let [a, b] = shown(meant);
        let find = |colors: [Face; 2]| EDGES.iter().position(|edge| *edge == colors);
        let (edge, flip) = match (find([a, b]), find([b, a])) {
            (Some(edge), _) => (edge, 0),
            (_, Some(edge)) => (edge, 1),
            _ => {
                return Err(StickerError::NoEdge { position: edge_name(position), colors: shown(given) });
            }
        };
        if let Some(first) = places[edge].replace(2 * position as u8 + flip) {
            let [first, second] = [usize::from(first / 2), position].map(edge_name);
            return Err(StickerError::Twice { first, second, colors: shown(given).into() });
        }
    }
    // Twelve different ones of twelve.
    Ok(places.map(Option::unwrap_or_default))
}

/// The corners' twists add up to whole turns.
fn twist(places: &[u8]) -> Result<(), StickerError> {
    match places.iter().map(|place| place % 3).sum::<u8>() % 3 {
        0 => Ok(()),
        twist => Err(StickerError::Twisted { clockwise: twist == 1 }),
    }
}

/// The same cube of 2×2×2 held so that its last corner is in its place.
fn held_by_the_last(mut places: [u8; CORNERS.len()]) -> [u8; CORNERS.len()] {
    // Turning the whole cube is turning two layers the same way: R and L' about one axis, U and D' about another.
    const ABOUT_R: [usize; 2] = [3, 14];
    const ABOUT_U: [usize; 2] = [0, 11];
    const LAST: usize = CORNERS.len() - 1;
    let turn = |places: [u8; CORNERS.len()], about: [usize; 2]| {
        places.map(|place| about.iter().fold(place, |place, &turn| CORNER_TURNS[turn][usize::from(place)]))
    };
    // Any of the 24 ways to hold it is among those that these lead through.
    for _ in 0..4 {
        for _ in 0..4 {
            for _ in 0..4 {
                if usize::from(places[LAST]) == 3 * LAST {
                    return places;
                }
                places = turn(places, ABOUT_U);
            }
            places = turn(places, ABOUT_R);
        }
        places = turn(places, ABOUT_U);
    }
    places
}

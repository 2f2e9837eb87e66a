//! Parsing and validation of cubes given by sticker colors.

use super::cube2::{Cube2, STICKERS as CORNER_STICKERS_OF_TWO};
use super::cube3::{Cube3, is_odd};
use super::pieces::{
    CORNER_STICKERS, CORNER_TURNS, CORNERS, EDGE_STICKERS, EDGES, PLACES, corner_name, edge_name,
};
use super::sticker_error::StickerError;
use super::turn::Face;

impl Cube2 {
    /// Parses sticker colors in the order of [`stickers`](Self::stickers), as initials of faces or of colors; blanks
    /// are ignored. The cube may be held in any orientation; the parser rotates the cube so that the yellow-blue-orange
    /// corner is down, back and left.
    ///
    /// # Errors
    /// [`StickerError`] with the reason why the cube is impossible.
    pub fn from_stickers(text: &str) -> Result<Self, StickerError> {
        let given: [Face; Self::STICKERS] = read(text)?;
        count(&given)?;
        let places = corners(&given, &given, &CORNER_STICKERS_OF_TWO)?;
        twist(&places)?;
        Ok(Self::from_places(&rotate_to_fixed_corner(places)))
    }
}

impl Cube3 {
    /// Parses sticker colors in the order of [`stickers`](Self::stickers), as initials of faces or of colors; blanks
    /// are ignored. The cube may be held in any orientation and have any color scheme: the color of a face is the
    /// color of its center.
    ///
    /// # Errors
    /// [`StickerError`] with the reason why the cube is impossible.
    pub fn from_stickers(text: &str) -> Result<Self, StickerError> {
        let given: [Face; Self::STICKERS] = read(text)?;
        let faces = by_centers(&given)?;
        count(&given)?;
        Self::with_centers(&given, faces).map_err(|error| match exchanged_centers(&given, faces) {
            Some([first, second]) => StickerError::ExchangedCenters { first, second },
            None => error,
        })
    }

    /// Returns the state with the sticker colors `given`. `faces` maps each color to the face whose center has that
    /// color.
    fn with_centers(given: &[Face; Self::STICKERS], faces: [Face; 6]) -> Result<Self, StickerError> {
        let sticker_faces = given.map(|color| faces[color as usize]);
        let corners = corners(given, &sticker_faces, &CORNER_STICKERS)?;
        let edges = edges(given, &sticker_faces)?;
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

/// Parses `N` sticker colors, given as initials of faces or of colors. Blanks are ignored.
fn read<const N: usize>(text: &str) -> Result<[Face; N], StickerError> {
    let mut colors = Vec::with_capacity(N);
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        let color = Face::from_letter(character);
        colors.push(color.ok_or(StickerError::Color { at: colors.len() + 1, character })?);
    }
    colors.try_into().map_err(|colors: Vec<_>| StickerError::Length { got: colors.len(), expected: N })
}

/// Returns an error unless each color occurs on equally many stickers.
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

/// Returns, for each color, the face whose center has that color; an error if two centers have the same color.
fn by_centers(given: &[Face; Cube3::STICKERS]) -> Result<[Face; 6], StickerError> {
    let mut faces = [None; 6];
    for face in Face::ALL {
        let color = given[9 * face as usize + 4];
        if let Some(first) = faces[color as usize].replace(face) {
            return Err(StickerError::Centers { first, second: face, color });
        }
    }
    // All six centers differ, so every entry is set.
    Ok(faces.map(|face| face.unwrap_or(Face::U)))
}

/// Returns two faces of an invalid cube that becomes valid if the centers of these faces are exchanged; `None` if there
/// is no such pair.
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

/// Returns the place of each corner: its position and orientation as one number below 24 (see
/// [`pieces`](super::pieces)). `colors` holds the sticker colors as entered, which appear in error messages. `faces`
/// holds the face that each sticker belongs to when the cube is solved. `stickers` holds the index of each corner
/// sticker in both arrays.
fn corners(
    colors: &[Face],
    faces: &[Face],
    stickers: &[u8; PLACES],
) -> Result<[u8; CORNERS.len()], StickerError> {
    let mut places = [None; CORNERS.len()];
    for position in 0..CORNERS.len() {
        let shown = |colors: &[Face]| [0, 1, 2].map(|k| colors[usize::from(stickers[3 * position + k])]);
        let [a, b, c] = shown(faces);
        let find = |colors: [Face; 3]| CORNERS.iter().position(|corner| *corner == colors);
        let found = [[a, b, c], [b, c, a], [c, a, b]].map(find);
        let Some((twist, corner)) = (0..).zip(found).find_map(|(twist, corner)| Some((twist, corner?)))
        else {
            let mirrored = [[a, c, b], [c, b, a], [b, a, c]].into_iter().find_map(find);
            let (position, colors) = (corner_name(position), shown(colors));
            return Err(match mirrored {
                Some(_) => StickerError::MirroredCorner { position, colors },
                None => StickerError::NoCorner { position, colors },
            });
        };
        if let Some(first) = places[corner].replace(3 * position as u8 + twist) {
            let [first, second] = [usize::from(first / 3), position].map(corner_name);
            return Err(StickerError::Twice { first, second, colors: shown(colors).into() });
        }
    }
    // All eight corners differ, so every entry is set.
    Ok(places.map(Option::unwrap_or_default))
}

/// Returns the place of each edge: its position and orientation as one number below 24 (see [`pieces`](super::pieces)).
/// `colors` holds the sticker colors as entered, which appear in error messages. `faces` holds the face that each
/// sticker belongs to when the cube is solved.
fn edges(colors: &[Face], faces: &[Face]) -> Result<[u8; EDGES.len()], StickerError> {
    let mut places = [None; EDGES.len()];
    for position in 0..EDGES.len() {
        let shown = |colors: &[Face]| [0, 1].map(|k| colors[usize::from(EDGE_STICKERS[2 * position + k])]);
        let [a, b] = shown(faces);
        let find = |colors: [Face; 2]| EDGES.iter().position(|edge| *edge == colors);
        let (edge, flip) = match (find([a, b]), find([b, a])) {
            (Some(edge), _) => (edge, 0),
            (_, Some(edge)) => (edge, 1),
            _ => {
                return Err(StickerError::NoEdge { position: edge_name(position), colors: shown(colors) });
            }
        };
        if let Some(first) = places[edge].replace(2 * position as u8 + flip) {
            let [first, second] = [usize::from(first / 2), position].map(edge_name);
            return Err(StickerError::Twice { first, second, colors: shown(colors).into() });
        }
    }
    // All twelve edges differ, so every entry is set.
    Ok(places.map(Option::unwrap_or_default))
}

/// Returns an error unless the corner twists sum to a multiple of 3. `places` holds the position and orientation of
/// each corner.
fn twist(places: &[u8]) -> Result<(), StickerError> {
    match places.iter().map(|place| place % 3).sum::<u8>() % 3 {
        0 => Ok(()),
        twist => Err(StickerError::Twisted { clockwise: twist == 1 }),
    }
}

/// Rotates a whole 2×2×2 cube such that the last corner (down-back-left) is placed as in the solved cube. `places`
/// holds the place (position and orientation) of each corner.
fn rotate_to_fixed_corner(mut places: [u8; CORNERS.len()]) -> [u8; CORNERS.len()] {
    // Opposite turns of opposite faces rotate a whole 2×2×2 cube: R and L' about one axis, U and D' about another. The
    // numbers are indices of `FaceTurn::index`.
    const ABOUT_R: [usize; 2] = [3, 14];
    const ABOUT_U: [usize; 2] = [0, 11];
    const LAST: usize = CORNERS.len() - 1;
    let turn = |places: [u8; CORNERS.len()], about: [usize; 2]| {
        places.map(|place| about.iter().fold(place, |place, &turn| CORNER_TURNS[turn][usize::from(place)]))
    };
    // These rotations pass through all 24 orientations.
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

//! Notation of plays: `24/18*/13`, `bar/20(2)`, `6/off`.

use super::board::Board;
use super::dice::Roll;
use super::plays::{CheckerMove, Moves, Play, Plays};
use super::position::Position;
use super::side::{BAR, OFF, PLACES};

/// Notation of the play without moves, which is made if no checker can move.
const NO_MOVE: &str = "no move";

/// Parse error of a play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayNotationError {
    /// A part of the parsed text, between blanks or commas, is not a move.
    #[error("{part:?} is not a move; moves are written as 24/18, 24/18*/13, bar/20(2) or 6/off")]
    Part {
        /// The invalid part of the parsed text.
        part: String,
    },
    /// The moves in the text are not a legal play of the roll.
    #[error("{text:?} is not among the legal plays of {roll} here; there are {plays}, such as {example:?}")]
    Illegal {
        /// The parsed text.
        text: String,
        /// Roll that the moves were checked against.
        roll: Roll,
        /// Number of legal plays of the roll.
        plays: usize,
        /// Notation of one of the legal plays.
        example: String,
    },
    /// The text marks a hit on a point without a blot of the opponent.
    #[error("{text:?} marks a hit on point {point}, where no checker is hit; omit the star")]
    NoHit {
        /// The parsed text.
        text: String,
        /// The marked point.
        point: u32,
    },
    /// Several legal plays fit the text.
    #[error("{text:?} may mean {first:?} or {second:?}; write the points where a checker hits, with a star")]
    Ambiguous {
        /// The parsed text.
        text: String,
        /// Notation of one of the legal plays that fit the text.
        first: String,
        /// Notation of another legal play that fits the text.
        second: String,
    },
}

/// Path of a checker: `stops` lists its points (1 to 24, bar or off) from start to destination; the bit mask `hits`
/// marks the points where the checker hits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CheckerPath {
    stops: Vec<usize>,
    hits: u32,
}

impl Play {
    /// Returns the notation of the play in GNU Backgammon's style, for example `24/18*/13` or `6/4(2)`.
    ///
    /// The rearmost checker comes first. The moves of one checker are joined; an intermediate point is written only if
    /// the checker hits there. A star follows each hit, and a count follows a move that several checkers make.
    /// `before` is the position in which the play is made.
    pub fn notation(&self, before: &Position) -> String {
        let mut written: Vec<(CheckerPath, usize)> = Vec::new();
        for mut path in paths(before, &self.moves) {
            let last = path.stops.len() - 1;
            let mut at = 0;
            path.stops.retain(|stop| {
                at += 1;
                at == 1 || at == last + 1 || path.hits >> stop & 1 != 0
            });
            // Equal moves of a double: only the first move can hit.
            let ends = |path: &CheckerPath| (path.stops[0], path.stops[path.stops.len() - 1]);
            match written.iter_mut().find(|(other, _)| ends(other) == ends(&path)) {
                Some((_, count)) => *count += 1,
                None => written.push((path, 1)),
            }
        }
        if written.is_empty() {
            return NO_MOVE.to_owned();
        }
        let write = |(path, count): &(CheckerPath, usize)| {
            let stop = |&place: &usize| match path.hits >> place & 1 {
                0 => place_name(place),
                _ => place_name(place) + "*",
            };
            let stops: Vec<_> = path.stops.iter().map(stop).collect();
            let times = if *count > 1 { format!("({count})") } else { String::new() };
            stops.join("/") + &times
        };
        written.iter().map(write).collect::<Vec<_>>().join(" ")
    }

    /// Returns all moves of the play one by one in a playable order, for example `24/18 18/13` or `bar/20 bar/20 6/1 6/1`;
    /// an empty text if no checker can move.
    pub fn separate_moves(&self) -> String {
        let one =
            |one: &CheckerMove| format!("{}/{}", place_name(one.from.into()), place_name(one.to().into()));
        self.moves.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the notation of a place (0 off, 1 to 24 points, 25 bar): the number of a point, `bar` or `off`.
pub(crate) fn place_name(place: usize) -> String {
    match place {
        OFF => "off".to_owned(),
        BAR => "bar".to_owned(),
        point => point.to_string(),
    }
}

/// Joins the successive moves of each checker to a path, and returns the paths, rearmost checker first.
fn paths(before: &Position, moves: &Moves) -> Vec<CheckerPath> {
    let mut paths: Vec<CheckerPath> = Vec::new();
    let mut board = Board::new(before);
    // Moves from higher points first: the list then contains the moves of one checker in the order in which the checker
    // makes them.
    let mut moves = moves.to_vec();
    moves.sort_by_key(|one| std::cmp::Reverse(one.from));
    for one in moves {
        let (from, to) = (usize::from(one.from), usize::from(one.to()));
        let hits = u32::from(board.hits(to)) << to;
        board = board.moved(from, one.die.into());
        // A checker that has just arrived at a place continues its path.
        match paths.iter_mut().find(|path| path.stops.last() == Some(&from)) {
            Some(path) => {
                path.stops.push(to);
                path.hits |= hits;
            }
            None => paths.push(CheckerPath { stops: vec![from, to], hits }),
        }
    }
    paths.sort_by_key(|path| std::cmp::Reverse((path.stops[0], path.stops[path.stops.len() - 1])));
    paths
}

impl Plays {
    /// Parses the notation of a play, for example `24/18*/13`, `bar/20(2)` or `6/off`, and returns the play.
    ///
    /// `before` is the position for which this list of plays was generated. The order of the checkers in the text is
    /// irrelevant. Intermediate points and the stars of hits may be omitted if the text remains unambiguous.
    ///
    /// # Errors
    /// [`PlayNotationError`] if the text is malformed, or if no legal play or several legal plays fit the text.
    pub fn find(&self, before: &Position, text: &str) -> Result<Play, PlayNotationError> {
        let written = parse(text)?;
        let board = Board::new(before);
        // Plays are compared by their effect: the change of the number of checkers on each point, on the bar and off,
        // and the points where blots are hit. A checker hits at each written stop that holds a blot, with or without a
        // star.
        let mut change = [0i32; PLACES];
        let (mut stars, mut hits) = (0, 0);
        for path in &written {
            change[path.stops[0]] -= 1;
            change[path.stops[path.stops.len() - 1]] += 1;
            stars |= path.hits;
            hits |= path.stops[1..].iter().fold(0, |mask, &stop| mask | u32::from(board.hits(stop)) << stop);
        }
        let mut meant: Vec<(Play, u32)> = Vec::new();
        if written.iter().all(|path| can_stop(path, &board, self.roll())) {
            for play in self.iter() {
                let after = play.after.mine.counts();
                let same = |place: usize| {
                    i32::from(after[place]) == i32::from(before.mine.count(place)) + change[place]
                };
                let hit = paths(before, &play.moves).iter().fold(0, |mask, path| mask | path.hits);
                if hits & !hit == 0 && (0..PLACES).all(same) {
                    meant.push((*play, hit));
                }
            }
        }
        let exact = meant.iter().find(|(_, hit)| *hit == hits);
        match (exact, meant.as_slice()) {
            (Some((play, _)), _) | (None, [(play, _)]) if stars & !hits == 0 => Ok(*play),
            (Some(_), _) | (None, [_]) => Err(PlayNotationError::NoHit {
                text: text.to_owned(),
                point: (stars & !hits).trailing_zeros(),
            }),
            (None, []) => Err(PlayNotationError::Illegal {
                text: text.to_owned(),
                roll: self.roll(),
                plays: self.len(),
                example: self.first().map_or(NO_MOVE.to_owned(), |play| play.notation(before)),
            }),
            (None, [(first, _), (second, _), ..]) => Err(PlayNotationError::Ambiguous {
                text: text.to_owned(),
                first: first.notation(before),
                second: second.notation(before),
            }),
        }
    }
}

/// Returns whether each stop written in the notation is reachable. A stop is reachable under two conditions: the
/// opponent has not made the point, and dice of the roll add up to the distance between the stop and the previous stop.
fn can_stop(path: &CheckerPath, board: &Board, roll: Roll) -> bool {
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    path.stops.windows(2).all(|stops| {
        let pips = stops[0] - stops[1];
        let of_dice = if roll.is_double() {
            pips.is_multiple_of(high) && pips / high <= 4
        } else {
            [high, low, high + low].contains(&pips)
        };
        stops[1] == OFF || (of_dice && !board.blocks(stops[1]))
    })
}

/// Parses the notation of a play into one path per checker.
fn parse(text: &str) -> Result<Vec<CheckerPath>, PlayNotationError> {
    let mut paths = Vec::new();
    if text.trim().is_empty() || text.trim().eq_ignore_ascii_case(NO_MOVE) {
        return Ok(paths);
    }
    for part in text.split([' ', ',', '\t']).filter(|part| !part.is_empty()) {
        let (path, count) =
            parse_part(part).ok_or_else(|| PlayNotationError::Part { part: part.to_owned() })?;
        paths.extend(std::iter::repeat_n(path, count));
    }
    Ok(paths)
}

/// Parses one part of the notation, such as `24/18*(2)`: a path and the number of checkers that take the path.
fn parse_part(part: &str) -> Option<(CheckerPath, usize)> {
    let (stops, count) = match part.strip_suffix(')') {
        Some(open) => {
            let (stops, count) = open.split_once('(')?;
            (stops, count.parse().ok().filter(|count| (1..=4).contains(count))?)
        }
        None => (part, 1),
    };
    let mut path = CheckerPath { stops: Vec::new(), hits: 0 };
    for (index, stop) in stops.split('/').enumerate() {
        let (name, hit) = stop.strip_suffix('*').map_or((stop, false), |name| (name, true));
        // Some programs write 25 for the bar and 0 for off.
        let place = if name.eq_ignore_ascii_case("bar") {
            BAR
        } else if name.eq_ignore_ascii_case("off") {
            OFF
        } else {
            name.parse().ok().filter(|place| (OFF..=BAR).contains(place))?
        };
        if hit && (index == 0 || place == OFF) || path.stops.last().is_some_and(|&last| last <= place) {
            return None;
        }
        path.hits |= u32::from(hit) << place;
        path.stops.push(place);
    }
    (path.stops.len() > 1).then_some((path, count))
}

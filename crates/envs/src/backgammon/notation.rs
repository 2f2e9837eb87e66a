//! Plays in writing: `24/18*/13`, `bar/20(2)`, `6/off`.

use super::board::Board;
use super::dice::Roll;
use super::plays::{Moves, Play, Plays};
use super::position::Position;
use super::side::{BAR, OFF, PLACES};

/// How a play without moves is written.
const NO_MOVE: &str = "no move";

/// A text that is no play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// A part that is not written as a move.
    #[error("{part:?} is not a move; moves are written as 24/18, 24/18*/13, bar/20(2) or 6/off")]
    Part {
        /// The part.
        part: String,
    },
    /// Moves that the roll does not allow.
    #[error("{text:?} is not among the legal plays of {roll} here; there are {plays}, such as {example:?}")]
    Illegal {
        /// The text.
        text: String,
        /// The roll.
        roll: Roll,
        /// How many legal plays there are.
        plays: usize,
        /// One of them.
        example: String,
    },
    /// Moves that several plays are made of.
    #[error("{text:?} may mean {first:?} or {second:?}; write the points where a checker hits, with a star")]
    Ambiguous {
        /// The text.
        text: String,
        /// One of the plays.
        first: String,
        /// Another one.
        second: String,
    },
}

/// A checker's way: where it starts and stops, and which stops hit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    stops: Vec<usize>,
    hits: u32,
}

impl Play {
    /// The play in writing, as GNU Backgammon writes it: the rearmost checker first, the moves of one checker
    /// together, with a point between only where it hits, a star after each hit, equal moves once with their
    /// number.
    ///
    /// `before` is the position that the play was made in.
    pub fn notation(&self, before: &Position) -> String {
        let mut written: Vec<(Way, usize)> = Vec::new();
        for mut way in ways(before, &self.moves) {
            let last = way.stops.len() - 1;
            let mut at = 0;
            way.stops.retain(|stop| {
                at += 1;
                at == 1 || at == last + 1 || way.hits >> stop & 1 != 0
            });
            // Moves of a double by the same way: the first one hits what there is to hit.
            let ends = |way: &Way| (way.stops[0], way.stops[way.stops.len() - 1]);
            match written.iter_mut().find(|(other, _)| ends(other) == ends(&way)) {
                Some((_, count)) => *count += 1,
                None => written.push((way, 1)),
            }
        }
        if written.is_empty() {
            return NO_MOVE.to_owned();
        }
        let write = |(way, count): &(Way, usize)| {
            let stop = |&place: &usize| match way.hits >> place & 1 {
                0 => place_name(place),
                _ => place_name(place) + "*",
            };
            let stops: Vec<_> = way.stops.iter().map(stop).collect();
            let times = if *count > 1 { format!("({count})") } else { String::new() };
            stops.join("/") + &times
        };
        written.iter().map(write).collect::<Vec<_>>().join(" ")
    }
}

/// How a place is written.
pub(crate) fn place_name(place: usize) -> String {
    match place {
        OFF => "off".to_owned(),
        BAR => "bar".to_owned(),
        point => point.to_string(),
    }
}

/// The ways of the checkers that moves are made of, the rearmost first.
fn ways(before: &Position, moves: &Moves) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    let mut board = Board::new(before);
    // From the rear, so that a checker that comes to a point is moved on rather than another one that was
    // there.
    let mut moves = moves.to_vec();
    moves.sort_by_key(|one| std::cmp::Reverse(one.from));
    for one in moves {
        let (from, to) = (usize::from(one.from), usize::from(one.to()));
        let hits = u32::from(board.hits(to)) << to;
        board = board.moved(from, one.die.into());
        // A checker that has just come to a place is the one that goes on from it.
        match ways.iter_mut().find(|way| way.stops.last() == Some(&from)) {
            Some(way) => {
                way.stops.push(to);
                way.hits |= hits;
            }
            None => ways.push(Way { stops: vec![from, to], hits }),
        }
    }
    ways.sort_by_key(|way| std::cmp::Reverse((way.stops[0], way.stops[way.stops.len() - 1])));
    ways
}

impl Plays {
    /// The play of this list that a text means, such as `24/18*/13`, `bar/20(2)` or `6/off`.
    ///
    /// `before` is the position that the list was made for. The order of the checkers does not matter; a
    /// point where a checker does not stay may be left out, and so may the star of a hit, as long as one play
    /// alone is meant.
    ///
    /// # Errors
    /// [`NotationError`] if the text is no play or if it is not one of these.
    pub fn find(&self, before: &Position, text: &str) -> Result<Play, NotationError> {
        let written = parse(text)?;
        let board = Board::new(before);
        // Which play is meant is decided by what it does: how many checkers leave and come, and what is hit. A
        // checker hits wherever it was written to stop on a single one, with a star or without.
        let mut change = [0i32; PLACES];
        let (mut stars, mut hits) = (0, 0);
        for way in &written {
            change[way.stops[0]] -= 1;
            change[way.stops[way.stops.len() - 1]] += 1;
            stars |= way.hits;
            hits |= way.stops[1..].iter().fold(0, |mask, &stop| mask | u32::from(board.hits(stop)) << stop);
        }
        let mut meant: Vec<(Play, u32)> = Vec::new();
        if stars & !hits == 0 && written.iter().all(|way| can_stop(way, &board, self.roll())) {
            for play in self.iter() {
                let after = play.after.mine.counts();
                let same = |place: usize| {
                    i32::from(after[place]) == i32::from(before.mine.count(place)) + change[place]
                };
                let hit = ways(before, &play.moves).iter().fold(0, |mask, way| mask | way.hits);
                if hits & !hit == 0 && (0..PLACES).all(same) {
                    meant.push((*play, hit));
                }
            }
        }
        let exact = meant.iter().find(|(_, hit)| *hit == hits);
        match (exact, meant.as_slice()) {
            (Some((play, _)), _) | (None, [(play, _)]) => Ok(*play),
            (None, []) => Err(NotationError::Illegal {
                text: text.to_owned(),
                roll: self.roll(),
                plays: self.len(),
                example: self.first().map_or(NO_MOVE.to_owned(), |play| play.notation(before)),
            }),
            (None, [(first, _), (second, _), ..]) => Err(NotationError::Ambiguous {
                text: text.to_owned(),
                first: first.notation(before),
                second: second.notation(before),
            }),
        }
    }
}

/// Whether a checker can stop where it was written to: on no point that the opponent holds, as many pips on
/// as dice of the roll make.
fn can_stop(way: &Way, board: &Board, roll: Roll) -> bool {
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    way.stops.windows(2).all(|stops| {
        let pips = stops[0] - stops[1];
        let of_dice = if roll.is_double() {
            pips.is_multiple_of(high) && pips / high <= 4
        } else {
            [high, low, high + low].contains(&pips)
        };
        stops[1] == OFF || (of_dice && !board.blocks(stops[1]))
    })
}

/// The ways of a text.
fn parse(text: &str) -> Result<Vec<Way>, NotationError> {
    let mut ways = Vec::new();
    if text.trim().is_empty() || text.trim().eq_ignore_ascii_case(NO_MOVE) {
        return Ok(ways);
    }
    for part in text.split([' ', ',', '\t']).filter(|part| !part.is_empty()) {
        let (way, count) = parse_part(part).ok_or_else(|| NotationError::Part { part: part.to_owned() })?;
        ways.extend(std::iter::repeat_n(way, count));
    }
    Ok(ways)
}

/// One way and how often it is gone.
fn parse_part(part: &str) -> Option<(Way, usize)> {
    let (stops, count) = match part.strip_suffix(')') {
        Some(open) => {
            let (stops, count) = open.split_once('(')?;
            (stops, count.parse().ok().filter(|count| (1..=4).contains(count))?)
        }
        None => (part, 1),
    };
    let mut way = Way { stops: Vec::new(), hits: 0 };
    for (index, stop) in stops.split('/').enumerate() {
        let (name, hit) = stop.strip_suffix('*').map_or((stop, false), |name| (name, true));
        let place = if name.eq_ignore_ascii_case("bar") {
            BAR
        } else if name.eq_ignore_ascii_case("off") {
            OFF
        } else {
            name.parse().ok().filter(|place| (1..BAR).contains(place))?
        };
        if hit && (index == 0 || place == OFF) || way.stops.last().is_some_and(|&last| last <= place) {
            return None;
        }
        way.hits |= u32::from(hit) << place;
        way.stops.push(place);
    }
    (way.stops.len() > 1).then_some((way, count))
}

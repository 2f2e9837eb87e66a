//! Placements of the checkers of both players in their home boards that the next rolls can reach.

use crate::backgammon::bearoff::{HOME_POINTS, alone, home_of, positions, rank};
use crate::backgammon::dice::Roll;
use crate::backgammon::plays::Plays;
use crate::backgammon::position::Position;
use crate::backgammon::side::{CHECKERS, Side};

/// Placements of one player in ascending order of rank: each play leads to an earlier placement, and the last placement is the
/// present one.
#[derive(Clone, Default)]
pub struct Placements {
    sides: Vec<Side>,
    /// Indices of the placements that the plays of a roll reach, roll by roll.
    reached: Vec<u32>,
    /// Starts of the rolls in `reached` and end of the last one, by placement; `None` if no plays are stored.
    ranges: Vec<Option<[u32; Roll::COUNT + 1]>>,
}

/// Placements of both players.
pub struct PlacementPair {
    /// Of the player on roll and of the opponent.
    pub players: [Placements; 2],
    /// Whether the plays of all placements up to the end of the game are stored.
    pub is_complete: bool,
}

impl Placements {
    pub fn len(&self) -> usize {
        self.sides.len()
    }

    pub fn side(&self, at: usize) -> Side {
        self.sides[at]
    }

    /// Returns, for each roll, the indices of the placements that its plays reach; `None` if no plays are stored.
    pub fn plays(&self, at: usize) -> Option<impl Iterator<Item = (f32, &[u32])>> {
        let range = self.ranges[at].as_ref()?;
        let plays = range.array_windows().map(|&[start, end]| &self.reached[start as usize..end as usize]);
        Some(Roll::ALL.into_iter().map(Roll::probability).zip(plays))
    }
}

impl PlacementPair {
    /// Finds the placements of both players that the next rolls can reach: as many rolls as `most` pairs of placements allow, at
    /// least one roll of each player. `None` if a player has a checker outside the home board, or none.
    pub fn find(position: &Position, most: usize) -> Option<Self> {
        let is_bearoff = |side: Side| side.highest() <= HOME_POINTS && !side.finished();
        if !is_bearoff(position.mine) || !is_bearoff(position.theirs) {
            return None;
        }
        let mut plays = Plays::new();
        let [mut mine, mut theirs] = [position.mine, position.theirs].map(Discovery::new);
        let mut is_first = true;
        let is_complete = loop {
            if mine.frontier.is_empty() || theirs.frontier.is_empty() {
                break true;
            }
            let before = [mine.clone(), theirs.clone()];
            mine.roll(&mut plays);
            if !mine.frontier.is_empty() {
                theirs.roll(&mut plays);
            }
            if !is_first && mine.placements.len() * theirs.placements.len() > most {
                [mine, theirs] = before;
                break false;
            }
            is_first = false;
        };
        Some(Self { players: [mine, theirs].map(Discovery::sorted), is_complete })
    }
}

/// Placements of one player in the order of discovery.
#[derive(Clone)]
struct Discovery {
    placements: Placements,
    /// Index by rank.
    index: Vec<Option<u32>>,
    /// Placements with checkers after the last roll.
    frontier: Vec<u32>,
}

impl Discovery {
    fn new(side: Side) -> Self {
        let index = vec![None; positions(HOME_POINTS, CHECKERS) as usize];
        let mut discovery = Self { placements: Placements::default(), index, frontier: vec![0] };
        discovery.insert(side);
        discovery
    }

    /// Returns the index of a placement.
    fn insert(&mut self, side: Side) -> u32 {
        let Placements { sides, ranges, .. } = &mut self.placements;
        *self.index[rank_of(side) as usize].get_or_insert_with(|| {
            sides.push(side);
            ranges.push(None);
            sides.len() as u32 - 1
        })
    }

    /// Replaces the placements after the last roll by those after one more roll.
    fn roll(&mut self, plays: &mut Plays) {
        let mut next = Vec::new();
        for at in std::mem::take(&mut self.frontier) {
            let range = match self.placements.ranges[at as usize] {
                Some(range) => range,
                None => self.add_plays(at, plays),
            };
            next.extend_from_slice(&self.placements.reached[range[0] as usize..range[Roll::COUNT] as usize]);
        }
        next.sort_unstable();
        next.dedup();
        next.retain(|&at| !self.placements.sides[at as usize].finished());
        self.frontier = next;
    }

    /// Stores the plays of a placement.
    fn add_plays(&mut self, at: u32, plays: &mut Plays) -> [u32; Roll::COUNT + 1] {
        let position = alone(&home_of(self.placements.sides[at as usize]));
        let mut range = [self.placements.reached.len() as u32; Roll::COUNT + 1];
        for (roll, end) in Roll::ALL.into_iter().zip(&mut range[1..]) {
            plays.generate(&position, roll);
            for play in plays.iter() {
                let reached = self.insert(play.after.mine);
                self.placements.reached.push(reached);
            }
            *end = self.placements.reached.len() as u32;
        }
        self.placements.ranges[at as usize] = Some(range);
        range
    }

    /// Returns the placements in ascending order of rank.
    fn sorted(self) -> Placements {
        let Placements { sides, reached, ranges } = self.placements;
        let mut order: Vec<usize> = (0..sides.len()).collect();
        order.sort_unstable_by_key(|&at| rank_of(sides[at]));
        let mut sorted = vec![0; sides.len()];
        order.iter().enumerate().for_each(|(at, &before)| sorted[before] = at as u32);
        Placements {
            sides: order.iter().map(|&at| sides[at]).collect(),
            reached: reached.into_iter().map(|at| sorted[at as usize]).collect(),
            ranges: order.iter().map(|&at| ranges[at]).collect(),
        }
    }
}

fn rank_of(side: Side) -> u32 {
    rank(&home_of(side), CHECKERS)
}

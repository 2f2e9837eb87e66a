//! Random backgammon positions in which one player holds points in the opponent's home board: back games and ace-point games.

use vivarium_envs::backgammon::{BAR, CHECKERS, OFF, PLACES, Position};
use vivarium_kernels::rng::Stream;

/// Highest point of the home board.
const HOME: usize = 6;
/// Maximum number of checkers that the opponent of the back game has borne off.
const MOST_OFF: u32 = 6;

/// Returns a random position of a back game: one player holds one to three points in the opponent's home board with two or three
/// checkers each. The opponent has brought most checkers past these points, and may have begun to bear off. Each player is on roll
/// with probability 1/2.
pub fn position(random: &mut Stream) -> Position {
    loop {
        let (holder, opponent) = counts(random);
        let (mine, theirs) = if random.uniform() < 0.5 { (holder, opponent) } else { (opponent, holder) };
        // A draw may have both players on one point.
        if let Ok(position) = Position::new(mine, theirs) {
            return position;
        }
    }
}

/// Draws the checkers of the player who holds the points, and of the opponent, each in the player's numbering.
fn counts(random: &mut Stream) -> ([u8; PLACES], [u8; PLACES]) {
    let mut anchors: Vec<usize> = (1..=HOME).collect();
    random.shuffle(&mut anchors);
    anchors.truncate(match random.uniform() {
        ..0.3 => 1,
        0.3..0.9 => 2,
        _ => 3,
    });
    let mut holder = [0; PLACES];
    for anchor in &anchors {
        holder[BAR - anchor] = 2 + u8::from(random.uniform() < 0.3);
    }
    let place = |random: &mut Stream, first: usize, last: usize| {
        first + random.below((last - first + 1) as u32) as usize
    };

    let mut opponent = [0; PLACES];
    if random.uniform() < 0.3 {
        opponent[OFF] = (1 + random.below(MOST_OFF)) as u8;
    }
    let is_home = opponent[OFF] > 0;
    for _ in opponent[OFF]..CHECKERS {
        let at = loop {
            let at = match random.uniform() {
                _ if is_home => place(random, 1, HOME),
                ..0.6 => place(random, 1, HOME),
                0.6..0.9 => place(random, HOME + 1, 12),
                _ => place(random, 13, 18),
            };
            if !anchors.contains(&at) {
                break at;
            }
        };
        opponent[at] += 1;
    }

    let held: u8 = holder.iter().sum();
    for _ in held..CHECKERS {
        let at = loop {
            let at = match random.uniform() {
                ..0.65 => place(random, 1, 8),
                0.65..0.9 => place(random, 9, 13),
                _ => place(random, 14, 18),
            };
            if opponent[BAR - at] == 0 {
                break at;
            }
        };
        holder[at] += 1;
    }
    (holder, opponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::Side;

    /// Number of points that a side has made in the opponent's home board.
    fn anchors(side: Side) -> usize {
        (BAR - HOME..BAR).filter(|&point| side.count(point) >= 2).count()
    }

    #[test]
    fn positions_vary_and_one_player_holds_points() {
        let mut random = Stream::new(1, 0);
        let positions: Vec<_> = (0..1000).map(|_| position(&mut random)).collect();
        let share = |holds: &dyn Fn(&Position) -> bool| {
            positions.iter().filter(|position| holds(position)).count() as f32 / 1000.0
        };
        let held = |position: &Position| anchors(position.mine()).max(anchors(position.theirs()));
        for (points, expected) in [(1, 0.2..0.4), (2, 0.5..0.7), (3, 0.05..0.2)] {
            assert!(expected.contains(&share(&|position| held(position) == points)), "{points} points");
        }
        let on_roll = share(&|position| anchors(position.mine()) > 0);
        assert!((0.4..0.6).contains(&on_roll), "player on roll: {on_roll}");
        assert!(positions.iter().all(|position| position.outcome().is_none()));
        let begun = share(&|position| position.mine().count(OFF) + position.theirs().count(OFF) > 0);
        assert!((0.2..0.4).contains(&begun), "bear-off has begun: {begun}");
    }
}

//! Random backgammon positions in which a checker was hit during the bear-off.

use vivarium_envs::backgammon::{BAR, CHECKERS, OFF, PLACES, POINTS, Position};
use vivarium_kernels::rng::Stream;

/// Highest point of the home board.
const HOME: usize = 6;
/// Maximum number of checkers that the hit player has borne off.
const MOST_OFF: u32 = 13;
/// Minimum number of points of the home board that the player who hit has made.
const FEWEST_MADE: u32 = 3;

/// Returns a random position in which one player was hit during the bear-off: the player has borne off 1 to 13 checkers, and one
/// or two of the others are on the bar or outside the home board. The opponent has made three to six points of the home board. Each
/// player is on roll with probability 1/2.
pub fn position(random: &mut Stream) -> Position {
    loop {
        let (hit, hitter) = counts(random);
        let (mine, theirs) = if random.uniform() < 0.5 { (hit, hitter) } else { (hitter, hit) };
        // A draw may have a hit checker that has passed all checkers of the opponent.
        if let Some(position) = Position::new(mine, theirs).ok().filter(Position::is_bear_off_hit) {
            return position;
        }
    }
}

/// Draws the checkers of the player who was hit, and of the opponent, each in the player's numbering.
fn counts(random: &mut Stream) -> ([u8; PLACES], [u8; PLACES]) {
    let mut hitter = [0; PLACES];
    let mut points: Vec<usize> = (1..=HOME).collect();
    random.shuffle(&mut points);
    points.truncate((FEWEST_MADE + random.below(HOME as u32 - FEWEST_MADE + 1)) as usize);
    points.iter().for_each(|&point| hitter[point] = 2);
    for _ in 2 * points.len()..usize::from(CHECKERS) {
        let place = match random.uniform() {
            // A spare checker on a made point, or in front of the home board.
            ..0.4 => points[random.below(points.len() as u32) as usize],
            0.4..0.7 => 1 + random.below(2 * HOME as u32) as usize,
            // A checker that has hit is in the home board of the player who was hit, or on its way home.
            _ => HOME + 1 + random.below((POINTS - HOME) as u32) as usize,
        };
        hitter[place] += 1;
    }

    let mut hit = [0; PLACES];
    hit[OFF] = (1 + random.below(MOST_OFF)) as u8;
    let outside = if hit[OFF] < MOST_OFF as u8 && random.uniform() < 0.2 { 2 } else { 1 };
    for index in 0..CHECKERS - hit[OFF] {
        let on_bar = index < outside && random.uniform() < 0.6;
        let (first, points) = if index < outside { (HOME + 1, POINTS - HOME) } else { (1, HOME) };
        let free: Vec<_> = (first..first + points).filter(|point| hitter[BAR - point] == 0).collect();
        let place =
            if on_bar || free.is_empty() { BAR } else { free[random.below(free.len() as u32) as usize] };
        hit[place] += 1;
    }
    (hit, hitter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::Side;

    #[test]
    fn positions_vary_and_have_a_hit_checker() {
        let mut random = Stream::new(1, 0);
        let positions: Vec<_> = (0..1000).map(|_| position(&mut random)).collect();
        assert!(positions.iter().all(Position::is_bear_off_hit));
        let hit = |position: &Position| {
            let is_hit = |side: Side| side.count(OFF) > 0;
            if is_hit(position.mine()) { position.mine() } else { position.theirs() }
        };
        let share = |holds: &dyn Fn(&Position) -> bool| {
            positions.iter().filter(|position| holds(position)).count() as f32 / 1000.0
        };
        assert!((0.4..0.6).contains(&share(&|position| position.mine().count(OFF) > 0)), "player on roll");
        assert!((0.3..0.9).contains(&share(&|position| hit(position).count(BAR) > 0)), "checker on the bar");
        for off in 1..=13 {
            assert!(share(&|position| hit(position).count(OFF) == off) > 0.02, "{off} checkers off");
        }
    }
}

//! Tests of the move generator against a slow reference implementation, over 200,000 random positions.

use super::{positions::Positions, slow};
use vivarium_envs::backgammon::{Plays, PositionClass};

const POSITIONS: usize = 200_000;
const THREADS: usize = 4;

/// Coverage of a test of random positions: number of positions in each rare case.
#[derive(Default, Debug)]
struct Seen {
    no_move: usize,
    one_of_two: usize,
    cut_double: usize,
    from_bar: usize,
    bear_off: usize,
    race: usize,
    most: usize,
}

fn check(stream: u32, count: usize) -> Seen {
    let mut positions = Positions::new(11, stream);
    let (mut plays, mut boards) = (Plays::new(), Vec::new());
    let mut seen = Seen::default();
    for _ in 0..count {
        let (position, roll) = positions.next();
        plays.generate(&position, roll);
        boards.clear();
        boards.extend(plays.iter().map(|play| slow::Board::of(&play.after)));
        boards.sort_unstable();
        // The slow list has no duplicates, so duplicates are detected, too.
        assert_eq!(boards, slow::plays(&position, roll), "{roll} in {position:?}, {}", position.id());

        for play in plays.iter() {
            let start = slow::Board::of(&position);
            let made = play.moves.iter().fold(start, |board, one| {
                let next = board.moved(one.from.into(), one.die.into());
                next.unwrap_or_else(|| panic!("{:?} of {roll} in {position:?}", play.moves))
            });
            assert_eq!(made, slow::Board::of(&play.after), "{:?} of {roll} in {position:?}", play.moves);
        }
        let moves = plays[0].moves.len();
        seen.no_move += usize::from(moves == 0);
        seen.one_of_two += usize::from(moves == 1 && !roll.is_double());
        seen.cut_double += usize::from((1..4).contains(&moves) && roll.is_double());
        seen.from_bar += usize::from(slow::Board::of(&position).bar > 0);
        seen.bear_off += usize::from(slow::off(&plays[0].after) > slow::off(&position));
        seen.race += usize::from(position.class() == PositionClass::Race);
        seen.most = seen.most.max(plays.len());
    }
    seen
}

#[test]
fn random_positions_have_the_plays_of_the_slow_generator() {
    let seen: Vec<Seen> = std::thread::scope(|scope| {
        let run = |stream| scope.spawn(move || check(stream as u32, POSITIONS / THREADS));
        let threads: Vec<_> = (0..THREADS).map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let least = |of: fn(&Seen) -> usize| seen.iter().map(of).min().unwrap();
    let rare = [
        least(|seen| seen.no_move),
        least(|seen| seen.one_of_two),
        least(|seen| seen.cut_double),
        least(|seen| seen.from_bar),
        least(|seen| seen.bear_off),
        least(|seen| seen.race),
        least(|seen| seen.most),
    ];
    assert!(rare.iter().all(|&count| count > 50), "too few of something: {seen:?}");
}

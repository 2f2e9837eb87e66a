//! Tests of interactive turns, in which a user moves checker by checker.

use super::{facts::position, positions::Positions, slow};
use vivarium_envs::backgammon::{BAR, OFF, Position, Roll, Turn};

fn turn(position: Position, high: u8, low: u8) -> Turn {
    Turn::new(position, Roll::new(high, low).unwrap())
}

/// Appends to `boards` the final board of each sequence of moves that completes the turn. Each move of a sequence moves
/// one checker by one die.
fn ends(turn: &Turn, boards: &mut Vec<slow::Board>) {
    if turn.is_complete() {
        boards.push(slow::Board::of(&turn.play().unwrap().after));
        return;
    }
    assert_eq!(turn.play(), None);
    for from in turn.sources() {
        for target in turn.targets(from).into_iter().filter(|target| target.moves.len() == 1) {
            let mut next = *turn;
            next.advance(from, target.to).unwrap();
            ends(&next, boards);
        }
    }
}

#[test]
fn interactive_turns_reach_exactly_the_legal_plays() {
    let mut positions = Positions::new(14, 0);
    for _ in 0..2000 {
        let (position, roll) = positions.next();
        let mut boards = Vec::new();
        ends(&Turn::new(position, roll), &mut boards);
        boards.sort_unstable();
        boards.dedup();
        assert_eq!(boards, slow::plays(&position, roll), "{roll} in {position:?}");
    }
}

#[test]
fn targets_include_moves_by_several_dice() {
    let start = turn(Position::START, 3, 1);
    assert_eq!(start.sources(), [24, 13, 8, 6]);
    let to = |turn: &Turn, from| turn.targets(from).iter().map(|target| target.to).collect::<Vec<_>>();
    assert_eq!(to(&start, 24), [21, 23, 20]);
    assert_eq!(to(&start, 6), [3, 5, 2]);
    assert!(to(&start, 5).is_empty());
    let mut moved = start;
    moved.advance(24, 20).unwrap();
    assert!(moved.is_complete());
    assert!(moved.dice_left().is_empty());
    assert_eq!(moved.play().unwrap().notation(&Position::START), "24/20");

    let double = turn(Position::START, 2, 2);
    assert_eq!(to(&double, 13), [11, 9, 7, 5]);
    // Two paths with different hits.
    let blots = position(&[(24, 1)], &[(25 - 23, 1), (25 - 21, 1)]);
    assert_eq!(to(&turn(blots, 3, 1), 24), [21, 23, 20, 20]);
}

#[test]
fn rejects_moves_that_waste_a_die() {
    // After 4/3 by the 1, no 6 could be played.
    let mut forced = turn(position(&[(13, 1), (4, 1)], &[(25 - 7, 2)]), 6, 1);
    let before = forced;
    assert_eq!(
        forced.advance(4, 3).unwrap_err().to_string(),
        "with 6 and 1 left, a checker may not move from 4 to 3; this checker has no legal move"
    );
    assert_eq!(
        forced.advance(13, 7).unwrap_err().to_string(),
        "with 6 and 1 left, a checker may not move from 13 to 7; it may move to 12 or 6"
    );
    assert_eq!(
        forced.advance(26, 7).unwrap_err().to_string(),
        "there is no point 26; a checker moves from the bar (25) or a point from 1 to 24"
    );
    assert_eq!(forced.advance(7, 6).unwrap_err().to_string(), "no checker on 7");
    assert_eq!(forced.advance(25, 24).unwrap_err().to_string(), "no checker on bar");
    assert_eq!(forced, before);
    forced.advance(13, 12).unwrap();
    assert_eq!((forced.dice_left(), forced.sources()), (vec![6], vec![12]));
    forced.advance(12, 6).unwrap();
    assert!(forced.is_complete());
    assert_eq!(
        forced.advance(6, 5).unwrap_err().to_string(),
        "with no dice left, a checker may not move from 6 to 5; this checker has no legal move"
    );
}

#[test]
fn moves_are_undone_one_by_one() {
    let before = position(&[(BAR, 1), (2, 1)], &[(25 - 20, 1), (1, 2)]);
    let mut hit = turn(before, 5, 4);
    hit.advance(BAR, 16).unwrap();
    assert!(hit.is_complete());
    assert_eq!(hit.position().theirs().count(BAR), 1);
    assert!(hit.undo());
    assert_eq!((hit.moves().len(), hit.dice_left()), (1, vec![4]));
    assert!(hit.undo());
    assert_eq!(hit, turn(before, 5, 4));
    assert!(!hit.undo());
    assert_eq!(hit.position(), hit.before());
    // Without a legal move the turn is complete.
    let closed = position(&[(BAR, 1)], &[1, 2, 3, 4, 5, 6].map(|point| (point, 2)));
    let play = turn(closed, 6, 5).play().unwrap();
    assert_eq!((play.after, play.moves.len()), (closed, 0));
    let mut last = turn(position(&[(2, 1)], &[(1, 2)]), 6, 5);
    last.advance(2, OFF).unwrap();
    assert!(last.is_complete());
}

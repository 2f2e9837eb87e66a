//! Tests of the move generator with known numbers of plays and known plays.

use vivarium_envs::backgammon::{
    BAR, CHECKERS, Dice, OFF, Outcome, PLACES, Play, Plays, Position, PositionClass, PositionError,
    RelativePlayer, Roll, Win,
};

/// Returns a position from pairs (place, number of checkers) for each player, in that player's numbering. A place is a
/// point, 1 to 24, or the bar, 25; all other checkers are off.
pub fn position(mine: &[(usize, u8)], theirs: &[(usize, u8)]) -> Position {
    let side = |held: &[(usize, u8)]| {
        let mut counts = [0; PLACES];
        for &(place, count) in held {
            counts[place] += count;
        }
        counts[OFF] += CHECKERS - counts.iter().sum::<u8>();
        counts
    };
    Position::new(side(mine), side(theirs)).unwrap()
}

/// Returns the notation of each legal play of the roll (`high`, `low`), sorted.
pub fn written(position: &Position, high: u8, low: u8) -> Vec<String> {
    let mut plays = Plays::new();
    plays.generate(position, Roll::new(high, low).unwrap());
    let mut written: Vec<_> = plays.iter().map(|play: &Play| play.notation(position)).collect();
    written.sort();
    written
}

#[test]
fn the_opening_rolls_have_as_many_plays_as_counted() {
    // Numbers of plays that GNU Backgammon 1.07 lists: for the fifteen opening rolls, and for doubles in the first turn
    // of the second player.
    let counted = [
        ((2, 1), 15),
        ((3, 1), 16),
        ((4, 1), 14),
        ((5, 1), 8),
        ((6, 1), 10),
        ((3, 2), 17),
        ((4, 2), 18),
        ((5, 2), 8),
        ((6, 2), 14),
        ((4, 3), 17),
        ((5, 3), 9),
        ((6, 3), 14),
        ((5, 4), 9),
        ((6, 4), 14),
        ((6, 5), 7),
        ((1, 1), 42),
        ((2, 2), 75),
        ((3, 3), 73),
        ((4, 4), 52),
        ((5, 5), 4),
        ((6, 6), 11),
    ];
    assert_eq!(counted.len(), Roll::COUNT);
    for ((high, low), count) in counted {
        assert_eq!(written(&Position::START, high, low).len(), count, "plays of {high}-{low}");
    }
    let six_five = ["13/2", "13/7 8/3", "13/8 13/7", "24/13", "24/18 13/8", "24/18 8/3", "8/3 8/2"];
    assert_eq!(written(&Position::START, 6, 5), six_five);
}

#[test]
fn a_checker_on_the_bar_must_enter_before_other_moves() {
    // The opponent has made all points of its home board except the 4-point.
    let home: Vec<_> = [1, 2, 3, 5, 6].map(|point| (point, 2)).to_vec();
    let one = position(&[(BAR, 1), (13, 3)], &home);
    assert_eq!(written(&one, 6, 5), ["no move"]);
    assert_eq!(written(&one, 4, 1), ["bar/21 13/12"]);
    assert_eq!(written(&one, 4, 3), ["bar/18", "bar/21 13/10"]);
    let two = position(&[(BAR, 2), (13, 3)], &home);
    assert_eq!(written(&two, 4, 1), ["bar/21"]);
    let fours = ["bar/17(2)", "bar/21 bar/13", "bar/21 bar/17 13/9", "bar/21(2) 13/5", "bar/21(2) 13/9(2)"];
    assert_eq!(written(&two, 4, 4), fours);
    let closed = position(&[(BAR, 1)], &[1, 2, 3, 4, 5, 6].map(|point| (point, 2)));
    for roll in Roll::ALL {
        assert_eq!(written(&closed, roll.high(), roll.low()), ["no move"]);
    }
}

#[test]
fn both_dice_are_played_if_they_can_be() {
    // If the 1 is played 4/3, no 6 is legal, because the opponent holds point 7. The only play with both dice is
    // 13/12/6.
    let blocked = position(&[(13, 1), (4, 1)], &[(25 - 7, 2)]);
    assert_eq!(written(&blocked, 6, 1), ["13/6"]);
}

#[test]
fn the_higher_die_is_played_if_either_could_be() {
    // Either die can be played, 20/14 or 20/17, but not both, because point 11 is blocked.
    let either = position(&[(20, 1)], &[(25 - 11, 2)]);
    assert_eq!(written(&either, 6, 3), ["20/14"]);
    // If point 14 is blocked as well, only the 3 can be played.
    let lower = position(&[(20, 1)], &[(25 - 11, 2), (25 - 14, 2)]);
    assert_eq!(written(&lower, 6, 3), ["20/17"]);
}

#[test]
fn a_double_is_played_as_far_as_it_goes() {
    for (held, play) in [(14, "no move"), (8, "20/14"), (2, "20/8"), (7, "20/off")] {
        let position = position(&[(20, 1)], &[(25 - held, 2)]);
        assert_eq!(written(&position, 6, 6), [play], "against a point on {held}");
    }
}

#[test]
fn checkers_are_borne_off_by_exact_dice_or_from_the_rear() {
    let far = [(1, 2)];
    let home = position(&[(4, 1), (3, 1), (1, 1)], &far);
    assert_eq!(written(&home, 6, 3), ["4/1 3/off", "4/off 3/off"]);
    let outside = position(&[(8, 1), (3, 1)], &far);
    assert_eq!(written(&outside, 3, 1), ["8/4", "8/5 3/2"]);
    assert_eq!(written(&outside, 3, 2), ["8/3", "8/5 3/1", "8/6 3/off"]);
    assert_eq!(written(&position(&[(7, 1), (6, 1)], &far), 5, 5), ["7/off 6/off"]);
    // The game ends with dice remaining.
    assert_eq!(written(&position(&[(2, 1)], &far), 6, 5), ["2/off"]);
}

#[test]
fn hits_are_made_and_written() {
    let blots = position(&[(24, 2), (6, 2)], &[(25 - 18, 1), (25 - 13, 1), (25 - 19, 1), (25 - 2, 1)]);
    let mut plays = Plays::new();
    plays.generate(&blots, Roll::new(6, 5).unwrap());
    for (text, hit) in [("24/18*/13*", 2), ("24/19*/13*", 2), ("24/18* 24/19*", 2), ("24/19* 24/18*", 2)] {
        let play = plays.find(&blots, text).unwrap();
        assert_eq!(play.after.theirs().count(BAR), hit, "{text}");
        let order = if text == "24/18* 24/19*" { "24/19* 24/18*" } else { text };
        assert_eq!(play.notation(&blots), order);
    }
    plays.generate(&blots, Roll::new(4, 4).unwrap());
    let both = plays.find(&blots, "6/2*(2) 24/16").unwrap();
    assert_eq!(both.notation(&blots), "24/16 6/2*(2)");
}

#[test]
fn notation_parses_to_one_legal_play_or_an_error() {
    let blots = position(&[(24, 2), (6, 2)], &[(25 - 18, 1), (25 - 16, 2), (25 - 22, 2)]);
    let mut plays = Plays::new();
    plays.generate(&blots, Roll::new(6, 5).unwrap());
    let find = |text: &str| plays.find(&blots, text).map(|play| play.notation(&blots));
    let fails = |text: &str| find(text).unwrap_err().to_string();
    // Without an intermediate stop, the path without a hit is meant; a stop on a blot is a hit.
    assert_eq!(find("24/13").unwrap(), "24/13");
    assert_eq!(find("24/19/13").unwrap(), "24/13");
    assert_eq!(find("24/18/13").unwrap(), "24/18*/13");
    assert_eq!(find(" 6/1,24/18 ").unwrap(), "24/18* 6/1");
    assert_eq!(
        fails("24/20/13"),
        "\"24/20/13\" is not among the legal plays of 6-5 here; there are 4, such as \"24/19 24/18*\""
    );
    let message = fails("24/19*/13");
    assert!(message.contains("marks a hit on point 19, where no checker is hit; omit the star"), "{message}");
    for illegal in ["24/12", "24/18 24/18", "", "bar/20", "6/off"] {
        assert!(fails(illegal).contains("is not among the legal plays"), "{illegal}");
    }
    for part in [
        "24", "24/", "24/x", "13/24", "24/24", "26/20", "24*/18", "24/18(5)", "24/18(", "6/off*", "0/1",
        "-1/2",
    ] {
        assert_eq!(
            fails(part),
            format!("{part:?} is not a move; moves are written as 24/18, 24/18*/13, bar/20(2) or 6/off")
        );
    }
    // Two paths with different hits: ambiguous.
    let two = position(&[(24, 1)], &[(25 - 18, 1), (25 - 19, 1)]);
    plays.generate(&two, Roll::new(6, 5).unwrap());
    assert_eq!(
        plays.find(&two, "24/13").unwrap_err().to_string(),
        "\"24/13\" may mean \"24/18*/13\" or \"24/19*/13\"; write the points where a checker hits, with a star"
    );
}

#[test]
fn games_end_as_single_games_gammons_and_backgammons() {
    let all_off: &[(usize, u8)] = &[];
    for (loser, win) in [
        (&[(1, 14)][..], Win::Single),
        (&[(24, 14)], Win::Single),
        (&[(18, 1), (1, 14)], Win::Gammon),
        (&[(19, 1), (1, 14)], Win::Backgammon),
        (&[(BAR, 1), (1, 14)], Win::Backgammon),
    ] {
        let won = position(all_off, loser);
        assert_eq!(won.outcome(), Some(Outcome { winner: RelativePlayer::Mine, win }), "{loser:?}");
        assert_eq!(won.mirrored().outcome(), Some(Outcome { winner: RelativePlayer::Theirs, win }));
        assert_eq!(won.outcome().unwrap().points(), win.points());
        assert_eq!(won.mirrored().outcome().unwrap().points(), -win.points());
        assert_eq!(won.class(), PositionClass::Over);
    }
    assert_eq!(Position::START.outcome(), None);
}

#[test]
fn pips_and_classes_are_counted() {
    assert_eq!((Position::START.mine().pips(), Position::START.class()), (167, PositionClass::Contact));
    assert_eq!(position(&[(BAR, 1), (6, 2)], &[(3, 1)]).mine().pips(), 37);
    for (mine, theirs, class) in [
        ((14, 1), (12, 1), PositionClass::Contact),
        ((12, 1), (12, 1), PositionClass::Race),
        ((7, 1), (6, 1), PositionClass::Race),
        ((6, 1), (6, 1), PositionClass::BearOff),
        ((6, 1), (BAR, 1), PositionClass::Contact),
    ] {
        assert_eq!(position(&[mine], &[theirs]).class(), class, "{mine:?} {theirs:?}");
    }
}

#[test]
fn rejects_impossible_positions() {
    let side = |held: &[(usize, u8)]| {
        let mut counts = [0; PLACES];
        held.iter().for_each(|&(place, count)| counts[place] = count);
        counts
    };
    let fine = side(&[(6, 15)]);
    for (mine, theirs, error) in [
        (side(&[(6, 14)]), fine, PositionError::Checkers { player: RelativePlayer::Mine, got: 14 }),
        (
            fine,
            side(&[(6, 200), (7, 200)]),
            PositionError::Checkers { player: RelativePlayer::Theirs, got: 400 },
        ),
        (fine, side(&[(19, 1), (6, 14)]), PositionError::Shared { point: 6 }),
        (side(&[(OFF, 15)]), side(&[(OFF, 15)]), PositionError::TwoWinners),
    ] {
        assert_eq!(Position::new(mine, theirs), Err(error));
    }
    let closed = side(&[(BAR, 1), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 4)]);
    assert_eq!(Position::new(closed, closed), Err(PositionError::Deadlock));
}

#[test]
fn dice_are_fair_and_repeatable() {
    let mut counts = [0; Roll::COUNT];
    let (mut first_begins, mut openings) = (0, [0; Roll::COUNT]);
    for game in 0..360 {
        let dice = Dice { seed: 5, game };
        for turn in 1..=100 {
            counts[dice.roll(turn).index()] += 1;
            assert_eq!(dice.roll(turn), dice.roll(turn));
        }
        let (first, roll) = dice.opening();
        first_begins += usize::from(first);
        openings[roll.index()] += 1;
    }
    for (roll, count) in Roll::ALL.into_iter().zip(counts) {
        assert_eq!(Roll::ALL[roll.index()], roll);
        // Within five standard deviations of 36,000 / 36 for each outcome.
        let expected = 1000.0 * f64::from(roll.permutations());
        assert!((f64::from(count) - expected).abs() < 5.0 * expected.sqrt(), "{roll}: {count}");
    }
    assert!(
        (130..230).contains(&first_begins),
        "the first of two players begins {first_begins} of 360 games"
    );
    for (roll, count) in Roll::ALL.into_iter().zip(openings) {
        assert_eq!(count == 0, roll.is_double(), "{count} games opened by {roll}");
    }
    assert_eq!(Roll::new(0, 3).unwrap_err().to_string(), "a die shows 0; it can show 1 to 6");
    assert_eq!(Roll::new(3, 7).unwrap_err().got, 7);
}

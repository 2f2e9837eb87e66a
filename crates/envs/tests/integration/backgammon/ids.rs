//! Tests of position IDs and match IDs of GNU Backgammon.

use super::positions::Positions;
use vivarium_envs::backgammon::{
    DoublingCubeOwner, IdError, Match, MatchIdError, Plays, Position, PositionError, RelativePlayer, Roll,
    Setup, Xgid,
};

#[test]
fn known_positions_have_their_ids() {
    assert_eq!(Position::START.id(), "4HPwATDgc/ABMA");
    assert_eq!(Position::from_id("4HPwATDgc/ABMA"), Ok(Position::START));
    // GNU Backgammon 1.07 after 8/5 6/5 by one player and before the roll of the other.
    let mut plays = Plays::new();
    plays.generate(&Position::START, Roll::new(3, 1).unwrap());
    let after = plays.find(&Position::START, "8/5 6/5").unwrap().after.mirrored();
    assert_eq!(after.id(), "sGfwATDgc/ABMA");
}

#[test]
fn ids_and_packed_bits_give_back_the_position() {
    let mut positions = Positions::new(15, 0);
    for _ in 0..20_000 {
        let (position, _) = positions.next();
        assert_eq!(Position::from_id(&position.id()), Ok(position));
        assert_eq!(Position::unpack(position.pack()), Ok(position));
    }
}

#[test]
fn rejects_malformed_position_ids() {
    let error = |id: &str| Position::from_id(id).unwrap_err();
    assert_eq!(error(""), IdError::Length { got: 0, expected: 14 });
    assert_eq!(error("4HPwATDgc/ABM"), IdError::Length { got: 13, expected: 14 });
    assert_eq!(error("4HPwATDgc/ABMA="), IdError::Length { got: 15, expected: 14 });
    assert_eq!(error("4HPwATDgc-ABMA"), IdError::Character { at: 10, character: '-' });
    assert_eq!(error("4HPwATDgcßABMA"), IdError::Character { at: 10, character: 'ß' });
    // The first ID has a set bit beyond its 80 bits, the second a set bit after the last checker.
    assert_eq!(error("4HPwATDgc/ABMB"), IdError::Excess);
    assert_eq!(error("AACAAAAAAAAAgA"), IdError::Excess);
    assert_eq!(error("AACABAAAAAAAAA"), IdError::Position(PositionError::Shared { point: 1 }));
    assert_eq!(error("//////////////"), IdError::Excess);
    let sixteen = IdError::Position(PositionError::Checkers { player: RelativePlayer::Theirs, got: 16 });
    assert_eq!(error("//8AAAAAAAAAAA"), sixteen);
    assert_eq!(error("AAAAAAAAAAAAAA"), IdError::Position(PositionError::TwoWinners));
}

#[test]
fn rejects_bits_of_illegal_positions() {
    assert!(matches!(Position::unpack(u128::MAX), Err(PositionError::Checkers { .. })));
    assert_eq!(Position::unpack(0), Err(PositionError::TwoWinners));
    let sixteen = Position::unpack(0b10000 << 8).unwrap_err();
    assert_eq!(sixteen, PositionError::Checkers { player: RelativePlayer::Theirs, got: 16 });
}

#[test]
fn impossible_crawford_games_of_match_ids_are_refused() {
    let at = |score, doubling_cube_exponent| Match {
        score,
        doubling_cube_exponent,
        crawford: true,
        ..Match::start(5, false)
    };
    assert!(Match::from_id(&at([4, 2], 0).id()).is_ok());
    for (state, words) in [
        (at([3, 2], 0), "match ID: the score 3-2 of a match to 5 points has no Crawford game"),
        (at([4, 4], 0), "exactly one player needs 1 point"),
        (at([4, 2], 1), "match ID: the doubling cube is used in the Crawford game (value 2)"),
    ] {
        let error = Match::from_id(&state.id()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    // After the game, the score contains its points.
    assert!(Match::from_id(&Match { game: 2, ..at([5, 2], 0) }.id()).is_ok());
}

#[test]
fn known_matches_have_their_ids() {
    // The example of GNU Backgammon's manual: 2 to 4 in a match to 9, player 0 holds a doubling cube of 2, player 1
    // has rolled 5-2.
    let example = Match {
        doubling_cube_exponent: 1,
        doubling_cube_owner: DoublingCubeOwner::Player(0),
        on_roll: 1,
        crawford: false,
        game: 1,
        to_decide: 1,
        doubled: false,
        resigned: 0,
        roll: Some(Roll::new(5, 2).unwrap()),
        length: 9,
        score: [2, 4],
        without_jacoby: false,
    };
    assert_eq!(Match::from_id("QYkqASAAIAAA"), Ok(example));
    assert_eq!(example.id(), "QYkqASAAIAAA");
    // Money play as GNU Backgammon 1.07 writes it, with 4-2 rolled.
    let money = Match::from_id("cAkKAAAAAAAA").unwrap();
    assert_eq!(
        (money.roll, money.length, money.doubling_cube_owner),
        (Roll::new(4, 2).ok(), 0, DoublingCubeOwner::Centered)
    );
    assert_eq!(money.id(), "cAkKAAAAAAAA");
    assert_eq!(Match::from_id("MAEAAAAAAAAA").unwrap().roll, None);
}

#[test]
fn rejects_malformed_match_ids() {
    let error = |id: &str| Match::from_id(id).unwrap_err();
    assert_eq!(error("cAkK"), MatchIdError::Text(IdError::Length { got: 4, expected: 12 }));
    assert_eq!(error("cAkKAAAAAAA?"), MatchIdError::Text(IdError::Character { at: 12, character: '?' }));
    assert_eq!(error("cAkKAAAAAAD/"), MatchIdError::Text(IdError::Excess));
    for (id, said) in [
        (
            "YAkKAAAAAAAA",
            "the owner of the doubling cube is 2; allowed is 0 or 1 for a player, 3 for a doubling cube in the middle",
        ),
        ("cA0KAAAAAAAA", "the state of the game is 5; allowed is 0 to 4"),
        ("cIkDAAAAAAAA", "a die shows 7; it can show 1 to 6, or both dice 0 before the roll"),
        ("cAkCAAAAAAAA", "a die shows 0; it can show 1 to 6, or both dice 0 before the roll"),
        (
            "QYkqASAAYAAA",
            "a score is 12; allowed is less than the length of the match while a game is played",
        ),
    ] {
        assert_eq!(error(id).to_string(), format!("match ID: {said}"));
    }
}

/// Random state of a match or money game that an XGID can hold.
fn random_state(number: u32) -> (Match, bool) {
    let at = |shift: u32, below: u32| (number.wrapping_mul(2_654_435_761) >> shift) % below;
    let length = [0, 5, 11][at(3, 3) as usize];
    let state = Match {
        doubling_cube_exponent: at(5, 8) as u8,
        doubling_cube_owner: [
            DoublingCubeOwner::Centered,
            DoublingCubeOwner::Player(0),
            DoublingCubeOwner::Player(1),
        ][at(8, 3) as usize],
        on_roll: at(10, 2) as u8,
        to_decide: at(10, 2) as u8,
        crawford: false,
        roll: (at(14, 2) == 0).then(|| Roll::ALL[at(16, 21) as usize]),
        length,
        score: if length > 0 { [at(18, 5) as u16, at(20, 5) as u16] } else { [0, 0] },
        without_jacoby: length == 0 && at(13, 2) == 0,
        ..Match::MONEY
    };
    let crawford =
        Match { crawford: true, score: [length.saturating_sub(1), 0], ..Match::start(length, false) };
    let is_centered = length > 0 && state.doubling_cube_owner == DoublingCubeOwner::Centered;
    let state = if is_centered { Match { doubling_cube_exponent: 0, ..state } } else { state };
    let state = if length > 0 && at(12, 2) == 0 { crawford } else { state };
    (state, length == 0 && at(15, 2) == 0)
}

#[test]
fn xgids_give_back_position_and_state() {
    let mut positions = Positions::new(16, 0);
    for number in 0..5_000 {
        let (position, _) = positions.next();
        let (state, beavers) = random_state(number);
        let xgid = Xgid { position, state, beavers, max_doubling_cube_exponent: (number % 11) as u8 };
        assert_eq!(Xgid::parse(&xgid.to_string()), Ok(xgid), "{xgid}");
        assert_eq!(Setup::parse(&xgid.to_string()), Ok(Setup { position, state: Some(state) }));
        let ids = format!("{}:{}", position.id(), state.id());
        assert_eq!(Setup::parse(&ids), Ok(Setup { position, state: Some(state) }));
    }
    let double = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:2:0:0:7:10";
    assert_eq!(Xgid::parse(double).unwrap().to_string(), double);
}

#[test]
fn known_xgids_have_their_positions() {
    let start = Xgid::parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10").unwrap();
    assert_eq!(start, Xgid::new(Position::START, Match::MONEY));
    // The example of the format's documentation: the top player rolls 6-3 with a doubling cube of 2 that the bottom player owns.
    let text = "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8";
    let example = Xgid::parse(text).unwrap();
    assert_eq!(example.to_string(), text);
    assert_eq!((example.state.on_roll, example.state.doubling_cube_owner), (1, DoublingCubeOwner::Player(0)));
    assert_eq!((example.state.roll, example.state.length), (Roll::new(6, 3).ok(), 3));
    // GNU Backgammon 1.07 prints this position ID for the same checkers with the bottom player on roll.
    assert_eq!(example.position.mirrored().id(), "2M3gCSCMz+ANAA");
    // The prefix is optional, in upper or lower case.
    assert_eq!(Xgid::parse(&text[5..]), Ok(example));
    for prefix in ["xgid=", "XGID:", "XGID = ", "XGID: "] {
        assert_eq!(Xgid::parse(&text.replace("XGID=", prefix)), Ok(example), "{prefix}");
        assert_eq!(Setup::parse(&text.replace("XGID=", prefix)).unwrap().state, Some(example.state));
    }
}

#[test]
fn the_labels_of_gnu_backgammon_are_understood() {
    let plain = Setup::parse("4HPwATDgc/ABMA:cAkKAAAAAAAA").unwrap();
    for text in [
        "Position ID: 4HPwATDgc/ABMA Match ID: cAkKAAAAAAAA",
        " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAkKAAAAAAAA\n",
    ] {
        assert_eq!(Setup::parse(text), Ok(plain), "{text:?}");
    }
    let position = Setup::parse("Position ID: 4HPwATDgc/ABMA").unwrap();
    assert_eq!((position.position, position.state), (plain.position, None));
}

#[test]
fn misplaced_and_malformed_ids_are_named() {
    let error = |text: &str| Setup::parse(text).unwrap_err().to_string();
    for (text, words) in [
        ("cAkKAAAAAAAA", "this is a match ID, which has no position"),
        ("cAkKAAAAAAAA:4HPwATDgc/ABMA", "enter the position ID first, as in 4HPwATDgc/ABMA:cAkKAAAAAAAA"),
        ("4HPwATDgc/ABMA:4HPwATDgc/ABMA", "a second position ID"),
        ("4HPwATDgc/ABMA:cAkK", "match ID: the ID has 4 characters"),
        ("XGID=-b----E-C---eE---c-e----B-", "the XGID has 1 field; 10 fields"),
        ("-b----E-C---eE---c-e----B-:0:0:1", "the XGID has 4 fields"),
        (
            "XGID=-b----E-C---eE---c-e----B-:9:0:1:00:0:0:0:5:10",
            "the doubling cube exponent of the XGID is \"9\"; allowed is 0 in the center, in a match",
        ),
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10", "the XGID lists 25 places"),
        ("XGID=-b----E-C---eE---c-e----b-:0:0:1:00:0:0:0:0:10", "the opponent has 17 checkers"),
        ("XGID=Ab----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "place 0 of the XGID is 'A'"),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:2:1:00:0:0:0:0:10",
            "the doubling cube owner of the XGID is \"2\"",
        ),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10", "the player on roll of the XGID is \"0\""),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:73:0:0:0:0:10", "a die shows 7"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:6:0:0:0:0:10", "the roll of the XGID is \"6\""),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:5:0:0:5:10", "a score of the XGID is \"5-0\""),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:5:10", "the rule of the XGID is \"2\""),
        (
            "XGID=-b----E-C---eE---c-e----B-:+1:0:1:00:0:0:0:0:10",
            "the doubling cube exponent of the XGID is \"+1\"",
        ),
        ("-b----E-C---eE---c-e----B-", "the XGID has 1 field; 10 fields"),
        (
            "XGID=-b----E-C---eE---c-e----B-:1:1:1:B:0:0:0:0:10",
            "the roll of the XGID is B, a beaver or a raccoon, which is not supported",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:2:1:5:10",
            "the score 3-2 of a match to 5 points has no Crawford game",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:4:2:1:5:10",
            "the doubling cube is used in the Crawford game (value 2)",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:4:2:1:5:10",
            "the doubling cube is used in the Crawford game",
        ),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:4:1:5:10", "exactly one player needs 1 point"),
        ("nonsense", "the ID has 8 characters"),
        // As long as the places of an XGID.
        ("4HPwATDgc/ABMA:cAkAAAAAAAA", "match ID: the ID has 11 characters"),
    ] {
        let said = error(text);
        assert!(said.contains(words), "{text}: {said}");
    }
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    assert!(
        Position::from_id(xgid).unwrap_err().to_string().starts_with("this is an XGID; enter a position ID")
    );
    assert!(Match::from_id(xgid).unwrap_err().to_string().contains("this is an XGID"));
}

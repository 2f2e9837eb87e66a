//! Tests of position IDs and match IDs of GNU Backgammon.

use super::positions::Positions;
use vivarium_envs::backgammon::{
    CubeOwner, IdError, Match, MatchIdError, Plays, Position, PositionError, RelativePlayer, Roll,
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
fn known_matches_have_their_ids() {
    // The example of GNU Backgammon's manual: 2 to 4 in a match to 9, player 0 holds a cube of 2, player 1
    // has rolled 5-2.
    let example = Match {
        cube_exponent: 1,
        cube_owner: CubeOwner::Player(0),
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
    assert_eq!((money.roll, money.length, money.cube_owner), (Roll::new(4, 2).ok(), 0, CubeOwner::Centered));
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
            "the owner of the cube is 2; allowed is 0 or 1 for a player, 3 for a cube in the middle",
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

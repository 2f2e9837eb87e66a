//! Tests of rawboards of FIBS, against XGIDs.

use super::positions::Positions;
use proptest::prelude::*;
use vivarium_envs::backgammon::{
    BAR, DoublingCubeOwner, Match, OFF, Position, Rawboard, RawboardError, Roll, Xgid,
};

/// Board of the documentation of FIBS: O rolls 6-2 from the starting position, 0 to 1 in a match to 3.
const DOCUMENTED: &str = "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:\
                          1:-1:0:25:0:0:0:0:2:0:0:0";

/// Writes the rawboard of a position and state. `color`, `direction`: of player 0.
fn write(position: &Position, state: &Match, color: i32, direction: i32) -> String {
    let mine = if state.on_roll == 0 { *position } else { position.mirrored() };
    let place = |index: usize| {
        let place = if direction < 0 { index } else { BAR - index };
        let count = |count: u8, place: usize| if place == OFF { 0 } else { i32::from(count) };
        color
            * (count(mine.mine().count(place), place) - count(mine.theirs().count(BAR - place), BAR - place))
    };
    let places: Vec<_> = (0..=BAR).map(|index| place(index).to_string()).collect();
    let turn = if state.on_roll == 0 { color } else { -color };
    let dice = state.roll.map_or("0:0".to_owned(), |roll| format!("{}:{}", roll.low(), roll.high()));
    let dice = if state.on_roll == 0 { format!("{dice}:0:0") } else { format!("0:0:{dice}") };
    let may_double = match state.doubling_cube_owner {
        DoublingCubeOwner::Centered => "1:1",
        DoublingCubeOwner::Player(0) => "1:0",
        DoublingCubeOwner::Player(_) => "0:1",
    };
    let length = if state.length == 0 { 9999 } else { state.length };
    let [first, second] = state.score;
    let after_crawford = !state.crawford && state.score.iter().any(|score| score + 1 == state.length);
    let [off, bar] =
        [OFF, BAR].map(|place| format!("{}:{}", mine.mine().count(place), mine.theirs().count(place)));
    let home = if direction < 0 { "0:25" } else { "25:0" };
    format!(
        "board:You:Bob:{length}:{first}:{second}:{}:{turn}:{dice}:{}:{may_double}:{}:{color}:{direction}:{home}:{off}:{bar}:\
         0:0:{}:0",
        places.join(":"),
        state.doubling_cube(),
        u8::from(state.doubled),
        u8::from(after_crawford),
    )
}

/// Random state that both formats can express.
fn states() -> impl Strategy<Value = Match> {
    let owner = prop_oneof![
        Just((0, DoublingCubeOwner::Centered)),
        (1..=9_u8, 0..2_u8).prop_map(|(exponent, player)| (exponent, DoublingCubeOwner::Player(player))),
    ];
    let roll = prop::option::of((0..Roll::COUNT).prop_map(|index| Roll::ALL[index]));
    let lengths = prop_oneof![Just(0_u16), 1..25_u16];
    (owner, roll, lengths, any::<[u16; 2]>(), 0..2_u8, any::<[bool; 2]>()).prop_map(
        |(
            (doubling_cube_exponent, doubling_cube_owner),
            roll,
            length,
            score,
            on_roll,
            [doubled, crawford],
        )| {
            let score = score.map(|score| if length > 0 { score % length } else { score % 50 });
            // The opponent doubles; XGIDs contain no roll then.
            let doubled = doubled && on_roll == 1;
            let state = Match {
                doubling_cube_exponent,
                doubling_cube_owner,
                on_roll,
                crawford,
                to_decide: if doubled { 0 } else { on_roll },
                doubled,
                roll: roll.filter(|_| !doubled),
                length,
                score,
                without_jacoby: length == 0,
                ..Match::MONEY
            };
            // The Crawford game has a score and a doubling cube of its own.
            Match { crawford: state.crawford && state.check_crawford().is_ok(), ..state }
        },
    )
}

proptest! {
    #[test]
    fn rawboards_and_xgids_have_the_same_contents(
        state in states(), seed in any::<u64>(), color in prop_oneof![Just(-1), Just(1)],
        direction in prop_oneof![Just(-1), Just(1)],
    ) {
        let (position, _) = Positions::new(seed, 0).next();
        let xgid = Xgid::parse(&Xgid::new(position, state).to_string()).unwrap();
        let text = write(&position, &state, color, direction);
        let Rawboard { position, state } = Rawboard::parse(&text).unwrap();
        prop_assert_eq!((position, state), (xgid.position, xgid.state), "{}", text);
    }

    #[test]
    fn no_text_makes_the_parser_panic(fields in prop::collection::vec("-?[0-9]{1,5}|[a-z]{0,3}", 0..60)) {
        let _ = Rawboard::parse(&format!("board:{}", fields.join(":")));
    }

    #[test]
    fn no_changed_field_makes_the_parser_panic(at in 1..53_usize, value in -40_000..40_000_i32) {
        let mut fields: Vec<_> = DOCUMENTED.split(':').map(str::to_owned).collect();
        fields[at] = value.to_string();
        let _ = Rawboard::parse(&fields.join(":"));
    }
}

#[test]
fn known_rawboards_have_their_positions() {
    let Rawboard { position, state } = Rawboard::parse(DOCUMENTED).unwrap();
    assert_eq!(position, Position::START);
    assert_eq!((state.length, state.score, state.roll), (3, [0, 1], Roll::new(6, 2).ok()));
    assert!(!state.crawford && state.doubling_cube_owner == DoublingCubeOwner::Centered);
    // The same position seen by X, who plays from point 1 to point 24; X is on roll.
    let text = "board:You:kawasaki:1:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:2:6:0:0:1:1:1:0:-1:1:25:0:0:\
                0:0:0:2:0:0:0";
    let Rawboard { position, state } = Rawboard::parse(text).unwrap();
    assert_eq!((position, state.on_roll, state.roll), (Position::START, 0, Roll::new(6, 2).ok()));
    assert!(state.crawford, "a match to one point has no doubling cube");
    // A checker of X on the bar; blanks around the numbers.
    let text = "board:You:Bob:1:1:2:-1:0:0:2:2:2:3:0:0:0:0:1:0:3:1:-1:0:-3:-3:-3:1:0:-2:-2:0:0:-1:0:0:1:6:1:1:1:0:1:-1:0:25:0:0:0:1:\
                2:0:0:0";
    let unlimited = text.replace("Bob:1:", "Bob: 9999: ");
    let Rawboard { position, state } = Rawboard::parse(&unlimited).unwrap();
    assert_eq!((state.length, state.on_roll, state.roll), (0, 1, Roll::new(6, 1).ok()));
    assert_eq!((position.mine().count(BAR), position.theirs().count(BAR)), (1, 0));
}

#[test]
fn malformed_rawboards_are_refused_with_the_field() {
    let changed = |at: usize, value: &str| {
        let mut fields: Vec<_> = DOCUMENTED.split(':').collect();
        fields[at] = value;
        Rawboard::parse(&fields.join(":")).unwrap_err().to_string()
    };
    for (at, value, words) in [
        (3, "-1", "field 4 of the rawboard, the match length, is \"-1\""),
        (4, "3", "a score, is \"3\"; allowed is 0 up to less than the match length"),
        (12, "16", "a number of checkers, is \"16\"; allowed is -15 to 15"),
        (12, "6", "the player on roll has 16 checkers"),
        (32, "0", "the end of a game, has no decision"),
        (34, "0", "a die shows 0"),
        (37, "3", "the doubling cube, is \"3\"; allowed is a power of two"),
        (41, "x", "the color of the player, is \"x\""),
        (42, "0", "the direction, is \"0\""),
        (47, "1", "checkers on the bar, is \"1\"; allowed is the number at the place of the bar"),
    ] {
        let said = changed(at, value);
        assert!(said.contains(words), "{at}: {said}");
    }
    assert!(matches!(Rawboard::parse("board:You:Bob:3"), Err(RawboardError::Fields { got: 4 })));
    assert_eq!(Rawboard::parse("XGID=-b"), Err(RawboardError::Prefix));
    // A doubling cube of 2 belongs to a player.
    let fields = DOCUMENTED.replace(":0:0:1:1:1:0:1:", ":0:0:2:0:0:0:1:");
    assert!(
        Rawboard::parse(&fields).unwrap_err().to_string().contains("1 for the owner of the doubling cube")
    );
}

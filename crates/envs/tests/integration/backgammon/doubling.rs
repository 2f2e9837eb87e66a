//! Tests of doubling decisions against GNU Backgammon 1.07, whose results `../../fixtures/gnubg_doubling.py` has recorded.

use vivarium_envs::backgammon::doubling::{
    CUBE_LIFE, DoublingAction, DoublingContext, DoublingDecision, DoublingMethod,
};
use vivarium_envs::backgammon::{CHECKERS, DoublingCubeOwner, Match, OFF, PLACES, Position, Xgid};
use vivarium_envs::testing::CubefulBearOff;
use vivarium_kernels::rng::Stream;

const RECORD: &str = include_str!("../../fixtures/gnubg_doubling.txt");

/// Largest difference of recorded equities that counts as a tie: they have three decimals.
const TIE: f64 = 0.0011;

/// Sums over doubling decisions.
#[derive(Default, Debug)]
struct Agreement {
    decisions: usize,
    /// Decisions with the same double or no double, and with the same take or pass.
    same_double: usize,
    same_take: usize,
    /// Equity that the doubles and no doubles lose, by the recorded equities.
    lost_by_double: f64,
    /// Equity that takes and passes lose, over the positions in which either program doubles.
    doubles: usize,
    lost_by_take: f64,
}

/// Compares the decisions of the fixture, or of the file that the variable `VIVARIUM_DOUBLING_RECORD` names.
#[test]
fn doubling_decisions_agree_with_gnu_backgammon() {
    let record = match std::env::var("VIVARIUM_DOUBLING_RECORD") {
        Ok(path) => std::fs::read_to_string(path).unwrap(),
        Err(_) => RECORD.to_owned(),
    };
    // Money play and matches.
    let mut agreement = [Agreement::default(), Agreement::default()];
    for line in record.lines() {
        let words: Vec<_> = line.split(' ').collect();
        let xgid = Xgid::parse(words[0]).unwrap();
        assert_eq!(xgid.to_string(), words[0]);
        assert_eq!(Position::from_id(words[1]), Ok(xgid.position), "{line}");
        // In a match ID of GNU Backgammon, the bottom player of an XGID is player 1.
        let recorded = Match::from_id(words[2]).unwrap();
        assert_eq!(
            (recorded.length, recorded.doubling_cube_exponent),
            (xgid.state.length, xgid.state.doubling_cube_exponent)
        );
        assert_eq!([recorded.score[1], recorded.score[0]], xgid.state.score, "{line}");

        let numbers: Vec<f64> = words[3..].iter().map(|word| word.parse().unwrap()).collect();
        let probabilities = [0, 1, 2, 3, 4].map(|at| numbers[at] as f32);
        let (no_double, take, pass) = (numbers[5], numbers[6], numbers[7]);
        let context = DoublingContext::new(&xgid.state).unwrap_or_else(|error| panic!("{line}: {error}"));
        let decision = DoublingDecision::new(probabilities, &context, CUBE_LIFE);
        let (doubles, takes) = (decision.double() > decision.no_double, decision.is_take());
        let (they_double, they_take) = (take.min(pass) > no_double, take <= pass);

        // If the doubling cube makes no difference, double and no double are the same.
        let tie = (take.min(pass) - no_double).abs() < TIE;
        let sums = &mut agreement[usize::from(xgid.state.length > 0)];
        sums.decisions += 1;
        sums.same_double += usize::from(tie || doubles == they_double);
        sums.same_take += usize::from(takes == they_take);
        let double = take.min(pass);
        sums.lost_by_double += no_double.max(double) - if doubles { double } else { no_double };
        if doubles || they_double {
            sums.doubles += 1;
            sums.lost_by_take += if takes { take } else { pass } - double;
        }
    }
    for (sums, name) in agreement.iter().zip(["money", "match"]) {
        let count = sums.decisions as f64;
        let milli = |lost: f64, count: f64| 1000.0 * lost / count;
        println!(
            "{name}: {} decisions, double {:.1} %, take {:.1} %, lost {:.1} and {:.1} millipoints",
            sums.decisions,
            100.0 * sums.same_double as f64 / count,
            100.0 * sums.same_take as f64 / count,
            milli(sums.lost_by_double, count),
            milli(sums.lost_by_take, sums.doubles as f64)
        );
        assert!(sums.decisions > 100, "{name}: {sums:?}");
        assert!(sums.same_double as f64 > 0.9 * count, "{name}: {sums:?}");
        assert!(sums.same_take as f64 > 0.95 * count, "{name}: {sums:?}");
        assert!(milli(sums.lost_by_double, count) < 10.0, "{name}: {sums:?}");
    }
}

/// Returns the decision of a money game and how it was computed. The probabilities of a network are absurd, so that a
/// bear-off that used them would be noticed.
fn of_bearoff(xgid: &str) -> (DoublingDecision, DoublingMethod) {
    let xgid = Xgid::parse(xgid).unwrap();
    let context = DoublingContext::new(&xgid.state).unwrap();
    DoublingDecision::of_position(&xgid.position, [0.1, 0.0, 0.0, 0.0, 0.0], &context)
}

#[test]
fn small_bearoffs_are_exact() {
    // Two checkers against one on the ace point: the last roll of the game.
    for (xgid, no_double, take, action) in [
        // 19 of 36 rolls win.
        (
            "XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10",
            2.0 / 36.0,
            4.0 / 36.0,
            DoublingAction::DoubleTake,
        ),
        // 25 of 36 rolls win.
        (
            "XGID=--AA--------------------a-:0:0:1:00:0:0:0:0:10",
            14.0 / 36.0,
            28.0 / 36.0,
            DoublingAction::DoubleTake,
        ),
        // All rolls win: the opponent passes.
        ("XGID=-B----------------------a-:0:0:1:00:0:0:0:0:10", 1.0, 2.0, DoublingAction::DoublePass),
    ] {
        let (decision, method) = of_bearoff(xgid);
        assert_eq!(method, DoublingMethod::Exact, "{xgid}");
        assert!((decision.no_double - no_double).abs() < 1e-5, "{xgid}: {decision:?}");
        assert!((decision.double_take - take).abs() < 1e-5, "{xgid}: {decision:?}");
        assert_eq!(decision.action(), action, "{xgid}");
    }
}

#[test]
fn bearoffs_of_equal_rolls_have_their_known_decisions() {
    // Checkers on the ace points: only doubles change the number of rolls. GNU Backgammon's two-sided table has
    // +1.151 for a double with three rolls on each side.
    let (three, method) = of_bearoff("XGID=-F----------------------f-:0:0:1:00:0:0:0:0:10");
    assert_eq!(method, DoublingMethod::Exact);
    assert!((three.double_take - 1.151).abs() < 1e-3, "{three:?}");
    assert_eq!(three.action(), DoublingAction::DoublePass);
    // Four rolls are a redouble; five are a double, but not a redouble.
    let action = |xgid: &str| of_bearoff(xgid).0.action();
    for (cube, five) in [("0:0", DoublingAction::DoubleTake), ("1:1", DoublingAction::NoDouble)] {
        let four = format!("XGID=-H----------------------h-:{cube}:1:00:0:0:0:0:10");
        assert_eq!(action(&four), DoublingAction::DoubleTake, "{cube}");
        assert_eq!(action(&four.replace('H', "J").replace('h', "j")), five, "{cube}");
    }
}

#[test]
fn larger_bearoffs_use_the_table_and_other_positions_the_network() {
    let (decision, method) = of_bearoff("XGID=-BBCCBB------------bbccbb-:0:0:1:00:0:0:0:0:10");
    assert_eq!(method, DoublingMethod::BearOff);
    // With equal pips, the player on roll is ahead.
    assert!(decision.no_double > 0.3, "{decision:?}");
    let (_, method) = of_bearoff("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
    assert_eq!(method, DoublingMethod::Janowski);
}

#[test]
fn no_player_redoubles_after_the_last_roll_of_a_match() {
    // The leader needs two points, which a doubled cube wins. The opponent has no turn to redouble, because the next roll ends
    // the game. 17 and 19 of 36 rolls win; equities of GNU Backgammon at 2 plies, with its own match equity table.
    for (xgid, take) in [
        ("XGID=---AA-------------------a-:0:0:1:00:5:3:0:7:10", 0.272),
        ("XGID=--A--A------------------a-:0:0:1:00:3:2:0:5:10", 0.437),
    ] {
        let (decision, method) = of_bearoff(xgid);
        assert_eq!(method, DoublingMethod::Exact, "{xgid}");
        assert!((decision.double_take - take).abs() < 0.05, "{xgid}: {decision:?}");
        assert_eq!(decision.action(), DoublingAction::DoubleTake, "{xgid}");
    }
}

#[test]
fn an_owned_cube_is_never_a_burden() {
    for mine in ["A-----", "-A----", "--B---", "A-A-A-", "-----B", "AB-A--"] {
        for theirs in ["a", "-a", "bb", "--c"] {
            let empty = "-".repeat(24 - mine.len() - theirs.len());
            let reversed: String = theirs.chars().rev().collect();
            let of =
                |cube: &str| of_bearoff(&format!("XGID=-{mine}{empty}{reversed}-:{cube}:1:00:0:0:0:0:10"));
            let [(center, _), (owned, method)] = ["0:0", "1:1"].map(of);
            assert_eq!(method, DoublingMethod::Exact);
            assert!(owned.no_double >= center.no_double - 1e-5, "{mine} {theirs}: {owned:?} {center:?}");
            assert!(owned.double_take.abs() <= 2.0 + 1e-5);
        }
    }
}

#[test]
fn exact_bearoffs_count_gammons_and_the_jacoby_rule() {
    // All rolls win a gammon; with the Jacoby rule only after a double.
    for (rule, no_double, action) in
        [("0", 2.0, DoublingAction::TooGood), ("1", 1.0, DoublingAction::DoublePass)]
    {
        let (decision, method) =
            of_bearoff(&format!("XGID=-B----------------------o-:0:0:1:00:0:0:{rule}:0:10"));
        assert_eq!((method, decision.action()), (DoublingMethod::Exact, action), "{rule}");
        assert_eq!((decision.no_double, decision.double_take), (no_double, 4.0), "{rule}");
    }
}

/// Score of a match for the player on roll and the opponent: points that they need, and whether the Crawford game is over.
const SCORES: [([u16; 2], bool); 9] = [
    ([2, 2], false),
    ([2, 4], false),
    ([4, 2], false),
    ([3, 3], false),
    ([5, 3], false),
    ([7, 9], false),
    ([4, 1], true),
    ([5, 1], true),
    ([11, 6], false),
];

/// Returns a match state with the player on roll as player 0.
fn at_score(away: [u16; 2], exponent: u8, owner: DoublingCubeOwner) -> Match {
    let length = 11;
    Match {
        length,
        score: away.map(|away| length - away),
        doubling_cube_exponent: exponent,
        doubling_cube_owner: owner,
        on_roll: 0,
        ..Match::MONEY
    }
}

/// Returns a random bear-off: up to `checkers` checkers of each player on the points up to `highest`.
fn random_bearoff(random: &mut Stream, checkers: u32, highest: u32) -> Position {
    let mut side = || {
        let mut counts = [0; PLACES];
        let count = 1 + random.below(checkers) as u8;
        (0..count).for_each(|_| counts[1 + random.below(highest) as usize] += 1);
        counts[OFF] = CHECKERS - count;
        counts
    };
    Position::new(side(), side()).unwrap()
}

#[test]
fn bearoffs_in_matches_are_those_of_the_reference() {
    let mut random = Stream::new(5, 0);
    for (away, post_crawford) in SCORES {
        let mut reference = CubefulBearOff::of_match(away.map(i32::from), post_crawford);
        for (exponent, owner) in [(0, None), (1, Some(0)), (2, Some(0))]
            .into_iter()
            .filter(|(exponent, _)| 1 << exponent < away[0])
        {
            let state = at_score(
                away,
                exponent,
                owner.map_or(DoublingCubeOwner::Centered, DoublingCubeOwner::Player),
            );
            let context = DoublingContext::new(&state).unwrap();
            let cube = 1 << exponent;
            let [lost, won] = [-cube, cube].map(|points| reference.value_of_points(points));
            for _ in 0..6 {
                let position = random_bearoff(&mut random, 3, 6);
                let (decision, method) = DoublingDecision::of_position(&position, [0.1; 5], &context);
                assert_eq!(method, DoublingMethod::Exact);
                let no_double = reference.held(&position, 0, (cube, owner.map(usize::from)));
                let double_take = reference.held(&position, 0, (2 * cube, Some(1)));
                for (found, value) in [(decision.no_double, no_double), (decision.double_take, double_take)] {
                    let expected = 2.0 * (value - lost) / (won - lost) - 1.0;
                    assert!(
                        (found - expected).abs() < 1e-4,
                        "{away:?} {exponent} {owner:?} {position:?}: {found}, {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn bearoffs_for_money_are_those_of_the_reference() {
    let mut random = Stream::new(6, 0);
    let mut reference = CubefulBearOff::of_money();
    for (exponent, owner) in [(0, None), (1, Some(0))] {
        let owned = owner.map_or(DoublingCubeOwner::Centered, DoublingCubeOwner::Player);
        let state = Match { doubling_cube_exponent: exponent, doubling_cube_owner: owned, ..Match::MONEY };
        let context = DoublingContext::new(&Match { without_jacoby: true, ..state }).unwrap();
        for _ in 0..20 {
            let position = random_bearoff(&mut random, 3, 6);
            let (decision, _) = DoublingDecision::of_position(&position, [0.1; 5], &context);
            let no_double = reference.held(&position, 0, (1, owner.map(usize::from)));
            let double_take = reference.held(&position, 0, (2, Some(1)));
            for (found, expected) in [(decision.no_double, no_double), (decision.double_take, double_take)] {
                assert!((found - expected).abs() < 1e-4, "{owner:?} {position:?}: {found}, {expected}");
            }
        }
    }
}

#[test]
fn exact_decisions_in_matches_are_bounded_and_monotonic() {
    let mut random = Stream::new(7, 0);
    for (away, _) in SCORES {
        let decision = |position: &Position, exponent, owner| {
            let context = DoublingContext::new(&at_score(away, exponent, owner)).unwrap();
            let (decision, method) = DoublingDecision::of_position(position, [0.1; 5], &context);
            assert_eq!(method, DoublingMethod::Exact);
            decision
        };
        for _ in 0..5 {
            let position = random_bearoff(&mut random, 4, 6);
            let center = decision(&position, 0, DoublingCubeOwner::Centered);
            // Without gammons, the player wins at most the doubling cube, and may pass a double of the opponent.
            assert!(center.no_double.abs() < 1.0 + 1e-5, "{away:?} {position:?}: {center:?}");
            // A checker borne off is never a disadvantage.
            let mut counts = position.mine().counts();
            let highest = position.mine().highest();
            (counts[highest], counts[OFF]) = (counts[highest] - 1, counts[OFF] + 1);
            if counts[OFF] < CHECKERS {
                let ahead = Position::new(counts, position.theirs().counts()).unwrap();
                let ahead = decision(&ahead, 0, DoublingCubeOwner::Centered);
                assert!(
                    ahead.no_double > center.no_double - 1e-5,
                    "{away:?} {position:?}: {ahead:?} {center:?}"
                );
                assert!(ahead.double_take > center.double_take - 1e-5, "{away:?} {position:?}");
            }
        }
    }
}

//! Matches and money sessions at the table: doubling cube, score, and doubling decisions of computers.

use crate::table::{
    TWO, analyze, finished_analysis, handle_command, look, small, table, wait_for, wait_until,
};
use vivarium_exhibit_games::protocol::GameCommand as Command;
use vivarium_exhibit_games::protocol::{
    DiceMode, DoublingChoice, GameDoubling, GamePlayer, GamePosition, GameStage, GameTable, GameView,
};
use vivarium_exhibit_games::{FAMILY, GameExhibit};

/// One checker of each player on the ace point: the player on roll wins.
const LAST_ROLL: &str = "AQAABAAAAAAAAA";

fn start(experiment: &mut GameExhibit, seats: [GamePlayer; 2], length: Option<u16>) {
    handle_command(experiment, Command::SetSeats { seats });
    handle_command(experiment, Command::StartMatch { length, jacoby: false });
}

fn enter(experiment: &mut GameExhibit, id: &str, seat: u8) {
    let position = GamePosition::Id { id: id.into() };
    handle_command(experiment, Command::SetPosition { position, seat: Some(seat), dice: None });
}

fn doubling(table: &GameTable) -> &GameDoubling {
    table.doubling.as_ref().unwrap()
}

/// Rolls the dice and plays the first legal moves.
fn play_turn(experiment: &mut GameExhibit) {
    handle_command(experiment, Command::Roll { dice: None });
    while let Some(target) = table(experiment).targets.first().cloned() {
        handle_command(experiment, Command::Move { from: target.from, to: target.to });
    }
    handle_command(experiment, Command::ConfirmTurn);
}

#[test]
fn cubeless_games_have_no_doubling_cube() {
    for name in ["backgammon", "connect-four"] {
        let mut experiment = small(name);
        assert_eq!(table(experiment.as_mut()).doubling, None, "{name}");
    }
}

#[test]
fn a_double_is_taken_and_a_redouble_is_dropped() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    start(experiment, TWO, Some(0));
    let opening = table(experiment);
    assert!(!doubling(&opening).can_double, "there is no double before the opening roll");
    play_turn(experiment);
    let before = table(experiment);
    let (doubler, taker) = (before.seat, 1 - before.seat);
    assert!(doubling(&before).can_double);

    handle_command(experiment, Command::Double);
    let offered = table(experiment);
    assert_eq!((offered.stage, offered.seat, doubling(&offered).cube), (GameStage::Doubled, doubler, 1));
    assert_eq!(offered.max_loss, [0, 0], "the answer to a double is take or drop");
    assert!(experiment.command(Command::Roll { dice: None }).is_err());
    handle_command(experiment, Command::Take);
    let taken = table(experiment);
    assert_eq!((taken.stage, doubling(&taken).cube), (GameStage::Roll, 2));
    assert_eq!((doubling(&taken).owner, doubling(&taken).points), (Some(taker), [2, 4, 6]));
    assert!(!doubling(&taken).can_double, "the opponent owns the doubling cube");
    play_turn(experiment);
    let played = table(experiment);
    assert_eq!((played.history[0].doubled, played.history[1].doubled), (None, Some(2)));
    assert!(played.history[1].id != before.id && played.seat == taker);

    handle_command(experiment, Command::Double);
    handle_command(experiment, Command::Drop);
    let over = table(experiment);
    let outcome = over.outcome.clone().unwrap();
    assert_eq!((outcome.winner, outcome.points, outcome.how.as_str()), (Some(taker), 2, "dropped"));
    assert_eq!(over.score[usize::from(taker)], 2);

    // Taking back returns to the decision to double, then to earlier turns with their doubling cube.
    assert!(doubling(&over).can_take_back);
    handle_command(experiment, Command::TakeBack { turn: None });
    let back = table(experiment);
    assert_eq!(
        (&back.board, &back.id, back.score, back.stage),
        (&played.board, &played.id, [0, 0], GameStage::Roll)
    );
    handle_command(experiment, Command::TakeBack { turn: Some(1) });
    assert_eq!((doubling(&table(experiment)).cube, table(experiment).id), (2, played.history[1].id.clone()));
    handle_command(experiment, Command::TakeBack { turn: Some(0) });
    assert_eq!((doubling(&table(experiment)).cube, doubling(&table(experiment)).owner), (1, None));
}

#[test]
fn a_double_before_the_current_roll_is_taken_back() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    start(experiment, TWO, Some(0));
    play_turn(experiment);
    let before = table(experiment);
    handle_command(experiment, Command::Double);
    handle_command(experiment, Command::Take);
    handle_command(experiment, Command::Roll { dice: None });
    let dice = table(experiment).dice;
    handle_command(experiment, Command::TakeBack { turn: None });
    let back = table(experiment);
    assert_eq!((back.stage, &back.id, doubling(&back).cube), (GameStage::Roll, &before.id, 1));
    assert!(doubling(&back).can_double && !doubling(&back).can_take_back);
    handle_command(experiment, Command::Roll { dice: None });
    assert_eq!(table(experiment).dice, dice, "the dice do not depend on the double");
}

#[test]
fn a_match_has_a_crawford_game_and_an_end() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    let next = |experiment: &mut GameExhibit| {
        handle_command(experiment, Command::NewGame { seats: TWO, first: None });
        table(experiment)
    };
    start(experiment, TWO, Some(3));
    handle_command(experiment, Command::Resign { seat: 1, points: 2 });
    let crawford = next(experiment);
    assert_eq!((crawford.score, doubling(&crawford).crawford), ([2, 0], true));
    play_turn(experiment);
    assert!(!doubling(&table(experiment)).can_double, "there is no doubling cube in the Crawford game");
    handle_command(experiment, Command::Resign { seat: 0, points: 1 });
    let after = next(experiment);
    assert_eq!((after.score, doubling(&after).crawford), ([2, 1], false));
    play_turn(experiment);
    if table(experiment).seat == 0 {
        assert!(!doubling(&table(experiment)).can_double, "seat 0 has no use for a double");
        play_turn(experiment);
    }
    handle_command(experiment, Command::Double);
    handle_command(experiment, Command::Take);
    handle_command(experiment, Command::Resign { seat: 0, points: 1 });
    let over = table(experiment);
    assert_eq!((over.score, doubling(&over).match_winner), ([2, 3], Some(1)));
    let again = next(experiment);
    assert_eq!((again.score, doubling(&again).length, doubling(&again).match_winner), ([0, 0], 3, None));
    // A match is abandoned with its game; a money session keeps its score.
    handle_command(experiment, Command::Resign { seat: 1, points: 1 });
    next(experiment);
    assert_eq!(next(experiment).score, [0, 0]);
    handle_command(experiment, Command::StartMatch { length: Some(0), jacoby: true });
    handle_command(experiment, Command::Resign { seat: 1, points: 1 });
    assert!(experiment.command(Command::Resign { seat: 1, points: 1 }).is_err());
    next(experiment);
    let money = next(experiment);
    assert_eq!((money.score, doubling(&money).jacoby), ([1, 0], true));
    assert_eq!(money.max_loss, [1, 1], "with the Jacoby rule, gammons do not count before a double");
    // A match to 1 point has no doubling cube.
    handle_command(experiment, Command::StartMatch { length: Some(1), jacoby: false });
    play_turn(experiment);
    assert!(!doubling(&table(experiment)).can_double);
}

#[test]
fn new_players_start_with_score_0() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    start(experiment, TWO, Some(5));
    handle_command(experiment, Command::Resign { seat: 1, points: 3 });
    let seats = [GamePlayer::Person, GamePlayer::Random];
    handle_command(experiment, Command::SetSeats { seats });
    assert_eq!(table(experiment).score, [0, 0]);
    handle_command(experiment, Command::NewGame { seats, first: None });
    let next = table(experiment);
    assert_eq!((next.score, doubling(&next).length), ([0, 0], 5));
}

/// A pretrained network takes its seat when it has been downloaded, possibly after the position was entered.
#[test]
fn new_players_keep_the_score_of_an_entered_position() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::SetSeats { seats: TWO });
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:5:10".into();
    let position = GamePosition::Id { id };
    handle_command(experiment, Command::SetPosition { position, seat: None, dice: None });
    let entered = table(experiment);
    let seats = [GamePlayer::Person, GamePlayer::Random];
    handle_command(experiment, Command::SetSeats { seats });
    let seated = table(experiment);
    assert_eq!((seated.score, &seated.id), ([2, 1], &entered.id));
    // A game that starts at the initial position is the first one of a new match.
    handle_command(experiment, Command::NewGame { seats: TWO, first: None });
    assert_eq!(table(experiment).score, [0, 0]);
}

#[test]
fn computers_double_and_answer_by_the_equities() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    let network = GamePlayer::Newest { simulations: 0 };
    for player in [network, GamePlayer::Pubeval] {
        // The computer is sure to win, and doubles.
        start(experiment, [GamePlayer::Person, player], Some(0));
        enter(experiment, LAST_ROLL, 1);
        let offered = wait_for(experiment, GameStage::Doubled);
        let last = doubling(&offered).last.clone().unwrap();
        assert_eq!(
            (last.seat, last.chosen, last.best),
            (1, Some(DoublingChoice::Double), DoublingChoice::Double)
        );
        assert_eq!(last.equities[2], 1.0);
        // The probabilities of a bear-off do not depend on the network.
        let [win, others @ ..] = last.probabilities;
        assert!((win - 1.0).abs() < 1e-6 && others == [0.0; 4], "{last:?}");
        assert!((last.equities[1] - 2.0).abs() < 1e-5, "{last:?}");
        // The human player is shown the decision: a take loses 1 point more than a drop.
        let pending = wait_until(experiment, |table| doubling(table).pending.is_some());
        let pending = doubling(&pending).pending.clone().unwrap();
        assert_eq!((pending.seat, pending.chosen, pending.best), (0, None, DoublingChoice::Drop));
        assert!((pending.costs[2] - 1.0).abs() < 1e-5 && pending.costs[3] == 0.0, "{pending:?}");
        handle_command(experiment, Command::Take);
        let taken = table(experiment);
        assert_eq!(doubling(&taken).last.as_ref().unwrap().chosen, Some(DoublingChoice::Take));
        // After a take, taking back returns to the offered double.
        handle_command(experiment, Command::TakeBack { turn: None });
        let back = table(experiment);
        assert_eq!((back.stage, &back.id), (GameStage::Doubled, &offered.id));
        handle_command(experiment, Command::Take);
        let over = wait_for(experiment, GameStage::Over);
        assert_eq!(over.score, [0, over.outcome.unwrap().points]);
        assert!(over.score[1] >= 2);

        // Outside of bear-offs, the equities are computed from the probabilities of the network.
        start(experiment, [GamePlayer::Person, player], Some(0));
        enter(experiment, "4HPwATDgc/ABMA", 0);
        let open = wait_until(experiment, |table| doubling(table).pending.is_some());
        let pending = doubling(&open).pending.clone().unwrap();
        let [win, gammon, ..] = pending.probabilities;
        assert!([win, gammon].iter().all(|probability| (0.1..0.9).contains(probability)), "{pending:?}");

        // The human player is sure to win, and the computer drops.
        start(experiment, [GamePlayer::Person, player], Some(0));
        enter(experiment, LAST_ROLL, 0);
        let open = wait_until(experiment, |table| doubling(table).pending.is_some());
        assert_eq!(
            (open.stage, doubling(&open).pending.as_ref().unwrap().best),
            (GameStage::Roll, DoublingChoice::Double)
        );
        handle_command(experiment, Command::Double);
        let over = wait_for(experiment, GameStage::Over);
        assert_eq!((over.score, doubling(&over).last.as_ref().unwrap().seat), ([1, 0], 1));
        assert_eq!(doubling(&over).last.as_ref().unwrap().chosen, Some(DoublingChoice::Drop));
        handle_command(experiment, Command::TakeBack { turn: None });
        assert_eq!(table(experiment).stage, GameStage::Roll);
        // A roll without a double is a decision, too.
        handle_command(experiment, Command::Roll { dice: None });
        let missed = doubling(&table(experiment)).last.clone().unwrap();
        assert_eq!((missed.chosen, missed.best), (Some(DoublingChoice::NoDouble), DoublingChoice::Double));
    }
}

#[test]
fn networks_play_matches_with_the_doubling_cube() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::SetPace { seconds: Some(0.0) });
    let seats = [GamePlayer::Newest { simulations: 0 }, GamePlayer::Pubeval];
    start(experiment, seats, Some(3));
    let mut doubles = 0;
    for _ in 0..20 {
        let over = wait_for(experiment, GameStage::Over);
        doubles += over.history.iter().filter(|turn| turn.doubled.is_some()).count();
        doubles += usize::from(over.outcome.is_some_and(|outcome| outcome.how == "dropped"));
        if over.doubling.is_some_and(|doubling| doubling.match_winner.is_some()) {
            assert!(over.score.iter().any(|&points| points >= 3));
            break;
        }
        handle_command(experiment, Command::NewGame { seats, first: None });
    }
    assert!(doubling(&table(experiment)).match_winner.is_some() && doubles > 0);
}

#[test]
fn automatic_rolls_wait_for_a_doubling_decision_of_a_human_player() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::SetDiceMode { mode: DiceMode::Roll });
    start(experiment, TWO, Some(0));
    enter(experiment, "4HPwATDgc/ABMA", 0);
    for _ in 0..20 {
        look(experiment, &GameView::default(), 1.0);
    }
    assert_eq!(table(experiment).stage, GameStage::Roll);
    handle_command(experiment, Command::Double);
    handle_command(experiment, Command::Take);
    wait_for(experiment, GameStage::Person);
}

#[test]
fn ids_contain_cube_and_score() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::SetSeats { seats: TWO });
    // A money ID with the cube in the middle does not add a cube to cubeless games.
    enter(experiment, "4HPwATDgc/ABMA:cAkAAAAAAAAA", 0);
    assert_eq!(table(experiment).doubling, None);
    // Match to 5, score 2-1, the cube at 2 is owned by the bottom player, who redoubles.
    let xgid = "XGID=-b----E-C---eE---c-e----B-:1:1:1:D:2:1:0:5:10";
    let position = || GamePosition::Id { id: xgid.into() };
    handle_command(experiment, Command::SetPosition { position: position(), seat: None, dice: None });
    let seen = table(experiment);
    assert_eq!((seen.stage, seen.seat, seen.score), (GameStage::Doubled, 0, [2, 1]));
    assert_eq!((doubling(&seen).cube, doubling(&seen).owner, doubling(&seen).length), (2, Some(0), 5));
    assert!(seen.notice.is_some_and(|notice| notice.contains("doubling cube")));
    // The ID that the table shows describes the same state.
    let id = seen.id;
    handle_command(experiment, Command::StartMatch { length: Some(7), jacoby: false });
    handle_command(
        experiment,
        Command::SetPosition { position: GamePosition::Id { id: id.clone() }, seat: None, dice: None },
    );
    let again = table(experiment);
    assert_eq!((again.id, again.score, again.stage, again.notice), (id, [2, 1], GameStage::Doubled, None));
    // For the other seat, the players exchange seats.
    handle_command(experiment, Command::SetPosition { position: position(), seat: Some(1), dice: None });
    let swapped = table(experiment);
    assert_eq!((swapped.seat, swapped.score, doubling(&swapped).owner), (1, [1, 2], Some(1)));
    // A position without a match ID keeps match and score, with the cube in the middle.
    enter(experiment, "4HPwATDgc/ABMA", 0);
    let kept = table(experiment);
    assert_eq!((kept.score, doubling(&kept).cube, doubling(&kept).owner), ([1, 2], 1, None));
}

/// Starting position with a roll, at the last score of a match: only the winning probability counts.
fn last_score(roll: &str) -> String {
    format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:{roll}:4:4:0:5:10")
}

fn enter_id(experiment: &mut GameExhibit, id: String) {
    let position = GamePosition::Id { id };
    handle_command(experiment, Command::SetPosition { position, seat: Some(0), dice: None });
}

#[test]
fn plays_are_ranked_at_the_score() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    analyze(experiment, 200);
    handle_command(experiment, Command::SetSeats { seats: TWO });
    let mut others = 0;
    for roll in ["64", "41", "62", "51"] {
        // A money ID with the cube in the middle does not add a cube to cubeless games.
        handle_command(experiment, Command::StartMatch { length: None, jacoby: false });
        enter_id(experiment, last_score(roll).replace(":4:4:0:5:", ":0:0:0:0:"));
        let cubeless = finished_analysis(experiment, 200);
        assert!(cubeless.candidates.iter().all(|play| play.visits > 0));

        enter_id(experiment, last_score(roll));
        let at_score = finished_analysis(experiment, 200);
        assert_eq!(at_score.candidates.len(), 24.min(at_score.plays as usize), "all plays are compared");
        assert!(at_score.candidates.is_sorted_by(|a, b| a.equity >= b.equity));
        for play in &at_score.candidates {
            assert_eq!(play.lost, at_score.equity - play.equity);
            if let [win, ..] = play.outcome_probabilities[..] {
                assert!((play.equity - (2.0 * win - 1.0)).abs() < 1e-5, "{play:?}");
            }
        }
        others += u32::from(at_score.candidates[0].text != cubeless.candidates[0].text);
    }
    assert!(others > 0, "the best play depends on the score");
}

#[test]
fn networks_and_assessments_use_the_equity_at_the_score() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    // All plays have the estimates of the network.
    analyze(experiment, 1);
    handle_command(experiment, Command::SetPace { seconds: Some(0.0) });
    let network = GamePlayer::Newest { simulations: 0 };
    let mut others = 0;
    for roll in ["64", "41", "62", "51"] {
        start(experiment, TWO, Some(5));
        enter_id(experiment, last_score(roll));
        let at_score = finished_analysis(experiment, 1);
        let best = &at_score.candidates[0];
        // The human player makes another play.
        let second = &at_score.candidates[1];
        for one in &second.moves {
            handle_command(experiment, Command::Move { from: one.from, to: one.to });
        }
        handle_command(experiment, Command::ConfirmTurn);
        let turn = table(experiment).history[0].clone();
        assert_eq!((turn.lost, turn.equity), (Some(second.lost), Some(second.equity)));
        assert_eq!(turn.best, Some(best.text.clone()).filter(|_| second.lost > 0.0));

        handle_command(experiment, Command::SetSeats { seats: [network, GamePlayer::Person] });
        enter_id(experiment, last_score(roll));
        let made = wait_until(experiment, |table| !table.history.is_empty()).history[0].text.clone();
        assert_eq!(made, best.text, "{roll}");
        handle_command(experiment, Command::StartMatch { length: None, jacoby: false });
        enter_id(experiment, last_score(roll).replace(":4:4:0:5:", ":0:0:0:0:"));
        let cubeless = wait_until(experiment, |table| !table.history.is_empty()).history[0].text.clone();
        others += u32::from(cubeless != made);
    }
    assert!(others > 0, "the play depends on the score");
}

#[test]
fn resignations_are_answered_at_the_score() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    let seats = [GamePlayer::Person, GamePlayer::Newest { simulations: 0 }];
    // The computer wins a backgammon, which is worth no more than a single game at the last score.
    let (mut behind, mut ahead) = (vec![0; 26], vec![0; 26]);
    (behind[24], ahead[0], ahead[2]) = (15, 14, 1);
    let mut resign = |score: u16| {
        start(experiment, seats, Some(5));
        enter_id(experiment, last_score("64").replace(":4:4:", &format!(":{score}:{score}:")));
        let position = GamePosition::Checkers { checkers: [behind.clone(), ahead.clone()] };
        handle_command(experiment, Command::SetPosition { position, seat: Some(0), dice: Some([6, 5]) });
        finished_analysis(experiment, 16);
        experiment.command(Command::Resign { seat: 0, points: 1 })
    };
    let refused = resign(0).unwrap_err().to_string();
    assert!(refused.contains("that of the offer 1.00"), "{refused}");
    assert!(resign(4).is_ok());
}

#[test]
fn an_xgid_starts_a_money_session_with_its_rules_in_every_game() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::SetSeats { seats: TWO });
    for length in [None, Some(7), Some(0)] {
        for (rule, jacoby) in [(0, false), (1, true)] {
            handle_command(experiment, Command::StartMatch { length, jacoby: !jacoby && length == Some(0) });
            let id = format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:{rule}:0:10");
            handle_command(
                experiment,
                Command::SetPosition { position: GamePosition::Id { id }, seat: None, dice: None },
            );
            let seen = table(experiment);
            let doubling = doubling(&seen);
            assert_eq!((doubling.length, doubling.jacoby, doubling.cube), (0, jacoby, 1), "{length:?}");
            assert_eq!((seen.dice, seen.notice.is_some()), (Some([3, 1]), length.is_none()), "{length:?}");
        }
    }
}

#[test]
fn matches_are_restored_from_a_checkpoint() {
    /// Returns the JSON document `table` without the evaluations of doubling decisions, which are not stored.
    fn stored(experiment: &mut GameExhibit) -> GameTable {
        let table = table(experiment);
        let doubling = table.doubling.map(|doubling| GameDoubling { pending: None, last: None, ..doubling });
        GameTable { doubling, ..table }
    }
    let check = |experiment: &mut GameExhibit| {
        let mut opened = FAMILY.open(&experiment.save()).unwrap();
        let notices: Vec<_> = opened.take_metrics().into_iter().filter_map(|row| row.notice).collect();
        assert!(notices.is_empty(), "{notices:?}");
        assert_eq!(stored(opened.as_mut()), stored(experiment));
        opened
    };
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    start(experiment, TWO, Some(5));
    handle_command(experiment, Command::Resign { seat: 1, points: 2 });
    check(experiment);
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    play_turn(experiment);
    handle_command(experiment, Command::Double);
    check(experiment);
    handle_command(experiment, Command::Take);
    check(experiment);
    play_turn(experiment);
    handle_command(experiment, Command::Double);
    handle_command(experiment, Command::Drop);
    let mut opened = check(experiment);
    for experiment in [experiment, opened.as_mut()] {
        handle_command(experiment, Command::TakeBack { turn: None });
        assert_eq!(doubling(&table(experiment)).cube, 2);
        handle_command(experiment, Command::TakeBack { turn: Some(0) });
        assert_eq!((doubling(&table(experiment)).cube, table(experiment).score), (1, [2, 0]));
    }
}

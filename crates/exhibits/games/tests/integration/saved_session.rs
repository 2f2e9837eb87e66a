//! Checkpoints of board-game experiments: restored parts, and rejection of invalid parts.

use crate::table::{
    TWO, analyze, document, everything, finished_analysis, handle_command, look, small, table, wait_for,
};
use serde_json::{Value, json};
use vivarium_exhibit_games::protocol::GameCommand as Command;
use vivarium_exhibit_games::protocol::{
    DiceMode, GameAnalysis, GamePlayer, GamePosition, GameRun, GameStage, GameTable, GameView,
};
use vivarium_exhibit_games::{FAMILY, GameExhibit};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint;
use vivarium_lab::protocol::Reply;

/// Returns the JSON documents `table` and `run`, and the analysis of each finished turn.
fn seen(experiment: &mut GameExhibit) -> (GameTable, GameRun, Vec<Option<GameAnalysis>>) {
    let frame = everything(experiment, 0.0);
    let table: GameTable = document(&frame, "table").unwrap();
    let thoughts = (0..table.history.len() as u32).map(|turn| {
        look(experiment, &GameView::default(), 0.0);
        let view = GameView { documents: true, turn: Some(turn), ..GameView::default() };
        document(&look(experiment, &view, 0.0), "analysis").unwrap()
    });
    let thoughts = thoughts.collect();
    (table, document(&frame, "run").unwrap(), thoughts)
}

/// Returns the experiment that the checkpoint of `experiment` restores, after checking that both have equal JSON
/// documents, without the notice about an entered position. The only notice of the run may be that self-play games restart.
fn reopened(experiment: &mut GameExhibit) -> Box<GameExhibit> {
    let bytes = experiment.save();
    let mut opened = FAMILY.open(&bytes).unwrap();
    let said: Vec<_> = opened.take_metrics().into_iter().filter_map(|row| row.notice).collect();
    let has_learned = experiment.progress().episodes > 0;
    assert_eq!(said.len(), usize::from(has_learned), "{said:?}");
    assert!(said.iter().all(|notice| notice.contains("replay buffer restart")), "{said:?}");
    let mut before = seen(experiment);
    before.0.notice = None;
    assert_eq!(seen(opened.as_mut()), before);
    let [one, other] =
        [opened.save(), experiment.save()].map(|bytes| checkpoint::read_header(&bytes).unwrap());
    assert_eq!(one, other);
    opened
}

#[test]
fn backgammon_games_in_progress_are_restored() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    reopened(experiment);
    analyze(experiment, 40);
    handle_command(experiment, Command::SetDiceMode { mode: DiceMode::Roll });
    handle_command(experiment, Command::SetPace { seconds: Some(0.0) });
    let seats = [GamePlayer::Person, GamePlayer::Pubeval];
    handle_command(experiment, Command::NewGame { seats, first: None });
    reopened(experiment);
    for turn in 0..12 {
        if wait_for(experiment, GameStage::Person).targets.is_empty() {
            handle_command(experiment, Command::ConfirmTurn);
            continue;
        }
        finished_analysis(experiment, 40);
        while let Some(target) = table(experiment).targets.first().cloned() {
            handle_command(experiment, Command::Move { from: target.from, to: target.to });
            // Save in the middle of a turn.
            if turn == 3 {
                let mut opened = reopened(experiment);
                handle_command(opened.as_mut(), Command::UndoMove);
            }
        }
        handle_command(experiment, Command::ConfirmTurn);
    }
    let mut opened = reopened(experiment);
    let (then, _, thoughts) = seen(opened.as_mut());
    assert!(then.history.len() >= 23 && thoughts.iter().flatten().count() > 10);
    assert!(then.history.iter().any(|turn| turn.lost.is_some()));
    // After restoring, the next dice are the same, and so is the turn to which the game is taken back.
    let both = [experiment, opened.as_mut()];
    let [one, other] = both.map(|experiment| {
        let next = wait_for(experiment, GameStage::Person);
        handle_command(experiment, Command::TakeBack { turn: Some(5) });
        (next.dice, next.board, table(experiment))
    });
    assert_eq!(one, other);
}

#[test]
fn saved_tables_keep_their_dice_seed() {
    let rolls = |experiment: &mut GameExhibit| {
        let mut rolls = Vec::new();
        while rolls.len() < 8 {
            let next = table(experiment);
            match next.stage {
                GameStage::Roll => handle_command(experiment, Command::Roll { dice: None }),
                _ => {
                    rolls.push(next.dice.unwrap());
                    while let Some(target) = table(experiment).targets.first().cloned() {
                        handle_command(experiment, Command::Move { from: target.from, to: target.to });
                    }
                    handle_command(experiment, Command::ConfirmTurn);
                }
            }
        }
        rolls
    };
    let seeded = |seed: Option<u32>| {
        let mut experiment = small("backgammon");
        if let Some(seed) = seed {
            handle_command(experiment.as_mut(), Command::SeedDice { seed });
        }
        handle_command(experiment.as_mut(), Command::NewGame { seats: TWO, first: None });
        experiment
    };
    let [one, again, other, unseeded] =
        [Some(1), Some(1), Some(2), None].map(|seed| rolls(seeded(seed).as_mut()));
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert_ne!(one, unseeded);
    // The checkpoint contains the seed of the dice.
    let mut opened = reopened(seeded(Some(1)).as_mut());
    assert_eq!(rolls(opened.as_mut()), one);
}

#[test]
fn positions_results_and_scores_are_restored() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(1) });
    handle_command(experiment, Command::Resign { seat: 1, points: 2 });
    reopened(experiment);
    let position = GamePosition::Id { id: "4HPwATDgc/ABMA:QYkqASAAIAAA".into() };
    handle_command(experiment, Command::SetPosition { position, seat: Some(1), dice: Some([6, 6]) });
    let opened = seen(reopened(experiment).as_mut()).0;
    assert_eq!((opened.score, opened.dice, opened.seat), ([2, 4], Some([6, 6]), 1));
    assert!(opened.doubling.is_some_and(|doubling| doubling.length == 9));
    assert_eq!((table(experiment).notice.is_some(), opened.notice), (true, None));
    // A computer that waits in an entered position.
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:64:0:0:0:0:10".to_owned();
    handle_command(experiment, Command::SetSeats { seats: [GamePlayer::Person, GamePlayer::Pips] });
    let position = GamePosition::Id { id };
    handle_command(experiment, Command::SetPosition { position, seat: None, dice: None });
    let mut opened = FAMILY.open(&experiment.save()).unwrap();
    assert!(seen(opened.as_mut()).0.waits);
    handle_command(experiment, Command::StartMatch { length: None, jacoby: false });
    // Play a complete game.
    handle_command(experiment, Command::SetPace { seconds: Some(0.0) });
    handle_command(
        experiment,
        Command::NewGame { seats: [GamePlayer::Pubeval, GamePlayer::Pips], first: None },
    );
    wait_for(experiment, GameStage::Over);
    reopened(experiment);
    handle_command(experiment, Command::TakeBack { turn: Some(0) });
    assert_eq!(table(experiment).score, [0, 0]);

    let mut other = small("connect-four");
    let other = other.as_mut();
    let position = GamePosition::Id { id: "4453".into() };
    handle_command(other, Command::SetSeats { seats: TWO });
    handle_command(other, Command::SetPosition { position, seat: Some(1), dice: None });
    handle_command(other, Command::Move { from: 2, to: 2 });
    reopened(other);
    handle_command(other, Command::NewGame { seats: TWO, first: None });
    for column in [3, 2, 3, 2, 3, 2, 3] {
        handle_command(other, Command::Move { from: column, to: column });
    }
    let won = seen(reopened(other).as_mut()).0;
    assert!(won.stage == GameStage::Over && won.score.iter().sum::<u32>() == 1);
}

#[test]
fn ladder_results_and_players_are_restored() {
    let mut experiment = small("connect-four");
    let cpu = Cpu::new(2);
    let players = |experiment: &mut GameExhibit| seen(experiment).1.players;
    let earlier = |experiment: &mut GameExhibit| {
        let all = players(experiment).into_iter().map(|choice| choice.player);
        all.filter(|player| matches!(player, GamePlayer::Earlier { .. })).collect::<Vec<_>>()
    };
    for _ in 0..20_000 {
        experiment.advance(&cpu).unwrap();
        if !earlier(experiment.as_mut()).is_empty() && !seen(experiment.as_mut()).1.ladder.is_empty() {
            break;
        }
    }
    let experiment = experiment.as_mut();
    // A network of another size can play, too.
    let large = json!({ "network": { "width": 32, "blocks": 2 } });
    let mut large = FAMILY.create("connect-four", &large, 9).unwrap();
    let Ok(Reply::File { bytes, .. }) = large.command(Command::ExportPlayer) else { panic!() };
    experiment.open_player(&bytes).unwrap();
    let past = earlier(experiment)[0];
    let GamePlayer::Earlier { promotion, .. } = past else { panic!() };
    let seats = [GamePlayer::Earlier { promotion, simulations: 10 }, GamePlayer::Opened { simulations: 5 }];
    handle_command(experiment, Command::SetPace { seconds: None });
    handle_command(experiment, Command::NewGame { seats, first: Some(0) });
    let mut opened = reopened(experiment);
    assert!(seen(opened.as_mut()).1.ladder.len() >= 4);
    // In the restored run, the players make the same moves.
    let [one, other] = [experiment, opened.as_mut()].map(|experiment| {
        handle_command(experiment, Command::SetPace { seconds: Some(0.0) });
        wait_for(experiment, GameStage::Over).id
    });
    assert_eq!(one, other);
}

/// Returns the checkpoint of a backgammon game in progress whose header fields were modified by `change`.
fn changed(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut experiment = small("backgammon");
    handle_command(experiment.as_mut(), Command::NewGame { seats: TWO, first: Some(0) });
    for _ in 0..3 {
        handle_command(experiment.as_mut(), Command::Roll { dice: None });
        while let Some(target) = table(experiment.as_mut()).targets.first().cloned() {
            handle_command(experiment.as_mut(), Command::Move { from: target.from, to: target.to });
        }
        handle_command(experiment.as_mut(), Command::ConfirmTurn);
    }
    let (mut header, tensors) = checkpoint::read(&experiment.save()).unwrap();
    change(&mut header.more);
    checkpoint::write(&header, &tensors.into_vec())
}

#[test]
fn invalid_tables_are_dropped_with_a_notice() {
    let four = small("connect-four");
    let (four, _) = checkpoint::read(&four.save()).unwrap();
    let table_of_four = four.more["table"].clone();
    type Change = Box<dyn FnOnce(&mut Value)>;
    let set = |path: &'static str, value: Value| -> (Change, &'static str) {
        (Box::new(move |more: &mut Value| *more.pointer_mut(path).expect(path) = value), path)
    };
    let changes = [
        set("/table", json!("nonsense")),
        set("/table", json!({})),
        set("/table", table_of_four),
        set("/table/table/id", json!("4HPwATDgc/ABMA:cAkAAAAAAAAA")),
        set("/table/table/turns/1/moves", json!([[24, 1]])),
        set("/table/table/turns/1/moves", json!([[200, 255]])),
        set("/table/table/turns/0/dice", json!([4, 4])),
        set("/table/table/turns/0/dice", json!([9, 1])),
        set("/table/table/turns/2/dice", Value::Null),
        set("/table/table/turns/1/seat", json!(7)),
        set("/table/table/turns", json!([])),
        set("/table/table/moves", json!([[6, 5]])),
        set("/table/table/resigned", json!([5, 1])),
        set("/table/table/resigned", json!([0, 9])),
        set("/table/table/match_id", json!("cAkA")),
        set("/table/table/match_id", json!("QYkqASAAIAAA")),
        set("/table/table/turns/1/doubled", json!(true)),
        set("/table/table/double", json!("offered")),
        set("/table/table/pace", json!(-1)),
        set("/table/table/first", json!(3)),
        set("/table/table/entered", json!([{"kind": "id", "id": "abc"}, null])),
        set("/table/table/seats/0", json!({"kind": "opened", "simulations": 4})),
        set("/table/table/seats/0", json!({"kind": "minimax", "depth": 4})),
        set("/table/analyst", json!({"kind": "random"})),
        set("/table/speed", json!(0)),
        set("/table/past", json!([null, null, null, null])),
    ];
    for (change, path) in changes {
        let mut opened = FAMILY.open(&changed(change)).unwrap();
        let rows = opened.take_metrics();
        let notice = rows[0].notice.clone().unwrap();
        assert!(
            notice.contains("could not be restored") && notice.contains("a new game was started"),
            "{path}: {notice}"
        );
        assert_eq!(table(opened.as_mut()).history.len(), 0, "{path}");
        opened.advance(&Cpu::new(1)).unwrap();
    }
    for ladder in [
        json!(7),
        json!([{}]),
        json!([{"steps": 1, "generation": 1, "opponent": {"kind": "minimax", "depth": 2}, "label": "",
            "games": 2, "points": 0.0, "interval": [0.0, 0.0], "wins": 0.5}]),
        json!([{"steps": 1, "generation": 1, "opponent": {"kind": "random"}, "label": "",
            "games": 2, "points": 1e9, "interval": [0.0, 0.0], "wins": 0.5}]),
    ] {
        let mut opened = FAMILY.open(&changed(|more| more["ladder"] = ladder)).unwrap();
        let notice = opened.take_metrics()[0].notice.clone().unwrap();
        assert!(notice.contains("ladder results") && notice.contains("starts empty"), "{notice}");
        assert_eq!(table(opened.as_mut()).history.len(), 3);
    }
    // Older files without these fields have a new table and no notice.
    let mut old = FAMILY.open(&changed(|more| *more = Value::Null)).unwrap();
    assert_eq!(old.take_metrics(), []);
    assert_eq!(table(old.as_mut()).history.len(), 0);
}

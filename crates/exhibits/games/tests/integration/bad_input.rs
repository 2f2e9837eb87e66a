//! Tests of invalid files and commands: no panic, and the game that the user plays is unchanged.

use crate::{changed, refused};
use serde_json::json;
use vivarium_exhibit_games::protocol::GameCommand as Command;
use vivarium_exhibit_games::protocol::{GamePlayer, GamePosition, GameTable, GameView, TreeRequest};
use vivarium_exhibit_games::{FAMILY, GameExhibit};
use vivarium_graph::Cpu;
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData};

fn make(name: &str) -> Box<GameExhibit> {
    let config = json!({
        "network": { "width": 16, "blocks": 1 },
        "self_play": { "workers": 1, "games": 2 },
        "learning": { "minibatch": 64, "replay_capacity": 4096 },
    });
    FAMILY.create(name, &config, 3).unwrap()
}

fn table(experiment: &mut GameExhibit) -> GameTable {
    let view = |documents| GameView { documents, ..GameView::default() };
    experiment.frame(&view(false), 0.0);
    let frame = experiment.frame(&view(true), 0.0);
    match frame.documents {
        Some(documents) => documents.table.unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Executes a command that must fail, checks that the JSON document `table` (the user's game) is unchanged, and returns
/// the error message.
fn why(experiment: &mut GameExhibit, command: Command) -> String {
    refused::why(experiment, command, table)
}

fn enter(id: &str) -> Command {
    Command::SetPosition { position: GamePosition::Id { id: id.into() }, seat: None, dice: None }
}

#[test]
fn rejects_invalid_positions() {
    let mut experiment = make("backgammon");
    let experiment = experiment.as_mut();
    for (id, part) in [
        ("", "characters"),
        ("4HPwATDgc/AB", "14"),
        ("4HPwATDgc/AB!A", "character 13"),
        ("4HPwATDgc/ABMA:cAkA", "12"),
        ("4HPwATDgc/ABMA:cAk!AAAAAAAA", "character 4"),
        ("//////////////", "position"),
        ("cAkKAAAAAAAA", "this is a match ID"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:73:0:0:0:0:10", "a die shows 7"),
        ("4HPwATDgc/ABMA:////////////", "match ID"),
    ] {
        let error = why(experiment, enter(id));
        assert!(error.contains(part), "{id}: {error}");
    }
    let start = || GamePosition::Id { id: "4HPwATDgc/ABMA".into() };
    for dice in [[0, 3], [7, 1]] {
        let command = Command::SetPosition { position: start(), seat: None, dice: Some(dice) };
        assert!(why(experiment, command).contains("1 to 6"));
    }
    let command = Command::SetPosition { position: start(), seat: Some(2), dice: None };
    assert!(why(experiment, command).contains("seats are 0 and 1"));

    let mut counts = vec![0; 26];
    counts[6] = 15;
    for (checkers, part) in [
        ([counts[..25].to_vec(), counts.clone()], "26 numbers"),
        ([vec![255; 26], counts.clone()], "15 checkers"),
        ([vec![0; 26], counts.clone()], "15 checkers"),
    ] {
        let position = GamePosition::Checkers { checkers };
        let error = why(experiment, Command::SetPosition { position, seat: Some(1), dice: None });
        assert!(error.contains(part) || error.contains("each player has 15"), "{error}");
    }
    // Matches that cannot be continued: longer than the match equity table, over, or with an impossible double.
    for (id, part) in [
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:65:10", "at most 64"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:5:0:0:5:10", "less than the match length"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:4:0:1:5:10", "Crawford"),
        ("XGID=-b----E-C---eE---c-e----B-:1:-1:1:D:0:0:0:0:10", "opponent owns"),
    ] {
        let error = why(experiment, enter(id));
        assert!(error.contains(part), "{id}: {error}");
    }

    // An XGID with the roll 6-4 of the top player.
    experiment.command(enter("XGID=-b----E-C---eE---c-e----B-:0:0:-1:64:0:0:0:0:10")).unwrap();
    let seen = table(experiment);
    assert_eq!((seen.seat, seen.dice), (1, Some([6, 4])));

    let mut other = make("connect-four");
    for (id, part) in [("48", "move 2"), ("1111111", "full"), ("11223344", "end"), ("1122334", "over")] {
        let error = why(other.as_mut(), enter(id));
        assert!(error.contains(part), "{id}: {error}");
    }
    let position = GamePosition::Checkers { checkers: [counts.clone(), counts] };
    assert!(why(other.as_mut(), Command::SetPosition { position, seat: None, dice: None }).contains("4433"));
    let position = GamePosition::Id { id: "44".into() };
    let command = Command::SetPosition { position, seat: None, dice: Some([1, 2]) };
    assert!(why(other.as_mut(), command).contains("without dice"));
}

#[test]
fn rejects_commands_in_the_wrong_stage() {
    let mut experiment = make("backgammon");
    let experiment = experiment.as_mut();
    let two = [GamePlayer::Person; 2];
    experiment.command(Command::NewGame { seats: two, first: None }).unwrap();
    assert!(why(experiment, Command::Move { from: 6, to: 5 }).contains("dice are to be rolled"));
    assert!(why(experiment, Command::ConfirmTurn).contains("not complete"));
    assert!(why(experiment, Command::UndoMove).contains("no move to take back"));
    assert!(why(experiment, Command::TakeBack { turn: None }).contains("no turn"));
    assert!(why(experiment, Command::MoveNow).contains("no computer"));
    assert!(why(experiment, Command::Double).contains("may not double"));
    assert!(why(experiment, Command::Take).contains("no double is offered"));
    let length = Some(65);
    assert!(why(experiment, Command::StartMatch { length, jacoby: false }).contains("from 0 to 64"));
    assert!(why(experiment, Command::Roll { dice: Some([4, 4]) }).contains("differ"));
    assert!(why(experiment, Command::Roll { dice: Some([9, 4]) }).contains("1 to 6"));
    experiment.command(Command::Roll { dice: Some([3, 1]) }).unwrap();
    assert!(why(experiment, Command::Roll { dice: None }).contains("a person is to move"));
    for (from, to) in [(6, 6), (6, 4), (24, 1), (0, 5), (200, 7), (5, 6)] {
        why(experiment, Command::Move { from, to });
    }
    assert!(why(experiment, Command::Resign { seat: 0, points: 4 }).contains("1 to 3"));
    assert!(why(experiment, Command::Resign { seat: 3, points: 1 }).contains("seats"));
    assert!(why(experiment, Command::SetPace { seconds: Some(f32::NAN) }).contains("0 to 60"));
    assert!(why(experiment, Command::NewGame { seats: two, first: Some(7) }).contains("seats"));
    experiment.command(Command::Resign { seat: 1, points: 2 }).unwrap();
    assert!(why(experiment, Command::Resign { seat: 1, points: 1 }).contains("over"));
    assert!(why(experiment, Command::Roll { dice: None }).contains("over"));

    let mut other = make("connect-four");
    other.command(Command::NewGame { seats: two, first: None }).unwrap();
    assert!(why(other.as_mut(), Command::Roll { dice: None }).contains("no roll now"));
    let length = Some(5);
    assert!(why(other.as_mut(), Command::StartMatch { length, jacoby: false }).contains("no doubling cube"));
    for (from, to) in [(0, 7), (255, 255), (0, 1)] {
        why(other.as_mut(), Command::Move { from, to });
    }
}

#[test]
fn rejects_unavailable_players() {
    let mut experiment = make("backgammon");
    let experiment = experiment.as_mut();
    let sit = |player| Command::SetSeats { seats: [player, GamePlayer::Random] };
    assert!(why(experiment, sit(GamePlayer::Minimax { depth: 3 })).contains("Pubeval"));
    assert!(why(experiment, sit(GamePlayer::Opened { simulations: 0 })).contains("opened"));
    assert!(why(experiment, sit(GamePlayer::Earlier { promotion: 4, simulations: 0 })).contains("promoted"));
    let matches = |players| Command::StartMatches { players, pairs: 2 };
    let [random, person] = [GamePlayer::Random, GamePlayer::Person];
    assert!(why(experiment, matches(vec![[random, person]])).contains("human"));
    assert!(why(experiment, matches(vec![])).contains("1 to 16"));
    assert!(why(experiment, matches(vec![[random; 2]; 17])).contains("1 to 16"));
    let command = Command::StartMatches { players: vec![[random; 2]], pairs: 0 };
    assert!(why(experiment, command).contains("pairs"));
    let mut other = make("connect-four");
    for player in [
        GamePlayer::Pubeval,
        GamePlayer::Pips,
        GamePlayer::Minimax { depth: 0 },
        GamePlayer::Minimax { depth: 99 },
    ] {
        why(other.as_mut(), sit(player));
    }
}

#[test]
fn rejects_searches_that_need_too_much_memory() {
    let mut experiment = make("backgammon");
    let experiment = experiment.as_mut();
    let huge = GamePlayer::Newest { simulations: 4_000_000_000 };
    let analyze = |analyst, speed| Command::SetAnalysis { analyst, speed };
    for command in [
        analyze(huge, None),
        Command::SetSeats { seats: [huge, huge] },
        Command::StartMatches { players: vec![[huge, huge]], pairs: 1 },
    ] {
        let error = why(experiment, command);
        assert!(error.contains("MB") && error.contains("100000 simulations"), "{error}");
    }
    assert!(why(experiment, analyze(GamePlayer::Random, None)).contains("network"));
    assert!(why(experiment, analyze(GamePlayer::Newest { simulations: 0 }, None)).contains("from 1"));
    let fine = GamePlayer::Newest { simulations: 10 };
    for speed in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(why(experiment, analyze(fine, Some(speed))).contains("simulations a second"));
    }
}

#[test]
fn unusual_view_requests_are_harmless() {
    for name in ["backgammon", "connect-four"] {
        let mut experiment = make(name);
        let tree = TreeRequest { open: vec![vec![u32::MAX; 300]; 500], branches: u32::MAX };
        let view = GameView { thumbnails: u32::MAX, documents: true, turn: Some(u32::MAX), tree: Some(tree) };
        for elapsed in [f32::NAN, f32::INFINITY, -5.0, 1e30] {
            let frame = experiment.frame(&view.clone(), elapsed);
            assert!(frame.get("thumbnails/boards").unwrap().shape[0] > 0);
        }
    }
}

/// Returns a checkpoint of Connect Four whose header or tensors were modified by `change`.
fn changed(change: impl FnOnce(&mut Header, &mut Vec<Tensor>)) -> Vec<u8> {
    changed::changed(&make("connect-four").save(), change)
}

/// A small file with the config of a large network must be rejected before the network is allocated.
#[test]
fn rejects_networks_larger_than_their_file() {
    let error = |bytes: &[u8]| FAMILY.open(bytes).map(drop).unwrap_err().to_string();
    let large = changed(|header, _| header.config["network"] = json!({ "width": 1024, "blocks": 8 }));
    assert!(error(&large).contains("a network of at least 16777216 numbers"), "{}", error(&large));
    let mut sits = make("connect-four");
    let opened = sits.open_player(&large).unwrap_err().to_string();
    assert!(opened.contains("a network of at least 16777216 numbers"), "{opened}");
    let beside =
        changed(|_, tensors| tensors.push(checkpoint::flat("opened", TensorData::U64(vec![1024, 8]))));
    assert!(error(&beside).contains("a network of at least 16777216 numbers"), "{}", error(&beside));
}

#[test]
fn rejects_files_that_do_not_fit() {
    let refused = |bytes: &[u8]| match FAMILY.open(bytes) {
        Err(LabError::Checkpoint { message }) => message,
        Err(other) => panic!("{other}"),
        Ok(opened) => panic!("it was opened as {}", opened.name()),
    };
    assert!(refused(&changed(|_, tensors| drop(tensors.remove(0)))).contains("missing"));
    let error = refused(&changed(|_, tensors| {
        tensors.push(Tensor { name: "more".into(), shape: vec![1], values: TensorData::F32(vec![0.0]) });
    }));
    assert!(error.contains("more"), "{error}");
    let error = refused(&changed(|header, _| header.config["network"]["width"] = json!(32)));
    assert!(error.contains("needs"), "{error}");
    let error = refused(&changed(|header, _| header.experiment = "backgammon".into()));
    assert!(error.contains("needs") || error.contains("missing"), "{error}");
    let whole = make("connect-four").save();
    for end in (0..whole.len()).step_by(whole.len() / 50) {
        refused(&whole[..end]);
    }
    // Unusual but valid values cause no error.
    let odd = changed(|_, tensors| {
        for tensor in tensors {
            if let TensorData::U64(counters) = &mut tensor.values {
                counters.fill(1 << 40);
            }
        }
    });
    if let Ok(mut opened) = FAMILY.open(&odd) {
        let cpu = Cpu::new(1);
        for _ in 0..3 {
            if opened.advance(&cpu).is_err() {
                break;
            }
        }
    }
}

#[test]
fn files_of_players_are_checked_like_any_other() {
    let mut experiment = make("backgammon");
    let experiment = experiment.as_mut();
    let mut why = |bytes: &[u8]| experiment.open_player(bytes).unwrap_err().to_string();
    assert!(why(&[]).contains("empty"));
    assert!(why(&[0; 3]).contains("checkpoint"));
    assert!(why(&vec![0; (64 << 20) + 1]).contains("larger than 64 MiB"));
}

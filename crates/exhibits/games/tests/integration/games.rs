//! Board-game experiments, controlled by commands and frames as the page controls them.

use crate::table::{
    TWO, analysis, analyze, document, everything, finished_analysis, handle_command, look, small, table,
    wait_for, wait_until,
};
use serde_json::{Value, json};
use vivarium_envs::backgammon::{Plays, Position, Roll};
use vivarium_exhibit_games::protocol::GameCommand as Command;
use vivarium_exhibit_games::protocol::{
    DiceMode, GameAnalysis, GameBoard, GameMatch, GamePlayer, GamePosition, GameRun, GameStage, GameTree,
    GameView, GamesEvaluation, NodeKind, TreeRequest,
};
use vivarium_exhibit_games::{FAMILY, GameExhibit};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint;
use vivarium_lab::protocol::{Frame, Reply};

#[test]
fn a_human_player_plays_a_turn_of_backgammon() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::NewGame { seats: TWO, first: None });
    assert_eq!(table(experiment).stage, GameStage::Roll);
    // Seat 1 has the higher die, and plays both dice.
    handle_command(experiment, Command::Roll { dice: Some([1, 3]) });
    let seen = table(experiment);
    assert_eq!((seen.stage, seen.seat, seen.dice), (GameStage::Person, 1, Some([3, 1])));
    assert_eq!(seen.id, "4HPwATDgc/ABMA:cIkFAAAAAAAA");
    assert!(!seen.can_undo && !seen.can_confirm);
    let of_six: Vec<_> =
        seen.targets.iter().filter(|target| target.from == 6).map(|target| target.to).collect();
    assert_eq!(of_six, [3, 5, 2]);

    handle_command(experiment, Command::Move { from: 8, to: 5 });
    handle_command(experiment, Command::Move { from: 6, to: 5 });
    let made = table(experiment);
    assert!(made.can_undo && made.can_confirm && made.targets.is_empty());
    let GameBoard::Backgammon { checkers, pips } = &made.board else { panic!("{made:?}") };
    assert_eq!((checkers[1][5], checkers[1][6], checkers[1][8], pips[1], pips[0]), (2, 4, 2, 163, 167));
    handle_command(experiment, Command::UndoMove);
    assert_eq!(table(experiment).dice_left, [1]);
    handle_command(experiment, Command::Move { from: 6, to: 5 });
    handle_command(experiment, Command::ConfirmTurn);
    let after = table(experiment);
    assert_eq!((after.stage, after.seat, after.history.len()), (GameStage::Roll, 0, 1));
    assert_eq!(after.history[0].text, "8/5 6/5");

    // After taking back, the same turn can be replayed with the same dice.
    handle_command(experiment, Command::TakeBack { turn: None });
    let back = table(experiment);
    assert_eq!((back.stage, back.seat, back.dice), (GameStage::Person, 1, Some([3, 1])));
    assert!(back.history.is_empty());
}

#[test]
fn dice_depend_on_the_seed_and_repeat_after_take_back() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    let mut rolls = Vec::new();
    for _ in 0..2 {
        handle_command(experiment, Command::Roll { dice: None });
        let seen = table(experiment);
        rolls.push(seen.dice.unwrap());
        while let Some(target) = table(experiment).targets.first().cloned() {
            handle_command(experiment, Command::Move { from: target.from, to: target.to });
        }
        handle_command(experiment, Command::ConfirmTurn);
    }
    assert_ne!(rolls[0][0], rolls[0][1]);
    handle_command(experiment, Command::TakeBack { turn: Some(1) });
    assert_eq!(table(experiment).dice, Some(rolls[1]));
    // Another game has different dice; the same seed has the same dice.
    let mut other = small("backgammon");
    handle_command(other.as_mut(), Command::NewGame { seats: TWO, first: Some(0) });
    handle_command(other.as_mut(), Command::Roll { dice: None });
    assert_eq!(table(other.as_mut()).dice, Some(rolls[0]));
}

#[test]
fn opening_rolls_of_computers_are_automatic() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    let seats = [GamePlayer::Random, GamePlayer::Person];
    handle_command(experiment, Command::NewGame { seats, first: None });
    let rolled = wait_until(experiment, |table| table.stage != GameStage::Roll);
    assert!(rolled.dice.is_some());
    let position = GamePosition::Id { id: "4HPwATDgc/ABMA".into() };
    handle_command(experiment, Command::SetPosition { position, seat: Some(0), dice: None });
    // The computer plays; then the human player has to roll.
    let played = wait_until(experiment, |table| !table.history.is_empty());
    assert_eq!((played.stage, played.seat), (GameStage::Roll, 1));
}

#[test]
fn a_turn_in_progress_is_kept_when_players_change() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    handle_command(experiment, Command::Roll { dice: Some([3, 1]) });
    handle_command(experiment, Command::Move { from: 8, to: 5 });
    let before = table(experiment);
    handle_command(experiment, Command::SetSeats { seats: [GamePlayer::Person, GamePlayer::Pips] });
    let after = table(experiment);
    assert_eq!((after.moves.len(), &after.moves, after.dice_left), (1, &before.moves, vec![1]));
    // If a computer takes over the seat to move, the moves of the unfinished turn are dropped.
    handle_command(experiment, Command::SetSeats { seats: [GamePlayer::Pips, GamePlayer::Person] });
    assert!(table(experiment).moves.is_empty());
    handle_command(experiment, Command::SetSeats { seats: TWO });
    assert!(table(experiment).moves.is_empty());
}

#[test]
fn a_double_has_all_its_plays_from_the_beginning() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    analyze(experiment, 500);
    let position = GamePosition::Id { id: "4HPwATDgc/ABMA".into() };
    handle_command(experiment, Command::SetPosition { position, seat: Some(0), dice: Some([2, 2]) });
    let mut plays = Plays::new();
    plays.generate(&Position::START, Roll::new(2, 2).unwrap());
    loop {
        let seen = analysis(experiment).unwrap();
        assert_eq!(seen.plays as usize, plays.len(), "after {} simulations", seen.made);
        if seen.made >= 500 {
            break;
        }
    }
}

#[test]
fn a_computer_waits_in_a_position_that_was_entered_with_its_roll() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    let seats = [GamePlayer::Person, GamePlayer::Pips];
    handle_command(experiment, Command::NewGame { seats, first: Some(0) });
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:64:0:0:0:0:10".to_owned();
    let position = GamePosition::Id { id };
    handle_command(experiment, Command::SetPosition { position, seat: None, dice: None });
    for _ in 0..50 {
        look(experiment, &GameView::default(), 0.1);
    }
    let seen = table(experiment);
    assert_eq!((seen.stage, seen.waits, seen.history.len()), (GameStage::Computer, true, 0));
    // Another opponent and another dice mode do not end the wait.
    handle_command(experiment, Command::SetSeats { seats: [GamePlayer::Person, GamePlayer::Pubeval] });
    handle_command(experiment, Command::SetDiceMode { mode: DiceMode::Roll });
    assert!(table(experiment).waits);
    handle_command(experiment, Command::SetDiceMode { mode: DiceMode::Ask });
    handle_command(experiment, Command::MoveNow);
    // The next turns have the usual delay.
    let played = wait_for(experiment, GameStage::Roll);
    assert_eq!((played.waits, played.history.len()), (false, 1));

    // Before its roll, the computer waits as well.
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10".to_owned();
    let position = GamePosition::Id { id };
    handle_command(experiment, Command::SetPosition { position, seat: None, dice: None });
    for _ in 0..50 {
        look(experiment, &GameView::default(), 0.1);
    }
    let seen = table(experiment);
    assert_eq!((seen.stage, seen.waits, seen.dice), (GameStage::Roll, true, None));
    assert!(seen.doubling.is_some_and(|doubling| doubling.pending.is_some() && doubling.last.is_none()));
    handle_command(experiment, Command::MoveNow);
    let decided =
        wait_until(experiment, |table| !table.history.is_empty() || table.stage == GameStage::Doubled);
    assert!(!decided.waits);

    // With a chosen player on roll, the game is played on.
    let position = GamePosition::Id { id: "4HPwATDgc/ABMA".into() };
    handle_command(experiment, Command::SetPosition { position, seat: Some(1), dice: Some([6, 4]) });
    assert!(!table(experiment).waits);
    assert_eq!(wait_for(experiment, GameStage::Roll).history.len(), 1);
}

#[test]
fn the_analyst_searches_an_entered_position_in_which_a_computer_waits() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    let computer = GamePlayer::Newest { simulations: 20 };
    analyze(experiment, 60);
    handle_command(experiment, Command::NewGame { seats: [GamePlayer::Person, computer], first: Some(0) });
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:64:0:0:0:0:10".to_owned();
    let position = GamePosition::Id { id };
    handle_command(experiment, Command::SetPosition { position, seat: None, dice: None });
    assert_eq!(finished_analysis(experiment, 60).wanted, 60);
    analyze(experiment, 200);
    assert_eq!(finished_analysis(experiment, 200).wanted, 200);
    // The computer plays by a search of its own, also without a delay.
    handle_command(experiment, Command::SetPace { seconds: None });
    handle_command(experiment, Command::MoveNow);
    wait_for(experiment, GameStage::Roll);
    let view = GameView { documents: true, turn: Some(0), ..GameView::default() };
    let played: GameAnalysis = document(&look(experiment, &view, 0.0), "analysis").unwrap();
    assert_eq!(played.player, computer);
}

#[test]
fn search_advances_while_training_is_paused() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    analyze(experiment, 500);
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    assert_eq!(analysis(experiment), None);
    let position = GamePosition::Id { id: "4HPwATDgc/ABMA".into() };
    handle_command(experiment, Command::SetPosition { position, seat: None, dice: Some([2, 2]) });
    let mut last = 0;
    let complete = loop {
        let seen = analysis(experiment).unwrap();
        assert!(seen.made >= last && seen.wanted == 500);
        last = seen.made;
        if seen.made >= 500 {
            break seen;
        }
    };
    assert_eq!((complete.seat, complete.turn, complete.outcome_probabilities.len()), (0, 0, 5));
    assert!(complete.plays > 50 && !complete.full && complete.searched);
    assert_eq!(
        (complete.equity, &complete.outcome_probabilities),
        (complete.candidates[0].equity, &complete.candidates[0].outcome_probabilities)
    );
    // A double is one play of four moves.
    assert!(
        complete.candidates.iter().all(|play| play.moves.len() == 4 && play.branches.len() == 2),
        "{complete:?}"
    );
    assert!(complete.candidates.iter().map(|play| play.visits).sum::<u32>() <= 500);
    // The plays are ranked by equity, whatever their visits.
    let equities: Vec<_> = complete.candidates.iter().map(|play| play.equity).collect();
    assert!(equities.is_sorted_by(|a, b| a >= b), "{equities:?}");
    for play in &complete.candidates {
        assert_eq!(play.lost, equities[0] - play.equity, "{}", play.text);
    }
    let examined =
        complete.candidates.iter().take_while(|play| play.outcome_probabilities.len() == 5).count();
    assert_eq!(examined, 5.min(complete.candidates.len()));
    for outcome_probabilities in
        complete.candidates[..examined].iter().map(|play| &play.outcome_probabilities)
    {
        assert!(outcome_probabilities.iter().all(|chance| (0.0..=1.0).contains(chance)));
    }
    // A complete analysis does not change and is not sent again.
    let view = GameView { documents: true, ..GameView::default() };
    look(experiment, &view, 0.0);
    assert_eq!(look(experiment, &view, 1.0), Frame::from(Vec::new()));
}

#[test]
fn equity_and_probabilities_are_those_of_the_best_play() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    // Seat 0 has checkers on points 6, 6 and 1 and the roll 6-1; seat 1 has checkers on points 6 and 1. The roll bears
    // off only two of the three checkers; the win probability after the best play is 43.8 %.
    let side = |points: &[usize]| {
        let mut checkers = vec![0; 26];
        points.iter().for_each(|&point| checkers[point] += 1);
        checkers[0] = 15 - points.len() as u8;
        checkers
    };
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    for simulations in [1, 200] {
        analyze(experiment, simulations);
        let position = GamePosition::Checkers { checkers: [side(&[6, 6, 1]), side(&[6, 1])] };
        handle_command(experiment, Command::SetPosition { position, seat: Some(0), dice: Some([6, 1]) });
        let seen = finished_analysis(experiment, simulations);
        assert_eq!(seen.searched, simulations > 1, "{seen:?}");
        let [win, gammon, backgammon, lose_gammon, lose_backgammon] = seen.outcome_probabilities[..] else {
            panic!()
        };
        let equity = 2.0 * win - 1.0 + gammon + backgammon - lose_gammon - lose_backgammon;
        assert!((seen.equity - equity).abs() < 1e-5, "{seen:?}");
        assert!(!seen.searched || (win - 0.438).abs() < 0.001, "{seen:?}");
    }
}

#[test]
fn tree_contains_the_requested_nodes() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    analyze(experiment, 300);
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(1) });
    handle_command(experiment, Command::Roll { dice: Some([3, 1]) });
    finished_analysis(experiment, 300);
    let mut tree = |open: Vec<Vec<u32>>, branches: u32| -> GameTree {
        let tree = Some(TreeRequest { open, branches });
        document(&look(experiment, &GameView { tree, ..GameView::default() }, 0.0), "tree").unwrap()
    };
    let folded = tree(Vec::new(), 3);
    assert_eq!(folded.nodes.len(), 4);
    let [root, best, ..] = &folded.nodes[..] else { panic!() };
    assert_eq!((root.kind, root.seat, root.visits, root.text.as_str()), (NodeKind::Decision, 1, 300, ""));
    assert_eq!((best.kind, best.seat, best.parent), (NodeKind::Chance, 0, 0));
    assert!(best.text.contains('/') && best.children > 0);
    let unfolded = tree(vec![vec![best.branch], vec![9999]], 2);
    assert_eq!(unfolded.nodes.len(), 5);
    let roll = &unfolded.nodes[3];
    assert_eq!((roll.parent, roll.kind, roll.seat), (1, NodeKind::Decision, 0));
    assert!(roll.text.len() == 3 && roll.text.contains('-'), "{}", roll.text);
    assert!(unfolded.size > 100 && unfolded.size <= unfolded.capacity);
    let deeper = tree(vec![vec![best.branch, roll.branch], vec![best.branch]], 2);
    assert!(deeper.nodes.iter().any(|node| node.parent == 3 && node.text.contains('/')));
}

#[test]
fn analysis_and_tree_of_connect_four_agree() {
    let mut experiment = small("connect-four");
    let experiment = experiment.as_mut();
    // Several plays have few visits.
    let simulations = 60;
    analyze(experiment, simulations);
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    let thought = finished_analysis(experiment, simulations);
    let tree = Some(TreeRequest { open: Vec::new(), branches: 7 });
    let tree: GameTree =
        document(&look(experiment, &GameView { tree, ..GameView::default() }, 0.0), "tree").unwrap();
    assert!(thought.candidates.iter().any(|play| play.visits < 8), "{thought:?}");
    // The plays are ranked by visits, as the computer chooses, also if a rarely visited play has a higher mean value.
    assert!(thought.candidates.is_sorted_by(|a, b| a.visits >= b.visits), "{thought:?}");
    assert!(!thought.candidates.is_sorted_by(|a, b| a.equity >= b.equity), "{thought:?}");
    assert_eq!(thought.equity, thought.candidates[0].equity);
    for play in &thought.candidates {
        assert_eq!(play.lost, thought.equity - play.equity, "{}", play.text);
        let node = tree.nodes.iter().skip(1).find(|node| node.text == play.text).unwrap();
        assert_eq!((node.visits, node.equity), (play.visits, Some(play.equity)), "{}", play.text);
    }
}

#[test]
fn plays_are_assessed_by_equity_loss() {
    let mut experiment = small("connect-four");
    let experiment = experiment.as_mut();
    analyze(experiment, 600);
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    // Three stones in a row: column 4 wins at once.
    let position = GamePosition::Id { id: " 112233 ".into() };
    handle_command(experiment, Command::SetPosition { position, seat: None, dice: None });
    let seen = table(experiment);
    assert_eq!((seen.seat, seen.id.as_str(), seen.targets.len()), (0, "112233", 7));
    let thought = finished_analysis(experiment, 600);
    assert_eq!((thought.candidates[0].text.as_str(), thought.candidates[0].equity), ("4", 1.0));
    handle_command(experiment, Command::Move { from: 6, to: 6 });
    let blundered = table(experiment);
    let turn = &blundered.history[0];
    assert_eq!(
        (turn.text.as_str(), turn.best.as_deref(), blundered.id.as_str()),
        ("7", Some("4"), "1122337")
    );
    assert!(turn.lost.unwrap() > 0.3, "{turn:?}");
    // The analysis of a turn is kept.
    let view = GameView { documents: true, turn: Some(0), ..GameView::default() };
    let then: Option<GameAnalysis> = document(&look(experiment, &view, 0.0), "analysis").unwrap();
    assert_eq!(then.unwrap().candidates[0].text, "4");

    handle_command(experiment, Command::TakeBack { turn: Some(0) });
    assert_eq!(table(experiment).id, "112233");
    handle_command(experiment, Command::Move { from: 3, to: 3 });
    let won = table(experiment);
    assert_eq!((won.stage, won.score), (GameStage::Over, [1, 0]));
    assert_eq!(won.outcome.unwrap().winner, Some(0));
    let GameBoard::ConnectFour { winning, .. } = won.board else { panic!() };
    assert_eq!(winning, [0, 6, 12, 18]);
    // Taking back the last turn of a won game removes the points of the win.
    handle_command(experiment, Command::TakeBack { turn: None });
    assert_eq!(table(experiment).score, [0, 0]);
}

#[test]
fn computers_play_with_the_configured_delay() {
    for (name, other) in
        [("backgammon", GamePlayer::Pubeval), ("connect-four", GamePlayer::Minimax { depth: 2 })]
    {
        let mut experiment = small(name);
        let experiment = experiment.as_mut();
        let seats = [GamePlayer::Best { simulations: 20 }, other];
        handle_command(experiment, Command::SetPace { seconds: Some(0.0) });
        handle_command(experiment, Command::SetDiceMode { mode: DiceMode::Roll });
        handle_command(experiment, Command::NewGame { seats, first: None });
        let over = wait_for(experiment, GameStage::Over);
        assert!(over.history.len() > 5 && over.outcome.is_some());
        assert!(
            over.history.iter().any(|turn| turn.seat == 0) && over.history.iter().any(|turn| turn.seat == 1)
        );
        assert!(over.history.iter().any(|turn| turn.lost.is_some()));
        // With an infinite delay, a computer waits for the command.
        handle_command(experiment, Command::SetPace { seconds: None });
        handle_command(experiment, Command::NewGame { seats, first: Some(1) });
        wait_for(experiment, GameStage::Computer);
        for _ in 0..5 {
            look(experiment, &GameView::default(), 1.0);
        }
        assert!(table(experiment).history.is_empty());
        handle_command(experiment, Command::MoveNow);
        look(experiment, &GameView::default(), 0.0);
        assert_eq!(table(experiment).history.len(), 1);
    }
}

#[test]
fn resignations_are_limited_by_the_possible_loss() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    assert_eq!(table(experiment).max_loss, [3, 3]);
    handle_command(experiment, Command::Resign { seat: 0, points: 2 });
    let over = table(experiment);
    assert_eq!((over.stage, over.score, over.max_loss), (GameStage::Over, [0, 2], [0, 0]));
    let outcome = over.outcome.unwrap();
    assert_eq!((outcome.winner, outcome.points, outcome.how.as_str()), (Some(1), 2, "resigned"));
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    assert_eq!(table(experiment).score, [0, 2]);

    // Seat 0 has borne off a checker. The last checker of seat 1 is near its home board in one position, and far from
    // it in the other.
    let mut near = vec![0; 26];
    (near[0], near[1]) = (1, 14);
    for (last, most) in [(7, 2), (19, 3), (20, 3)] {
        let mut far = vec![0; 26];
        (far[2], far[last]) = (14, 1);
        let position = GamePosition::Checkers { checkers: [near.clone(), far] };
        handle_command(experiment, Command::SetPosition { position, seat: Some(0), dice: None });
        assert_eq!(table(experiment).max_loss, [1, most], "{last}");
        let refused = experiment.command(Command::Resign { seat: 1, points: most + 1 }).unwrap_err();
        assert!(refused.to_string().contains(&format!("1 to {most}")), "{refused}");
    }
    handle_command(experiment, Command::Resign { seat: 1, points: 3 });
    assert_eq!(table(experiment).score, [3, 2]);
    // A new player has no points.
    handle_command(experiment, Command::SetSeats { seats: TWO });
    assert_eq!(table(experiment).score, [3, 2]);
    handle_command(experiment, Command::SetSeats { seats: [GamePlayer::Person, GamePlayer::Random] });
    assert_eq!(table(experiment).score, [0, 0]);
}

#[test]
fn computers_decline_resignations_below_their_equity() {
    let mut experiment = small("connect-four");
    let experiment = experiment.as_mut();
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    assert!(experiment.command(Command::Resign { seat: 0, points: 2 }).is_err());

    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    let seats = [GamePlayer::Person, GamePlayer::Newest { simulations: 60 }];
    handle_command(experiment, Command::SetPace { seconds: None });
    handle_command(experiment, Command::NewGame { seats, first: None });
    // Seat 1 has one checker left; the 15 checkers of seat 0 are all far from home. Seat 1 wins a backgammon.
    let (mut behind, mut ahead) = (vec![0; 26], vec![0; 26]);
    (behind[24], ahead[0], ahead[2]) = (15, 14, 1);
    let position = GamePosition::Checkers { checkers: [behind, ahead] };
    handle_command(experiment, Command::SetPosition { position, seat: Some(1), dice: Some([6, 5]) });
    // A search that reaches the end of the game has its exact value.
    finished_analysis(experiment, 60);
    let before = table(experiment);
    for points in [1, 2] {
        let refused = experiment.command(Command::Resign { seat: 0, points }).unwrap_err().to_string();
        assert!(refused.contains(&format!("is 3.00, that of the offer {points}.00")), "{refused}");
        assert_eq!(table(experiment), before);
    }
    handle_command(experiment, Command::Resign { seat: 0, points: 3 });
    assert_eq!(table(experiment).score, [0, 3]);
}

/// Starts a game between two human players, and returns its analysis with `simulations` simulations.
fn analysis_of_new_game(experiment: &mut GameExhibit, simulations: u32) -> GameAnalysis {
    analyze(experiment, simulations);
    handle_command(experiment, Command::NewGame { seats: TWO, first: Some(0) });
    finished_analysis(experiment, simulations)
}

/// Trains until the first gradient step is done.
fn take_first_update(experiment: &mut GameExhibit) {
    let cpu = Cpu::new(1);
    while experiment.progress().updates == 0 {
        experiment.advance(&cpu).unwrap();
    }
}

#[test]
fn analysis_restarts_or_continues() {
    let mut experiment = small("connect-four");
    let experiment = experiment.as_mut();
    let first = analysis_of_new_game(experiment, 100);
    // More simulations continue the search.
    analyze(experiment, 300);
    let deeper = analysis(experiment).unwrap();
    assert!(deeper.made >= 100 && deeper.wanted == 300, "{deeper:?}");
    // A restart uses the newest weights.
    take_first_update(experiment);
    analyze(experiment, 100);
    assert_eq!(analysis(experiment).unwrap().updates, 0);
    handle_command(experiment, Command::AnalyzeAgain);
    let again = finished_analysis(experiment, 100);
    assert!(
        again.updates > 0 && again.made == 100 && again.outcome_probabilities != first.outcome_probabilities,
        "{again:?}"
    );

    // There is no decision before the roll or after the game.
    handle_command(experiment, Command::Resign { seat: 0, points: 1 });
    assert!(experiment.command(Command::AnalyzeAgain).unwrap_err().to_string().contains("nothing to decide"));
    let mut other = small("backgammon");
    handle_command(other.as_mut(), Command::NewGame { seats: TWO, first: None });
    assert!(other.command(Command::AnalyzeAgain).is_err());
}

#[test]
fn a_complete_analysis_follows_the_training() {
    let mut experiment = small("connect-four");
    let experiment = experiment.as_mut();
    let first = analysis_of_new_game(experiment, 100);
    // The analysis does not change while the network does not change.
    for _ in 0..30 {
        look(experiment, &GameView::default(), 0.1);
    }
    assert_eq!(analysis(experiment).unwrap(), first);
    take_first_update(experiment);
    let mut newest = first.clone();
    for _ in 0..1000 {
        look(experiment, &GameView::default(), 0.1);
        newest = analysis(experiment).unwrap();
        assert_eq!(newest.made, 100, "the results are complete at any time");
        if newest.updates > 0 {
            break;
        }
    }
    assert!(newest.updates > 0 && newest.outcome_probabilities != first.outcome_probabilities, "{newest:?}");
}

#[test]
fn matches_run_concurrently_with_the_table() {
    let mut experiment = small("backgammon");
    let experiment = experiment.as_mut();
    let newest = |simulations| GamePlayer::Newest { simulations };
    let players = vec![[GamePlayer::Pubeval, GamePlayer::Random], [newest(0), newest(4)]];
    handle_command(experiment, Command::StartMatches { players: players.clone(), pairs: 3 });
    let played = |experiment: &mut GameExhibit| -> Vec<GameMatch> {
        document(&everything(experiment, 0.0), "matches").unwrap()
    };
    for _ in 0..20_000 {
        if played(experiment).iter().all(|one| one.played == 3) {
            break;
        }
    }
    let over = played(experiment);
    assert_eq!(
        over.iter().map(|one| (one.played, one.players)).collect::<Vec<_>>(),
        [(3, players[0]), (3, players[1])]
    );
    assert!(over[0].points.unwrap() > 0.5 && over[0].interval.unwrap()[0] <= over[0].points.unwrap());
    // Matches have the same results whether frames or training slices advance them.
    let mut other = small("backgammon");
    handle_command(other.as_mut(), Command::StartMatches { players, pairs: 3 });
    let cpu = Cpu::new(2);
    for _ in 0..20_000 {
        other.advance(&cpu).unwrap();
        if played(other.as_mut()).iter().all(|one| one.played == 3) {
            break;
        }
    }
    let again = played(other.as_mut());
    assert_eq!(again[0].points, over[0].points);
    handle_command(experiment, Command::StopMatches);
}

#[test]
fn training_reports_ladder_results() {
    let mut experiment = small("connect-four");
    let cpu = Cpu::new(2);
    let mut rows = Vec::new();
    for _ in 0..5000 {
        experiment.advance(&cpu).unwrap();
        rows.extend(experiment.take_metrics());
        if rows.len() >= 6 {
            break;
        }
    }
    let named =
        |name: &str| rows.iter().filter(|row| row.values.iter().any(|(known, _)| known == name)).count();
    assert!(
        named("policy_loss") >= 2 && named("points_random") >= 2 && named("match_points") >= 1,
        "{rows:?}"
    );
    let info = (vivarium_exhibit_games::DESCRIPTIONS.find("connect-four").unwrap().info)();
    for (name, value) in rows.iter().flat_map(|row| &row.values) {
        assert!(info.metrics.iter().any(|metric| metric.name == *name), "{name}");
        assert!(value.is_finite());
    }
    let run: GameRun = document(&everything(experiment.as_mut(), 0.0), "run").unwrap();
    assert!(run.generation >= 2 && run.ladder.len() >= 8, "{run:?}");
    assert!(run.players.iter().any(|choice| choice.player == GamePlayer::Minimax { depth: 4 }));
    let progress = experiment.progress();
    assert!(progress.steps > 0 && progress.updates > 0 && progress.episodes > 0);

    let thumbnails = look(experiment.as_mut(), &GameView { thumbnails: 5, ..GameView::default() }, 0.0);
    assert_eq!(thumbnails.get("thumbnails/boards").unwrap().shape, [5, 42]);
    assert!(
        thumbnails
            .get("thumbnails/equity")
            .unwrap()
            .floats()
            .unwrap()
            .iter()
            .all(|equity| equity.abs() <= 1.0)
    );
}

#[test]
fn checkpoints_restore_the_learner() {
    let mut experiment = small("backgammon");
    let cpu = Cpu::new(1);
    take_first_update(experiment.as_mut());
    let bytes = experiment.save();
    let mut opened = FAMILY.open(&bytes).unwrap();
    assert_eq!(opened.progress(), experiment.progress());
    assert_eq!(opened.config(), experiment.config());
    // The weights are the same; the games are new, with a notice.
    let said: Vec<_> = opened.take_metrics().into_iter().filter_map(|row| row.notice).collect();
    assert!(said.len() == 1 && said[0].contains("replay buffer restart"), "{said:?}");
    assert_eq!(opened.evaluate(&cpu, 2, 1), experiment.evaluate(&cpu, 2, 1));

    // A network file is much smaller than a checkpoint. The file can be opened as a player, and can start another run.
    let Ok(Reply::File { name, bytes: file, .. }) = experiment.command(Command::ExportPlayer) else {
        panic!()
    };
    assert_eq!(name, "backgammon-player.safetensors");
    assert!(file.len() * 3 < bytes.len());
    assert!(
        experiment.command(Command::SetSeats { seats: [GamePlayer::Opened { simulations: 0 }; 2] }).is_err()
    );
    experiment.open_player(&file).unwrap();
    handle_command(
        experiment.as_mut(),
        Command::SetSeats { seats: [GamePlayer::Opened { simulations: 9 }; 2] },
    );
    assert_eq!(checkpoint::read_header(&file).unwrap().experiment, "backgammon");
    let begun = FAMILY.open(&file).unwrap();
    assert_eq!(begun.progress().steps, 0);
    // A checkpoint can be opened as a player too. The player is the network that the checkpoint's run would export.
    experiment.open_player(&bytes).unwrap();
    let opened = |bytes: &[u8], group: &str| {
        let (_, tensors) = checkpoint::read(bytes).unwrap();
        let tensors = tensors.into_vec().into_iter();
        let weights = tensors.filter(|tensor| tensor.name.starts_with(group)).map(|tensor| tensor.values);
        weights.collect::<Vec<_>>()
    };
    let saved = experiment.save();
    assert!(opened(&saved, "opened/") == opened(&file, "best/"), "another network than the exported one");
    assert!(opened(&saved, "opened/") != opened(&saved, "best/"), "the initial network");
}

#[test]
fn evaluation_plays_the_fixed_opponents() {
    let mut experiment = small("connect-four");
    let evaluation = experiment.evaluate(&Cpu::new(2), 3, 1).unwrap();
    let matches = &evaluation.read::<GamesEvaluation>().unwrap().matches;
    assert_eq!(matches.len(), 4);
    assert!(matches.iter().all(|one| one.played == 3 && one.points.is_some()));
    assert_eq!(experiment.evaluate(&Cpu::new(1), 3, 1).unwrap(), evaluation);
    assert!(experiment.evaluate(&Cpu::new(1), 0, 1).is_err());
}

#[test]
fn metrics_of_a_config_are_described() {
    for name in ["backgammon", "connect-four"] {
        let info = (vivarium_exhibit_games::DESCRIPTIONS.find(name).unwrap().info)();
        assert!(info.family() == "games" && info.presets.len() >= 3);
        for preset in &info.presets {
            let given: Value = json!({ "preset": preset.name });
            FAMILY.configure(name, &given).unwrap();
        }
    }
}

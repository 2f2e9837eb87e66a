//! Conversion between the turns of the table and records of backgammon matches (.mat, SGF).

use crate::protocol::{GameOutcome, GameTurn, PlayedDouble, PlayedGame, PlayedMatch};
use crate::rules::{game_moves, win_name};
use crate::table::{CANNOT_MOVE, DROPPED, RESIGNED};
use vivarium_envs::backgammon::record::{
    GameReplay, MatchRecord, RecordError, RecordedAction, RecordedGame, RecordedResult,
};
use vivarium_envs::backgammon::{Match, Roll, Win, Xgid};

impl PlayedMatch {
    /// Converts the record of a match to games with turns. The turns have no assessments.
    ///
    /// # Errors
    /// [`RecordError`] if the text is not a record, or an action breaks the rules.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let record = MatchRecord::parse(text)?;
        let games = record.games.iter().enumerate().map(|(number, game)| played_game(&record, number, game));
        let games = games.collect::<Result<_, _>>()?;
        let MatchRecord { players, length, jacoby, .. } = record;
        Ok(Self { names: players, length, jacoby, games })
    }

    /// Converts the games to a record of a match.
    ///
    /// # Errors
    /// [`RecordError::Action`] if a turn breaks the rules; each game begins at the starting position.
    pub fn record(&self) -> Result<MatchRecord, RecordError> {
        let Self { names, length, jacoby, games } = self;
        let mut record = MatchRecord::new(names.clone(), *length, *jacoby);
        for (number, game) in games.iter().enumerate() {
            let recorded = recorded_game(&record, number, game)?;
            record.games.push(recorded);
        }
        Ok(record)
    }
}

/// Replays the recorded game with the index `number` and returns its turns. A turn contains the double before its roll.
fn played_game(record: &MatchRecord, number: usize, game: &RecordedGame) -> Result<PlayedGame, RecordError> {
    if game.setup.is_some() {
        let problem =
            "the game begins with a set-up position; only games from the starting position are read".into();
        return Err(RecordError::Action { game: number + 1, action: 0, problem });
    }
    let mut replay = GameReplay::of(record, game);
    let (mut turns, mut doubles, mut doubled, mut dropped) = (Vec::new(), Vec::new(), None, false);
    for (at, action) in game.actions.iter().enumerate() {
        match *action {
            RecordedAction::Play { player, roll, play } => {
                let position = *replay.position();
                let state = Match { roll: Some(roll), ..replay.state().turn_of(player) };
                let text = if play.moves.is_empty() { CANNOT_MOVE.into() } else { play.notation(&position) };
                turns.push(GameTurn {
                    seat: player,
                    dice: Some([roll.high(), roll.low()]),
                    doubled: doubled.take(),
                    text,
                    moves: game_moves(&position, &play.moves),
                    id: Xgid::new(position, state).to_string(),
                    lost: None,
                    best: None,
                    equity: None,
                });
            }
            RecordedAction::Double { player } => {
                doubled = Some(2 * replay.state().doubling_cube());
                let state = replay.state().turn_of(player);
                let id = Xgid::new(*replay.position(), state).to_string();
                doubles.push(PlayedDouble { turn: turns.len() as u32, id });
            }
            RecordedAction::Take { .. } => {}
            RecordedAction::Pass { .. } => dropped = true,
        }
        replay.apply(action).map_err(|problem| RecordError::Action {
            game: number + 1,
            action: at + 1,
            problem,
        })?;
    }
    let cube = replay.state().doubling_cube();
    let outcome = game.result.map(|RecordedResult { winner, points }| {
        let win = (u32::from(points) / cube).clamp(1, 3) as u8;
        let how = match (dropped, replay.result()) {
            (true, _) => DROPPED,
            (false, None) => RESIGNED,
            (false, Some(_)) => win_name([Win::Single, Win::Gammon, Win::Backgammon][usize::from(win - 1)]),
        };
        GameOutcome { winner: Some(winner), points: points.into(), win, how: how.to_owned() }
    });
    Ok(PlayedGame { score: game.score, crawford: game.crawford, turns, doubles, outcome })
}

/// Replays the turns of the game with the index `number` and returns its record.
fn recorded_game(
    record: &MatchRecord,
    number: usize,
    game: &PlayedGame,
) -> Result<RecordedGame, RecordError> {
    let mut recorded = RecordedGame::new(game.score, game.crawford);
    let first = game.turns.first().map_or(0, |turn| turn.seat & 1);
    let mut replay = GameReplay::new(record.state_before(&recorded).turn_of(first));
    let made = make_actions(game, &mut replay, &mut recorded.actions);
    made.map_err(|problem| RecordError::Action {
        game: number + 1,
        action: recorded.actions.len() + 1,
        problem,
    })?;
    recorded.result = game.outcome.as_ref().and_then(|outcome| {
        Some(RecordedResult { winner: outcome.winner?, points: u16::try_from(outcome.points).ok()? })
    });
    Ok(recorded)
}

/// Makes the actions of the turns of a game, and appends them to `actions`.
///
/// # Errors
/// A message if an action breaks the rules.
fn make_actions(
    game: &PlayedGame,
    replay: &mut GameReplay,
    actions: &mut Vec<RecordedAction>,
) -> Result<(), String> {
    let mut act = |replay: &mut GameReplay, action: RecordedAction| {
        replay.apply(&action)?;
        actions.push(action);
        Ok::<_, String>(())
    };
    for turn in &game.turns {
        let player = turn.seat;
        if turn.doubled.is_some() {
            act(replay, RecordedAction::Double { player })?;
            act(replay, RecordedAction::Take { player: 1 - player })?;
        }
        let [high, low] = turn.dice.ok_or("the turn has no roll")?;
        let roll = Roll::new(high, low).map_err(|error| error.to_string())?;
        let text = if turn.text == CANNOT_MOVE { "" } else { &turn.text };
        let play = replay.find(player, roll, text)?;
        act(replay, RecordedAction::Play { player, roll, play })?;
    }
    match &game.outcome {
        Some(GameOutcome { winner: Some(player), how, .. }) if how == DROPPED => {
            act(replay, RecordedAction::Double { player: *player })?;
            act(replay, RecordedAction::Pass { player: 1 - player })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::{DoublingCubeOwner, Position};

    const MONEY: &str = include_str!("../../../envs/tests/fixtures/gnubg_money.mat");
    const MATCH: &str = include_str!("../../../envs/tests/fixtures/gnubg_match.sgf");

    /// A game that ends with a drop, and an unfinished game.
    const SHORT: &str = " 3 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5                 64: 24/14\n  2)  \
                         Doubles => 2                Drops\n";

    #[test]
    fn records_and_turns_are_converted_to_each_other() {
        for text in [MONEY, MATCH, SHORT] {
            let record = MatchRecord::parse(text).unwrap();
            let played = PlayedMatch::parse(text).unwrap();
            // The facts about the event are not part of a played match.
            assert_eq!(played.record().unwrap(), MatchRecord { tags: Vec::new(), ..record.clone() });
            assert_eq!(PlayedMatch::parse(&record.to_sgf()).unwrap(), played);
            for game in &played.games {
                let first = Xgid::parse(&game.turns[0].id).unwrap();
                assert_eq!((first.position, first.state.score), (Position::START, game.score));
            }
        }
        let drop = PlayedMatch::parse(SHORT).unwrap().games[0].outcome.clone().unwrap();
        assert_eq!((drop.how.as_str(), drop.points, drop.winner), ("dropped", 1, Some(0)));
    }

    #[test]
    fn a_turn_contains_the_double_before_its_roll() {
        let played = PlayedMatch::parse(MATCH).unwrap();
        let mut turns = played.games.iter().flat_map(|game| &game.turns);
        let turn = turns.find(|turn| turn.doubled.is_some()).expect("a double is taken");
        let state = Xgid::parse(&turn.id).unwrap().state;
        // The state contains the roll and the doubling cube after the take.
        assert_eq!(Some(state.doubling_cube()), turn.doubled);
        assert_eq!(state.doubling_cube_owner, DoublingCubeOwner::Player(1 - turn.seat));
        assert_eq!(state.roll.map(|roll| [roll.high(), roll.low()]), turn.dice);
    }

    #[test]
    fn doubles_have_the_position_before_them() {
        let taken = " Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5                 64: 24/14\n  2)  Doubles => 2                Takes\n  \
                     3) 21: 13/11 6/5\n";
        for text in [SHORT, &format!(" 3 point match\n\n{taken}")] {
            let game = &PlayedMatch::parse(text).unwrap().games[0];
            let [double] = &game.doubles[..] else { panic!("{:?}", game.doubles) };
            assert_eq!(double.turn, 2);
            let xgid = Xgid::parse(&double.id).unwrap();
            assert_eq!((xgid.state.doubling_cube(), xgid.state.roll, xgid.state.on_roll), (1, None, 0));
        }
    }

    #[test]
    fn invalid_records_and_turns_are_refused_with_their_place() {
        let error = PlayedMatch::parse(&SHORT.replace("8/5 6/5", "8/1")).unwrap_err().to_string();
        assert!(error.contains("line 5") && error.contains("legal plays of 3-1"), "{error}");
        let mut played = PlayedMatch::parse(SHORT).unwrap();
        played.games[0].turns[1].text = "24/1".to_owned();
        let error = played.record().unwrap_err().to_string();
        assert!(error.contains("game 1, action 2") && error.contains("legal plays of 6-4"), "{error}");
    }
}

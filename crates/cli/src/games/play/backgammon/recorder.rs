//! Recorder of the games of a session: writes the match record after each game.

use crate::error::CliError;
use crate::games::record_file::RecordFormat;
use crate::output_file::check_new;
use std::path::{Path, PathBuf};
use vivarium_envs::backgammon::record::{
    MatchRecord, RecordedAction, RecordedGame, RecordedResult, RecordedSetup,
};
use vivarium_envs::backgammon::{Match, Play, Position, Roll};

/// Recorder of a match or money session.
pub struct GameRecorder {
    path: PathBuf,
    format: RecordFormat,
    record: MatchRecord,
    /// Whether the match is over. Further matches are not recorded.
    is_over: bool,
}

impl GameRecorder {
    /// Creates a recorder of the match that `state` begins, into the file `path`. `force` allows to overwrite the file,
    /// `has_setup` states whether the first game begins with a set-up position. `names`: human player, opponent.
    ///
    /// # Errors
    /// [`CliError::Usage`] if the file name has no known extension, the format has no set-up positions, or the file exists
    /// without `force`.
    pub fn new(
        path: PathBuf,
        force: bool,
        state: &Match,
        has_setup: bool,
        names: [&str; 2],
    ) -> Result<Self, CliError> {
        let format = RecordFormat::of(&path, "--record")?;
        format.check_setup(has_setup, &path, "--record")?;
        check_new("--record", &path, force)?;
        let jacoby = state.length == 0 && !state.without_jacoby;
        let record = MatchRecord::new(names.map(str::to_owned), state.length, jacoby);
        Ok(Self { path, format, record, is_over: false })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins a game in the state `state`. `position` is a set-up position from the view of the player on roll; `None` for
    /// the starting position.
    pub fn begin(&mut self, state: &Match, position: Option<Position>) {
        if !self.is_over {
            let Match { score, crawford, on_roll, doubling_cube_exponent, doubling_cube_owner, .. } = *state;
            let setup =
                |position| RecordedSetup { position, on_roll, doubling_cube_exponent, doubling_cube_owner };
            self.record
                .games
                .push(RecordedGame { setup: position.map(setup), ..RecordedGame::new(score, crawford) });
        }
    }

    /// Records the play of a roll.
    pub fn play(&mut self, player: u8, roll: Roll, play: Play) {
        self.push(RecordedAction::Play { player, roll, play });
    }

    /// Records a double and its reply.
    pub fn double(&mut self, player: u8, is_take: bool) {
        self.push(RecordedAction::Double { player });
        let player = 1 - player;
        self.push(if is_take { RecordedAction::Take { player } } else { RecordedAction::Pass { player } });
    }

    /// Ends a game with the points of the winner, if it is finished, and writes the file.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be written.
    pub fn end(&mut self, result: Option<(u8, u16)>) -> Result<(), CliError> {
        if self.is_over {
            return Ok(());
        }
        if let Some(game) = self.record.games.last_mut() {
            game.result = result.map(|(winner, points)| RecordedResult { winner, points });
            if let Some((winner, points)) = result {
                let state = Match { score: game.score, ..Match::start(self.record.length, false) };
                self.is_over = state.after_game(winner, points).winner().is_some();
            }
        }
        self.format.write(&self.record, &self.path)
    }

    fn push(&mut self, action: RecordedAction) {
        if let Some(game) = self.record.games.last_mut().filter(|_| !self.is_over) {
            game.actions.push(action);
        }
    }
}

//! Match or money session at the table: score, doubling cube and doubles of the current turn.

use vivarium_envs::backgammon::{DoublingCubeOwner, Match, Win};

/// `GameOutcome::how` of a game that ended with a dropped double.
pub(crate) const DROPPED: &str = "dropped";
/// `GameOutcome::how` of a game that a player resigned.
pub(crate) const RESIGNED: &str = "resigned";
/// `GameTurn::text` of a turn without legal moves.
pub(crate) const CANNOT_MOVE: &str = "cannot move";

/// Doubling cube: binary logarithm of its value, and its owner.
pub(super) type Cube = (u8, DoublingCubeOwner);

/// Returns the kind of win with a number of points without a doubling cube: 1 single game, 2 gammon, 3 backgammon.
pub(super) fn win_of(points: u8) -> Win {
    match points {
        0 | 1 => Win::Single,
        2 => Win::Gammon,
        _ => Win::Backgammon,
    }
}

/// Match or money session at the table.
#[derive(Clone, Copy)]
pub(super) struct MatchPlay {
    /// Score before the current game, rules, doubling cube, and whether a double is offered. The player on roll and the
    /// dice are not set; see [`match_state`](super::TableState::match_state).
    pub(super) state: Match,
    /// `state` at the start of the game, for the game record.
    pub(super) start: Match,
    /// Whether the opponent has taken a double of the seat to move in the current turn.
    pub(super) taken: bool,
    /// Whether the computer to move has decided not to double in the current turn.
    pub(super) declined: bool,
}

impl MatchPlay {
    pub(super) fn new(state: Match) -> Self {
        let state = Match { roll: None, resigned: 0, game: 1, ..state };
        Self { state, start: state, taken: false, declined: false }
    }

    /// Returns the points of a win of kind `win` (1 single game, 2 gammon, 3 backgammon) with the present doubling cube.
    pub(super) fn points(&self, win: u8) -> u32 {
        self.state.points(win_of(win)).into()
    }

    pub(super) fn cube(&self) -> Cube {
        (self.state.doubling_cube_exponent, self.state.doubling_cube_owner)
    }

    /// Restores the doubling cube of an earlier turn. `taken` states whether a double was taken in the turn.
    pub(super) fn set_cube(&mut self, (exponent, owner): Cube, taken: bool) {
        self.state = Match {
            doubling_cube_exponent: exponent,
            doubling_cube_owner: owner,
            doubled: false,
            ..self.state
        };
        self.taken = taken;
    }

    /// Sets the score to 0 for new players. The game keeps its doubling cube.
    pub(super) fn reset_score(&mut self) {
        for state in [&mut self.state, &mut self.start] {
            let crawford = state.length == 1;
            *state = Match { score: [0; 2], crawford, ..*state };
        }
    }

    /// Returns the state before the first game of a match with the same rules.
    pub(super) fn restarted(&self) -> Match {
        Match::start(self.state.length, !self.state.without_jacoby)
    }
}

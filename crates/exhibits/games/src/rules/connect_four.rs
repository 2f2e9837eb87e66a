//! Connect Four as a user plays or analyzes the game: display, notation and interactive turns.

use super::{EnteredPosition, TableGame};
use crate::presets::large_preset;
use crate::protocol::OutcomeInfo;
use crate::protocol::{GameBoard, GameMove, GameOutcome, GamePlayer, GamePosition, GameTarget};
use serde_json::json;
use vivarium_agents::players::{Minimax, Player, Random};
use vivarium_envs::backgammon::Match;
use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};
use vivarium_lab::config::shorten;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{PresetInfo, preset};
use vivarium_mcts::Game;

/// Minimax players among the reference players of the ladder (periodic matches that measure playing strength): name in
/// metrics, and search depth in plies.
const DEPTHS: [(&str, u32); 3] = [("minimax_2", 2), ("minimax_4", 4), ("minimax_6", 6)];
/// Maximum search depth of minimax players, in plies.
const MAX_DEPTH: u32 = 8;

impl TableGame for ConnectFour {
    type Turn = Option<usize>;

    const TITLE: &'static str = "Connect Four";
    const SUMMARY: &'static str = "AlphaZero learns Connect Four by self-play with tree search, without human games. \
        Within minutes it finds threats many moves ahead.";
    const EQUITY_UNIT: &'static str = "games";
    const TYPICAL_BRANCHES: usize = COLUMNS;
    const CONFIRMS: bool = false;
    const HAS_DOUBLING_CUBE: bool = false;
    const RANKS_BY_EQUITY: bool = false;
    const HARDEST_WINS: &'static str = "wins_minimax_6";

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("quick", "Quick", json!({})).with_help("From random to strong play within minutes."),
            large_preset(),
            preset("searching", "Search every move", json!({ "search": { "search_share": 1.0 } }))
                .with_help("Searches every move of self-play, as AlphaZero does."),
        ]
    }

    fn outcomes() -> Vec<OutcomeInfo> {
        vec![
            OutcomeInfo::new("win", "Win", "Four in a row first."),
            OutcomeInfo::new(
                "lose",
                "Lose",
                "The opponent has four in a row first; the remaining probability is the probability of a draw.",
            ),
        ]
    }

    fn opponents() -> Vec<(&'static str, GamePlayer)> {
        let minimax = DEPTHS.map(|(name, depth)| (name, GamePlayer::Minimax { depth }));
        [("random", GamePlayer::Random)].into_iter().chain(minimax).collect()
    }

    fn opponent(player: GamePlayer) -> Option<Box<dyn Player<Self>>> {
        match player {
            GamePlayer::Random => Some(Box::new(Random)),
            GamePlayer::Minimax { depth: plies @ 1..=MAX_DEPTH } => Some(Box::new(Minimax { plies })),
            GamePlayer::Minimax { .. }
            | GamePlayer::Person
            | GamePlayer::Newest { .. }
            | GamePlayer::Best { .. }
            | GamePlayer::Earlier { .. }
            | GamePlayer::Opened { .. }
            | GamePlayer::Pips
            | GamePlayer::Pubeval => None,
        }
    }

    fn initial_state(first: Option<u8>, game: u32) -> Self {
        // Each seat keeps its color. If seat 1 starts, the state's player numbers are swapped.
        let begins = first.unwrap_or((game % 2) as u8);
        if begins == 0 { Self::START } else { Self::START.renamed() }
    }

    fn scheduled_dice(&self, _: u64, _: u32, _: u32, _: Option<u8>) -> Option<[u8; 2]> {
        None
    }

    fn rolled(&self, dice: [u8; 2], _: Option<u8>) -> Result<Self, LabError> {
        let allowed = "Connect Four is played without dice";
        Err(LabError::invalid("dice", format!("{}-{}", dice[0], dice[1]), allowed))
    }

    fn dice(&self) -> Option<[u8; 2]> {
        None
    }

    fn parse_position(
        position: &GamePosition,
        seat: Option<u8>,
        dice: Option<[u8; 2]>,
    ) -> Result<EnteredPosition<Self>, LabError> {
        if let Some(dice) = dice {
            return Err(Self::START.rolled(dice, None).err().unwrap_or_else(|| LabError::engine("no dice")));
        }
        let GamePosition::Id { id } = position else {
            let allowed = "Connect Four has no checkers; enter the columns of the moves, such as 4433";
            return Err(LabError::invalid("position", "checkers", allowed));
        };
        let move_list = id.trim();
        let refuse = |why: String| LabError::invalid("position", shorten(move_list), why);
        let mut state = ConnectFour::from_moves(move_list).map_err(|error| refuse(error.to_string()))?;
        if state.value().is_some() {
            return Err(refuse("the game is over after these moves: there is nothing left to play".into()));
        }
        if seat.is_some_and(|seat| seat != state.player()) {
            state = state.renamed();
        }
        Ok(EnteredPosition {
            state,
            move_list: move_list.to_owned(),
            notice: None,
            match_state: None,
            has_doubling_cube: false,
        })
    }

    fn id(&self, move_list: &str, _: Option<&Match>) -> String {
        move_list.to_owned()
    }

    fn extended(move_list: &str, moves: &[GameMove]) -> String {
        moves.iter().fold(move_list.to_owned(), |move_list, one| format!("{move_list}{}", one.to + 1))
    }

    fn board(&self, _: Option<&Self::Turn>) -> GameBoard {
        let mut cells = Vec::with_capacity(COLUMNS * ROWS);
        self.write_board(&mut cells);
        let winning = winning(&cells);
        GameBoard::ConnectFour { cells, winning }
    }

    fn write_board(&self, to: &mut Vec<u8>) {
        for column in 0..COLUMNS {
            to.extend((0..ROWS).map(|row| self.stone(column, row).map_or(0, |player| 1 + player)));
        }
    }

    fn outcome(&self) -> Option<GameOutcome> {
        let value = self.value()?;
        Some(if value < 0.0 {
            GameOutcome { winner: Some(1 - self.player()), points: 1, win: 1, how: "four in a row".into() }
        } else {
            GameOutcome { winner: None, points: 0, win: 0, how: "draw".into() }
        })
    }

    fn notation(&self, branches: &[usize]) -> (Vec<GameMove>, String) {
        let moves = branches.iter().map(|&column| drop_in(column)).collect();
        let names: Vec<_> = branches.iter().map(|column| (column + 1).to_string()).collect();
        (moves, names.join(" "))
    }

    fn roll_notation(_: usize) -> String {
        String::new()
    }

    fn begin_turn(&self) -> Self::Turn {
        None
    }

    fn dice_left(_: &Self::Turn) -> Vec<u8> {
        Vec::new()
    }

    fn targets(&self, turn: &Self::Turn) -> Vec<GameTarget> {
        if turn.is_some() {
            return Vec::new();
        }
        let mut targets = Vec::with_capacity(COLUMNS);
        self.branches(&mut (), |column, _| {
            let one = drop_in(column);
            targets.push(GameTarget { from: one.from, to: one.to, moves: vec![one] });
        });
        targets
    }

    fn moved(&self, turn: &Self::Turn, from: u8, to: u8) -> Result<Self::Turn, LabError> {
        let refuse = |why: &str| Err(LabError::invalid("move", format!("{from} to {to}"), why));
        match usize::from(to) {
            _ if turn.is_some() => refuse("a stone has been dropped in this turn"),
            _ if from != to => refuse("a stone is dropped from above: from and to are the same column"),
            column if column >= COLUMNS => refuse("the columns are 0 to 6"),
            column if !self.is_open(column) => refuse("this column is full"),
            column => Ok(Some(column)),
        }
    }

    fn undone(turn: &Self::Turn) -> Option<Self::Turn> {
        turn.map(|_| None)
    }

    fn made(turn: &Self::Turn) -> Vec<GameMove> {
        turn.iter().map(|&column| drop_in(column)).collect()
    }

    fn completed(&self, turn: &Self::Turn) -> Option<(Self, String)> {
        turn.map(|column| (self.after(column), (column + 1).to_string()))
    }

    fn max_loss(&self, _: u8) -> u32 {
        1
    }
}

fn drop_in(column: usize) -> GameMove {
    GameMove { from: column as u8, to: column as u8, hits: false }
}

/// Returns the indices of the cells of all rows of four equal stones, sorted and without duplicates. `cells`: 0 empty,
/// 1 seat 0, 2 seat 1.
fn winning(cells: &[u8]) -> Vec<u32> {
    let at = |column: usize, row: usize| {
        if column < COLUMNS && row < ROWS { cells[ROWS * column + row] } else { 0 }
    };
    let mut winning = Vec::new();
    for column in 0..COLUMNS {
        for row in 0..ROWS {
            let color = at(column, row);
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, usize::MAX)] {
                let cell = |step: usize| (column + step * right, row.wrapping_add(up.wrapping_mul(step)));
                let same = |step| {
                    let (column, row) = cell(step);
                    at(column, row) == color
                };
                if color > 0 && (1..4).all(same) {
                    winning.extend((0..4).map(cell).map(|(column, row)| (ROWS * column + row) as u32));
                }
            }
        }
    }
    winning.sort_unstable();
    winning.dedup();
    winning
}

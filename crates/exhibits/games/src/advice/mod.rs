//! Advisers: evaluators of backgammon positions and plays at a score and with a doubling cube, for hints and the analysis of
//! matches.

mod adviser;
pub mod bearoff;
mod doubling;
mod expectimax;
mod plays_table;
pub mod race;
mod stop_signal;

pub use adviser::{Advice, Adviser, best_equity, mean_equity, rank_plays};
pub use doubling::{DecidedDoubling, DoublingLosses, probabilities_text};
pub use expectimax::{
    Candidate, DEFAULT_PLIES, DEFAULT_RECHECK_PLIES, Expectimax, MAX_PLIES, MoveFilter, advice_of, plies_text,
};
pub use plays_table::{BY_FORMULA, COLUMNS_NOTE, equity_unit, plays_table, plays_table_with};
pub use stop_signal::StopSignal;

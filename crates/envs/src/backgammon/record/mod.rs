//! Records of backgammon matches, in two text formats:
//!
//! - *.mat*, the match text of JellyFish, which GNU Backgammon and eXtreme Gammon read and write;
//! - *SGF*, the Smart Game Format with game number 6 (<https://www.red-bean.com/sgf/backgammon.html>), the format of GNU
//!   Backgammon.
//!
//! A parsed record obeys the rules: the parsers replay all games, so that every play of a record is legal, every score
//! follows from the games before, and every result from the actions or a resignation.
//!
//! ```
//! use vivarium_envs::backgammon::record::MatchRecord;
//!
//! let text = " 3 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Drops\n";
//! let record = MatchRecord::parse(text)?;
//! assert_eq!((record.length, record.games[0].actions.len()), (3, 3));
//! assert_eq!(MatchRecord::parse(&record.to_sgf())?, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod consistency;
mod mat;
mod match_record;
mod quoted;
mod replay;
mod sgf;
mod sgf_tree;

pub use match_record::{
    MatchRecord, RecordError, RecordTag, RecordedAction, RecordedGame, RecordedResult, RecordedSetup,
};
pub use replay::GameReplay;

impl MatchRecord {
    /// Parses a record in the format SGF, if the text begins with a parenthesis, or else .mat.
    ///
    /// # Errors
    /// [`RecordError`] if the text has another format or an action breaks the rules.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let text = text.trim_start_matches('\u{feff}');
        let record = if text.trim_start().starts_with('(') { sgf::parse(text)? } else { mat::parse(text)? };
        if record.games.is_empty() { Err(RecordError::Empty) } else { Ok(record) }
    }

    /// Returns the record in the format .mat. The format does not store whether a money session has the Jacoby rule.
    pub fn to_mat(&self) -> String {
        mat::write(self)
    }

    /// Returns the record in the Smart Game Format.
    pub fn to_sgf(&self) -> String {
        sgf::write(self)
    }
}

//! Match equity table of doubling decisions: computed, or loaded from the file of `--met`.

mod entries;
mod matrix;
mod xml;

use crate::error::CliError;
use clap::Args;
use entries::TableEntries;
use std::path::{Path, PathBuf};
use vivarium_envs::backgammon::Match;
use vivarium_envs::backgammon::doubling::{
    DoublingContext, DoublingError, EquityContext, GAMMON_RATE, MAX_MATCH_LENGTH, MatchEquityTable,
    OPENING_DEVIATION, TABLE_CUBE_LIFE,
};

/// Option of commands that use a match equity table.
#[derive(Args, Clone, Debug, Default)]
pub struct EquityTableArgs {
    /// Match equity table instead of the computed one: an XML file of GNU Backgammon such as Kazaross-XG2.xml, or a matrix as met --csv prints it
    #[arg(long, value_name = "FILE")]
    pub met: Option<PathBuf>,
}

/// Match equity table with its source.
pub struct EquityTable {
    table: MatchEquityTable,
    /// Name of a loaded table, with its file; `None` for the computed table.
    loaded: Option<String>,
}

impl EquityTableArgs {
    /// Reads the table of the file, or computes it.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be read, or its table is invalid.
    pub fn table(&self) -> Result<EquityTable, CliError> {
        let Some(path) = &self.met else { return Ok(EquityTable::computed()) };
        let bytes = std::fs::read(path).map_err(|error| CliError::file("read", path, error))?;
        EquityTable::parse(&String::from_utf8_lossy(&bytes), path)
            .map_err(|problem| CliError::failed(format!("--met {}: {problem}", path.display())))
    }
}

impl EquityTable {
    /// Computes the default table.
    pub fn computed() -> Self {
        Self { table: MatchEquityTable::new(MAX_MATCH_LENGTH.into()), loaded: None }
    }

    /// Parses the text of a file: XML if it begins with `<`, or else a matrix.
    fn parse(text: &str, path: &Path) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let TableEntries { name, rows, post_crawford } =
            if text.starts_with('<') { xml::parse(text)? } else { matrix::parse(text)? };
        let table = MatchEquityTable::from_rows(&rows, post_crawford.as_deref())
            .map_err(|error| error.to_string())?;
        let file = path.display();
        let name = match name.as_deref().map(str::trim) {
            None | Some("") => file.to_string(),
            Some(name) => format!("{name}, {file}"),
        };
        let computed =
            if post_crawford.is_none() { "; the row after the Crawford game is computed" } else { "" };
        Ok(Self { table, loaded: Some(format!("{name}{computed}")) })
    }

    /// Returns the entries.
    pub fn entries(&self) -> &MatchEquityTable {
        &self.table
    }

    /// Returns the name of a loaded table, with its file; `None` for the computed table.
    pub fn loaded(&self) -> Option<&str> {
        self.loaded.as_deref()
    }

    /// Returns the source of the entries, for display.
    pub fn source(&self) -> String {
        self.loaded.clone().unwrap_or_else(|| {
            format!(
                "recursion over scores with Janowski's formula, gammon rate {:.0} %, cube life {TABLE_CUBE_LIFE}; after the \
                 Crawford game an immediate double and a free drop, at a winning probability of 50 ± {:.1} %",
                100.0 * GAMMON_RATE,
                100.0 * OPENING_DEVIATION
            )
        })
    }

    /// Checks that the table has the scores of a match to `length` points. `what`: option or file that sets the length.
    ///
    /// # Errors
    /// [`CliError::Usage`] if the table is too short.
    pub fn check_length(&self, length: u16, what: &str) -> Result<(), CliError> {
        match self.table.length() {
            longest if length > longest => Err(CliError::usage(format!(
                "{what}: the match has {length} points, the match equity table of --met only {longest}; omit --met, or use a \
                 longer table"
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the score and the doubling cube of the player on roll.
    ///
    /// # Errors
    /// A message if the table does not have the score.
    pub fn equity_context(&self, state: &Match) -> Result<EquityContext<'_>, String> {
        EquityContext::new(state, &self.table).map_err(|error| format!("no equity at this score: {error}"))
    }

    /// Returns the context of the doubling decision of the player on roll.
    ///
    /// # Errors
    /// [`DoublingError`] if there is no decision.
    pub fn context(&self, state: &Match) -> Result<DoublingContext, DoublingError> {
        DoublingContext::with_table(state, &self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::doubling::ScoreError;

    #[test]
    fn both_formats_are_recognized() {
        let parse = |text: &str| EquityTable::parse(text, Path::new("table"));
        let matrix = parse("0.5 0.7\n0.3 0.5\npost-Crawford 0.5 0.48\n").unwrap();
        assert_eq!((matrix.entries().length(), matrix.loaded()), (2, Some("table")));
        assert_eq!(matrix.entries().probability([2, 1], true), 0.48);
        let computed = parse("0.5 0.7\n0.3 0.5\n").unwrap();
        assert_eq!(computed.source(), "table; the row after the Crawford game is computed");
        assert_eq!(computed.entries().probability([2, 1], true), 0.488);
        let xml = parse(
            "\u{feff}<met><info><name>Two</name></info><pre-crawford-table type=\"explicit\"><row><me>0.5</me><me>0.7</me></row><row>\
             <me>0.3</me><me>0.5</me></row></pre-crawford-table></met>",
        )
        .unwrap();
        assert_eq!(xml.source(), "Two, table; the row after the Crawford game is computed");
        assert!(parse("0.5 0.7\n0.2 0.5").err().unwrap().contains("sum to 0.9000"));
        assert!(parse("").err().unwrap().contains("0 rows"));
    }

    #[test]
    fn a_match_longer_than_the_table_is_refused() {
        let table = EquityTable::parse("0.5 0.7\n0.3 0.5\n", Path::new("table")).unwrap();
        assert!(table.check_length(2, "--match").is_ok());
        let error = table.check_length(3, "--match").unwrap_err();
        assert!(error.message().unwrap().starts_with("--match: the match has 3 points"), "{error:?}");
        let state = Match { score: [0, 0], ..Match::start(3, false) };
        assert_eq!(
            table.context(&state).err(),
            Some(DoublingError::Score(ScoreError::Table { away: 3, length: 2 }))
        );
        assert!(table.context(&Match { score: [1, 1], ..state }).is_ok());
    }
}

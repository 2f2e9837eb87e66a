//! `vivarium met`: the match equity table of doubling decisions.

use super::equity_table::{EquityTable, EquityTableArgs};
use crate::error::CliError;
use crate::values::whole;
use crate::{terminal, text};
use clap::Args;
use serde_json::{Value, json};
use vivarium_envs::backgammon::doubling::MAX_MATCH_LENGTH;

/// Default match length of the printed table, in points.
const DEFAULT_LENGTH: u16 = 11;

/// Command-line arguments of `vivarium met`.
#[derive(Args, Debug)]
#[command(
    after_help = "A row holds the points that the first player needs, a column the points that the opponent needs; a cell is \
    the probability that the first player wins the match. If one player needs 1 point, the next game is the Crawford game. The \
    line post-Crawford is for a player who needs these points after the Crawford game, while the opponent needs 1 point.\n\
    Examples: vivarium met --length 25 --csv; vivarium met --met /usr/share/gnubg/met/Kazaross-XG2.xml"
)]
pub struct MetArgs {
    /// Match length in points, 1 to 64 [default: 11, or the length of a shorter table]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, MAX_MATCH_LENGTH))]
    pub length: Option<u16>,
    /// File of the table.
    #[command(flatten)]
    pub equity_table: EquityTableArgs,
    /// Print one JSON object, with probabilities
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values, with probabilities
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// Match equity table of a match length.
struct PrintedTable {
    length: i32,
    equities: EquityTable,
}

/// Runs `vivarium met`.
///
/// # Errors
/// [`CliError`] if the file of `--met` is invalid, or its table is shorter than `--length`.
pub fn run(args: &MetArgs) -> Result<(), CliError> {
    let table = PrintedTable::new(args.equity_table.table()?, args.length)?;
    terminal::print_line(&match (args.json, args.csv) {
        (true, _) => table.json().to_string(),
        (_, true) => table.csv(),
        _ => table.text(),
    });
    Ok(())
}

impl PrintedTable {
    /// Creates the printed part of a table. Without a `length`, it has at most [`DEFAULT_LENGTH`] points.
    fn new(equities: EquityTable, length: Option<u16>) -> Result<Self, CliError> {
        let length = length.unwrap_or(DEFAULT_LENGTH.min(equities.entries().length()));
        equities.check_length(length, "--length")?;
        Ok(Self { length: length.into(), equities })
    }

    /// Returns the probabilities of the first player, a row for each number of points that this player needs.
    fn rows(&self) -> Vec<Vec<f64>> {
        let row = |mine| {
            (1..=self.length)
                .map(|theirs| self.equities.entries().probability([mine, theirs], false))
                .collect()
        };
        (1..=self.length).map(row).collect()
    }

    /// Returns the probabilities of the player who needs 1, 2, … points after the Crawford game.
    fn post_crawford(&self) -> Vec<f64> {
        (1..=self.length).map(|mine| self.equities.entries().probability([mine, 1], true)).collect()
    }

    fn text(&self) -> String {
        let percent = |probability: &f64| format!("{:>5.1}", 100.0 * probability);
        let line = |name: String, cells: &[f64]| {
            [name].into_iter().chain(cells.iter().map(percent)).collect::<Vec<_>>()
        };
        let heading = (1..=self.length).map(|theirs| format!("{theirs:>5}"));
        let mut rows = vec![["away".to_owned()].into_iter().chain(heading).collect()];
        rows.extend((1..).zip(self.rows()).map(|(mine, cells): (i32, _)| line(mine.to_string(), &cells)));
        rows.push(line("post-Crawford".to_owned(), &self.post_crawford()));
        format!(
            "Match winning probability in percent. Source: {}.\n\n{}",
            self.equities.source(),
            text::table(&rows)
        )
    }

    fn csv(&self) -> String {
        let line = |name: String, cells: &[f64]| {
            [name]
                .into_iter()
                .chain(cells.iter().map(|cell| format!("{cell:.5}")))
                .collect::<Vec<_>>()
                .join(",")
        };
        let heading = (1..=self.length).map(|theirs| theirs.to_string());
        let mut lines = vec![["away".to_owned()].into_iter().chain(heading).collect::<Vec<_>>().join(",")];
        lines.extend((1..).zip(self.rows()).map(|(mine, cells): (i32, _)| line(mine.to_string(), &cells)));
        lines.push(line("post-Crawford".to_owned(), &self.post_crawford()));
        lines.join("\n")
    }

    fn json(&self) -> Value {
        json!({
            "source": self.equities.source(),
            "length": self.length,
            "pre_crawford": self.rows(),
            "post_crawford": self.post_crawford(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_formats_have_the_same_probabilities() {
        let table = PrintedTable::new(EquityTable::computed(), Some(7)).unwrap();
        let (text, csv, json) = (table.text(), table.csv(), table.json());
        for mine in 1..=7 {
            let row = csv.lines().nth(mine).unwrap();
            let cells: Vec<f64> = row.split(',').skip(1).map(|cell| cell.parse().unwrap()).collect();
            assert_eq!(cells.len(), 7);
            for (theirs, cell) in (1..).zip(cells) {
                let exact = table.equities.entries().probability([mine as i32, theirs], false);
                assert!((cell - exact).abs() < 1e-5, "{mine} {theirs}: {cell} {exact}");
                assert_eq!(json["pre_crawford"][mine - 1][theirs as usize - 1], exact);
            }
        }
        // Kazaross XG2: 3 and 5 points away, 64.8 %.
        assert!((json["pre_crawford"][2][4].as_f64().unwrap() - 0.648).abs() < 0.004);
        assert!(text.contains("gammon rate 29 %") && text.contains("\n7 "), "{text}");
        assert_eq!(csv.lines().count(), 9);
        assert!(csv.lines().last().unwrap().starts_with("post-Crawford,0.5"), "{csv}");
    }
}

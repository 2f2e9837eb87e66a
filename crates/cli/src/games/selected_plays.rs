//! Plays that a user selects with `--play`.

use crate::error::CliError;
use std::cmp::Reverse;
use vivarium_envs::backgammon::{Play, PlayNotationError, Plays, Position, Roll};
use vivarium_lab::spelling::edits;

/// Parses the plays of `--play`, in standard notation, as plays of a roll. Equal plays are returned once.
///
/// # Errors
/// [`CliError::Usage`] for a play that is not legal, which names similar legal plays, or if there is no roll.
pub fn parse_selected(
    texts: &[String],
    position: &Position,
    roll: Option<Roll>,
) -> Result<Vec<Play>, CliError> {
    let mut selected: Vec<Play> = Vec::new();
    for text in texts {
        let Some(roll) = roll else {
            return Err(CliError::usage(format!(
                "--play {text}: the position has no roll; add --dice, such as --dice 31"
            )));
        };
        let mut plays = Plays::new();
        plays.generate(position, roll);
        let play = plays.find(position, text).map_err(|error| {
            let problem = match error {
                PlayNotationError::Illegal { .. } => {
                    format!("not a legal play of {roll}; {}", similar_plays(&plays, position, text))
                }
                error => error.to_string(),
            };
            CliError::usage(format!("--play {text}: {problem}"))
        })?;
        if !is_selected(&selected, &play) {
            selected.push(play);
        }
    }
    Ok(selected)
}

/// Returns whether `selected` contains a play with the same position after it as `play`.
pub fn is_selected(selected: &[Play], play: &Play) -> bool {
    selected.iter().any(|selected| selected.after == play.after)
}

/// Names the legal plays that are most similar to `text`: with the most equal moves, and of these with the smallest edit distance.
fn similar_plays(plays: &Plays, position: &Position, text: &str) -> String {
    /// Maximum number of named plays.
    const MOST: usize = 5;
    let text = text.to_lowercase();
    let mut similar: Vec<_> = plays
        .iter()
        .map(|play| {
            let notation = play.notation(position);
            let moves = format!("{notation} {}", play.separate_moves()).replace('*', "");
            let parts = text.split([' ', ',']).map(|part| part.replace('*', ""));
            let equal = parts.filter(|part| moves.split(' ').any(|one| one == part)).count();
            (Reverse(equal), edits(&text, &notation), notation)
        })
        .collect();
    similar.sort();
    let count = similar.len();
    let names: Vec<_> = similar.into_iter().take(MOST).map(|(.., notation)| notation).collect();
    let names = names.join(", ");
    if count > MOST {
        format!("similar ones of {count} legal plays: {names}")
    } else {
        format!("legal plays: {names}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_plays_name_similar_legal_ones() {
        let roll = Roll::new(6, 4).unwrap();
        let select = |texts: &[&str]| {
            let texts: Vec<_> = texts.iter().map(|&text| text.to_owned()).collect();
            parse_selected(&texts, &Position::START, Some(roll))
        };
        assert_eq!(select(&["24/14", "24/20/14", "8/2 6/2"]).unwrap().len(), 2);
        let message = |text: &str| select(&[text]).unwrap_err().message().unwrap().to_owned();
        // A single move of a roll with two moves.
        let single = message("24/18");
        assert!(single.starts_with("--play 24/18: not a legal play of 6-4; similar ones of 14 "), "{single}");
        assert_eq!(single.matches("24/18").count(), 5, "{single}");
        let swapped = message("13/9 24/19");
        assert!(swapped.contains("24/18 13/9"), "{swapped}");
        assert!(message("nonsense").contains("\"nonsense\" is not a move"));
        let error = parse_selected(&["24/14".to_owned()], &Position::START, None).unwrap_err();
        assert!(error.message().unwrap().contains("--dice"), "{error:?}");
    }
}

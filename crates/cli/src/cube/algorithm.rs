//! `vivarium alg`: forms, length, order and effect of an algorithm in the notation of the cube community.

use super::{experiment_name, parse_cube_name, sticker_letters};
use crate::batch::{STANDARD_INPUT, for_each_line};
use crate::error::CliError;
use crate::{terminal, text};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use vivarium_envs::cube::{AlgorithmEffect, CubeAlgorithm, CubeSize, LayerMove, MoveMetric};

/// Field of an algorithm: value of `--print`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmField {
    /// The algorithm in the notation of the WCA, with its brackets
    Algorithm,
    /// Moves without brackets
    Expanded,
    /// Moves without brackets, equal layers merged
    Simplified,
    /// Inverse, with its brackets
    Inverse,
    /// Length in the half-turn metric
    Htm,
    /// Length in the quarter-turn metric
    Qtm,
    /// Length in the slice-turn metric
    Stm,
    /// Length in the execution-turn metric, with rotations
    Etm,
    /// Number of repetitions that restore the cube
    Order,
    /// Rotation of the whole cube
    Rotation,
    /// Cycles of corners and edges
    Cycles,
    /// Stickers of the cube after the algorithm
    Stickers,
}

/// Command-line arguments of `vivarium alg`.
#[derive(Args, Debug)]
#[command(
    after_help = "Notation: face turns U R F D L B; R' or any other apostrophe is counter-clockwise, R2 a half turn, R5 equals \
    R; wide turns Rw or r; numbered layers 2R, 3Rw, 2-3Rw; slices M E S; rotations x y z; groups (R U)2, commutators [R, U], \
    conjugates [R: U]; comments // ... and /* ... */. cube2 has face turns, rotations and numbered layers.\n\
    Length: htm counts turns of outer layers, a slice turn twice; qtm counts half turns twice; stm counts slice turns once; \
    etm counts rotations too. The length is that of the expanded moves.\n\
    Cycles: (URF ULB) moves the corner URF to ULB, its sticker U to U. + after a cycle twists its corners clockwise or flips \
    its edges, - twists counter-clockwise. Cycles and stickers are those of the cube in the standard orientation.\n\
    Batches: with -, every line of standard input is an algorithm, and each line of standard output has one field \
    [default: simplified]. An invalid line is reported with its number, the next line follows, and the exit code is 1 at the \
    end. Empty lines and lines that begin with # are ignored.\n\
    Examples: vivarium alg \"[R, U]\", vivarium alg \"M' U M\" --print inverse, vivarium scramble 333 --count 9 | vivarium \
    alg - --print htm"
)]
pub struct AlgorithmArgs {
    /// Algorithm, such as "[R U: [M', U2]]" in quotes; - reads one algorithm a line of standard input
    #[arg(required = true, value_name = "ALGORITHM")]
    pub moves: Vec<String>,
    /// Cube: cube2 or cube3, also 222 or 333, 2x2x2 or 3x3x3
    #[arg(long, value_name = "CUBE", default_value = "cube3", value_parser = parse_cube_name)]
    pub cube: CubeSize,
    /// Print only this field
    #[arg(long, value_enum, value_name = "FIELD", ignore_case = true, hide_possible_values = false)]
    pub print: Option<AlgorithmField>,
    /// Print one JSON object per algorithm, with all fields
    #[arg(long, conflicts_with = "print")]
    pub json: bool,
}

/// Algorithm with its effect, which is computed once for all fields.
struct AnalyzedAlgorithm {
    algorithm: CubeAlgorithm,
    moves: Vec<LayerMove>,
    effect: AlgorithmEffect,
}

/// Runs `vivarium alg`.
///
/// # Errors
/// [`CliError::Usage`] for an invalid algorithm; [`CliError::Failed`] if a line of a batch failed.
pub fn run(args: &AlgorithmArgs) -> Result<(), CliError> {
    if let [name, _, ..] = args.moves.as_slice()
        && let Ok(size) = parse_cube_name(name)
    {
        return Err(CliError::usage(format!(
            "algorithm: {name} is a cube, not a move; use vivarium alg --cube {} {}",
            experiment_name(size),
            text::shell_quoted(&args.moves[1..].join(" "))
        )));
    }
    let typed = args.moves.join(" ");
    if typed == STANDARD_INPUT {
        return for_each_line(|line, typed| {
            let algorithm = AnalyzedAlgorithm::parse(typed, args.cube)?;
            terminal::print_line(&if args.json {
                let mut value = algorithm.json();
                value["line"] = line.into();
                value.to_string()
            } else {
                algorithm.field(args.print.unwrap_or(AlgorithmField::Simplified))
            });
            Ok(())
        });
    }
    let algorithm = AnalyzedAlgorithm::parse(&typed, args.cube)?;
    terminal::print_line(&match args.print {
        _ if args.json => algorithm.json().to_string(),
        Some(field) => algorithm.field(field),
        None => algorithm.table(),
    });
    Ok(())
}

impl AnalyzedAlgorithm {
    fn parse(text: &str, size: CubeSize) -> Result<Self, CliError> {
        let algorithm = CubeAlgorithm::parse(text, size)
            .map_err(|error| CliError::usage(format!("algorithm: {error}")))?;
        let (moves, effect) = (algorithm.moves(), algorithm.effect());
        Ok(Self { algorithm, moves, effect })
    }

    /// Formats one field.
    fn field(&self, field: AlgorithmField) -> String {
        let Self { algorithm, moves, effect } = self;
        let length = |metric: MoveMetric| metric.length(moves).to_string();
        match field {
            AlgorithmField::Algorithm => algorithm.to_string(),
            AlgorithmField::Expanded => algorithm.expanded().to_string(),
            AlgorithmField::Simplified => algorithm.simplified().to_string(),
            AlgorithmField::Inverse => algorithm.inverse().to_string(),
            AlgorithmField::Htm => length(MoveMetric::HalfTurn),
            AlgorithmField::Qtm => length(MoveMetric::QuarterTurn),
            AlgorithmField::Stm => length(MoveMetric::SliceTurn),
            AlgorithmField::Etm => length(MoveMetric::ExecutionTurn),
            AlgorithmField::Order => effect.order.to_string(),
            AlgorithmField::Rotation => joined(effect.orientation.rotations()),
            AlgorithmField::Cycles => joined(&effect.cycles),
            AlgorithmField::Stickers => sticker_letters(&effect.stickers),
        }
    }

    /// Formats all fields as a table.
    fn table(&self) -> String {
        let lengths =
            MoveMetric::ALL.map(|metric| format!("{} {}", metric.length(&self.moves), metric.name()));
        let row = |name: &str, value: String| {
            vec![name.to_owned(), if value.is_empty() { "–".to_owned() } else { value }]
        };
        let field = |name, field| row(name, self.field(field));
        text::table(&[
            field("algorithm", AlgorithmField::Algorithm),
            field("expanded", AlgorithmField::Expanded),
            field("simplified", AlgorithmField::Simplified),
            field("inverse", AlgorithmField::Inverse),
            row("length", lengths.join(", ")),
            field("order", AlgorithmField::Order),
            field("rotation", AlgorithmField::Rotation),
            field("cycles", AlgorithmField::Cycles),
            field("stickers", AlgorithmField::Stickers),
        ])
    }

    fn json(&self) -> Value {
        let Self { algorithm, moves, effect } = self;
        let cycles = |is_corners: bool| {
            let cycles = effect.cycles.iter().filter(|cycle| cycle.is_corners() == is_corners);
            cycles.map(ToString::to_string).collect::<Vec<_>>()
        };
        let length = |metric: MoveMetric| metric.length(moves);
        json!({
            "experiment": experiment_name(algorithm.size()),
            "algorithm": self.field(AlgorithmField::Algorithm),
            "expanded": self.field(AlgorithmField::Expanded),
            "simplified": self.field(AlgorithmField::Simplified),
            "inverse": self.field(AlgorithmField::Inverse),
            "htm": length(MoveMetric::HalfTurn),
            "qtm": length(MoveMetric::QuarterTurn),
            "stm": length(MoveMetric::SliceTurn),
            "etm": length(MoveMetric::ExecutionTurn),
            "order": effect.order,
            "rotation": self.field(AlgorithmField::Rotation),
            "corners": cycles(true),
            "edges": cycles(false),
            "stickers": self.field(AlgorithmField::Stickers),
        })
    }
}

/// Joins items with blanks.
fn joined<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analyzed(text: &str, size: CubeSize) -> AnalyzedAlgorithm {
        AnalyzedAlgorithm::parse(text, size).unwrap()
    }

    #[test]
    fn an_algorithm_has_all_fields() {
        let table = analyzed("[R2: [M, u’]] /* end */ x", CubeSize::Three).table();
        let expected = "\
algorithm   [R2: [M, Uw']] x
expanded    R2 M Uw' M' Uw R2 x
simplified  R2 M Uw' M' Uw R2 x
inverse     x' [R2: [Uw', M]]
length      8 HTM, 10 QTM, 6 STM, 7 ETM";
        assert!(table.starts_with(expected), "{table}");
        assert!(table.contains("\nrotation    y\n"), "{table}");
        let empty = analyzed("// nothing", CubeSize::Two).table();
        assert!(empty.contains("simplified  –") && empty.contains("order       1"), "{empty}");
    }

    #[test]
    fn json_has_the_fields_of_print() {
        let algorithm = analyzed("R U R' U'", CubeSize::Three);
        let value = algorithm.json();
        assert_eq!((&value["order"], &value["rotation"]), (&6.into(), &"".into()));
        assert_eq!(value["edges"], json!(["(UR UB FR)"]));
        assert_eq!(algorithm.field(AlgorithmField::Cycles), "(URF RDF)+ (ULB RUB)- (UR UB FR)");
        for field in AlgorithmField::value_variants().iter().filter(|field| **field != AlgorithmField::Cycles)
        {
            let name = field.to_possible_value().unwrap().get_name().to_owned();
            let shown = match &value[&name] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(shown, algorithm.field(*field), "{name}");
        }
    }

    #[test]
    fn an_invalid_algorithm_is_refused_with_its_position() {
        let error = AnalyzedAlgorithm::parse("R U Q", CubeSize::Three).err().unwrap();
        assert_eq!(error.code(), 2);
        assert!(error.message().unwrap().starts_with("algorithm: \"Q\" at character 5: "), "{error:?}");
    }
}

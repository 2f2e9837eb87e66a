//! `vivarium alg`: forms, length, order and effect of an algorithm in the notation of the cube community.

use super::{experiment_name, parse_cube_name, sticker_letters};
use crate::batch::{INVALID_LINE, STANDARD_INPUT, for_each_line};
use crate::error::CliError;
use crate::{terminal, text};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use vivarium_envs::cube::{
    AlgorithmEffect, AlgorithmStage, CubeAlgorithm, CubeNotationError, CubeSize, LayerMove, MoveMetric,
};

/// Field of an algorithm: value of `--print`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmField {
    /// The algorithm in the notation of the WCA, with its brackets
    Algorithm,
    /// Moves without brackets
    Expanded,
    /// Moves without brackets, successive moves about one axis in the fewest moves
    Simplified,
    /// Inverse, with its brackets
    Inverse,
    /// Mirror image between left and right (plane of the slice M), with its brackets
    Mirror,
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
    conjugates [R: U]; comments // ... and /* ... */; pauses . are ignored. cube2 has face turns, rotations and numbered layers.\n\
    Length: htm counts turns of outer layers, a slice turn twice; qtm counts half turns twice; stm counts slice turns once; \
    etm counts rotations too. The length is that of the expanded moves.\n\
    Cycles: (URF ULB) moves the corner URF to ULB, its sticker U to U. + after a cycle twists its corners clockwise or flips \
    its edges, - twists counter-clockwise. Cycles and stickers are those of the cube in the standard orientation.\n\
    Stages: an algorithm of several lines has a second table with the length of each line, such as cross, pairs, OLL and \
    PLL; a comment after // names the line. vivarium alg \"$(cat solution.txt)\" reads a file.\n\
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

/// Line of an algorithm of several lines, such as the cross of a solution.
struct Stage {
    /// Comment after `//`; without a comment, the number of the stage.
    name: String,
    algorithm: CubeAlgorithm,
}

impl Stage {
    /// Returns the lines with moves. Returns no stages of a text with fewer than two such lines, or with brackets over several
    /// lines.
    fn of_lines(text: &str, size: CubeSize) -> Result<Vec<Self>, CubeNotationError> {
        let stage = |(number, AlgorithmStage { name, algorithm }): (usize, AlgorithmStage)| Self {
            name: name.unwrap_or_else(|| number.to_string()),
            algorithm,
        };
        let stages: Vec<_> = (1..).zip(AlgorithmStage::parse(text, size)?).map(stage).collect();
        Ok(if stages.len() < 2 { Vec::new() } else { stages })
    }

    /// Returns the name, the moves and the length in each metric.
    fn row(&self) -> Vec<String> {
        let moves = self.algorithm.moves();
        let lengths = MoveMetric::ALL.map(|metric| metric.length(&moves).to_string());
        [vec![self.name.clone(), self.algorithm.to_string()], lengths.to_vec()].concat()
    }

    fn json(&self) -> Value {
        let moves = self.algorithm.moves();
        let mut value = json!({ "name": self.name, "algorithm": self.algorithm.to_string() });
        for metric in MoveMetric::ALL {
            value[metric.name().to_lowercase()] = metric.length(&moves).into();
        }
        value
    }
}

/// Algorithm with its effect, which is computed once for all fields.
struct AnalyzedAlgorithm {
    stages: Vec<Stage>,
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
        let placeholder = (!args.json).then_some(INVALID_LINE);
        return for_each_line(placeholder, |line, typed| {
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
        let refuse = |error: CubeNotationError| CliError::usage(format!("algorithm: {error}"));
        let algorithm = CubeAlgorithm::parse(text, size).map_err(refuse)?;
        let stages = Stage::of_lines(text, size).map_err(refuse)?;
        let (moves, effect) = (algorithm.moves(), algorithm.effect());
        Ok(Self { stages, algorithm, moves, effect })
    }

    /// Formats one field.
    fn field(&self, field: AlgorithmField) -> String {
        let Self { algorithm, moves, effect, .. } = self;
        let length = |metric: MoveMetric| metric.length(moves).to_string();
        match field {
            AlgorithmField::Algorithm => algorithm.to_string(),
            AlgorithmField::Expanded => algorithm.expanded().to_string(),
            AlgorithmField::Simplified => algorithm.simplified().to_string(),
            AlgorithmField::Inverse => algorithm.inverse().to_string(),
            AlgorithmField::Mirror => algorithm.mirrored().to_string(),
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

    /// Formats all fields as a table, and the stages as a second one.
    fn table(&self) -> String {
        let lengths =
            MoveMetric::ALL.map(|metric| format!("{} {}", metric.length(&self.moves), metric.name()));
        let row = |name: &str, value: String| {
            vec![name.to_owned(), if value.is_empty() { "–".to_owned() } else { value }]
        };
        let field = |name, field| row(name, self.field(field));
        let fields = text::table(&[
            field("algorithm", AlgorithmField::Algorithm),
            field("expanded", AlgorithmField::Expanded),
            field("simplified", AlgorithmField::Simplified),
            field("inverse", AlgorithmField::Inverse),
            field("mirror", AlgorithmField::Mirror),
            row("length", lengths.join(", ")),
            field("order", AlgorithmField::Order),
            field("rotation", AlgorithmField::Rotation),
            field("cycles", AlgorithmField::Cycles),
            field("stickers", AlgorithmField::Stickers),
        ]);
        if self.stages.is_empty() {
            return fields;
        }
        let heading = ["stage", "algorithm"].into_iter().chain(MoveMetric::ALL.map(MoveMetric::name));
        let mut rows = vec![heading.map(str::to_owned).collect()];
        rows.extend(self.stages.iter().map(Stage::row));
        format!("{fields}\n\n{}", text::table(&rows))
    }

    fn json(&self) -> Value {
        let Self { algorithm, moves, effect, .. } = self;
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
            "mirror": self.field(AlgorithmField::Mirror),
            "htm": length(MoveMetric::HalfTurn),
            "qtm": length(MoveMetric::QuarterTurn),
            "stm": length(MoveMetric::SliceTurn),
            "etm": length(MoveMetric::ExecutionTurn),
            "order": effect.order,
            "rotation": self.field(AlgorithmField::Rotation),
            "corners": cycles(true),
            "edges": cycles(false),
            "stickers": self.field(AlgorithmField::Stickers),
            "stages": self.stages.iter().map(Stage::json).collect::<Vec<_>>(),
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
mirror      [L2: [M, Uw]] x
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
    fn lines_with_moves_are_stages() {
        let solution = "x2 // inspection\nR' F // cross\n\n(R U R') U' // first pair\nM2 U2\n// done";
        let algorithm = analyzed(solution, CubeSize::Three);
        let (_, stages) =
            algorithm.table().split_once("\n\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let words: Vec<Vec<&str>> = stages.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words[0], ["stage", "algorithm", "HTM", "QTM", "STM", "ETM"]);
        assert_eq!(words[1], ["inspection", "x2", "0", "0", "0", "1"]);
        assert_eq!(words[3], ["first", "pair", "(R", "U", "R')", "U'", "4", "4", "4", "4"]);
        assert_eq!(words[4], ["4", "M2", "U2", "3", "6", "2", "2"]);
        assert_eq!(words.len(), 5);
        assert_eq!(
            algorithm.json()["stages"][1],
            json!({ "name": "cross", "algorithm": "R' F", "htm": 2, "qtm": 2, "stm": 2, "etm": 2 })
        );
        for single in ["R U // one line", "[R,\nU]", "// a\n// b"] {
            assert!(analyzed(single, CubeSize::Three).stages.is_empty(), "{single}");
        }
    }

    #[test]
    fn an_invalid_algorithm_is_refused_with_its_position() {
        let error = AnalyzedAlgorithm::parse("R U Q", CubeSize::Three).err().unwrap();
        assert_eq!(error.code(), 2);
        assert!(error.message().unwrap().starts_with("algorithm: \"Q\" at character 5: "), "{error:?}");
    }
}

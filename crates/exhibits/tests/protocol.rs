//! Generated files, and tests that they are up to date: the page's protocol types (`types.ts`) and experiment
//! descriptions (`experiments.json`), the config reference (`docs/config.md`) and the table of renamed fields
//! (`docs/checkpoints.md`).

#[path = "protocol/config_reference.rs"]
mod config_reference;

use std::path::Path;
use ts_rs::{Config, TS};
use vivarium_exhibit_control::protocol as control;
use vivarium_exhibit_cube::protocol as cube;
use vivarium_exhibit_games::protocol as games;
use vivarium_exhibit_language::protocol as language;
use vivarium_exhibit_logic_ca::protocol as logic_ca;
use vivarium_exhibits::REGISTRY;
use vivarium_lab::info::{
    ExperimentInfo, Field as FieldInfo, FieldKind, PresetInfo, RenamedField, RenamedValue,
};
use vivarium_lab::protocol::{
    EngineInfo, Figure, GpuReport, MetricInfo, MetricRow, OpenedRun, Problem, Progress, Reply, Rival,
    ThrownProblem,
};
use vivarium_lab::readings::{Curves, FieldCondition, Reading, ReadingSource, Readings, Threshold};

const HEAD: &str = "\
// Messages between the page and its training worker. Generated from the crates of the exhibits and crates/lab by
// `UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits`; a test fails when it is out of date.
";

/// TypeScript union types over all families of experiments.
const UNIONS: &str = "\
/** Selects the contents of a frame. */
export type ViewRequest = ControlView | LogicView | GameView | CubeView | LanguageView;
/** Documents of a frame: structured data. A document that has not changed since the last frame is omitted. */
export type Documents = GameDocuments | CubeDocuments | LanguageDocuments;
/** User commands of a running experiment, except changes of live config fields. */
export type Command = ControlCommand | LogicCommand | GameCommand | CubeCommand | LanguageCommand;
/** Result of an evaluation. */
export type Evaluation = ReturnsEvaluation | LogicEvaluation | GamesEvaluation | CubeEvaluation | LanguageEvaluation;
/** Family-specific description of an environment. The kind is also the name of the family's module. */
export type WorldInfo = ControlInfo | LogicCaInfo | GameInfo | CubeInfo | LanguageInfo;
";

fn types() -> String {
    // All integers become JavaScript numbers.
    let config = Config::default().with_large_int("number");
    let mut text = String::from(UNIONS);
    macro_rules! export {
        ($module:ident: $($name:ident),*) => {$(
            text.push_str(&declaration::<$module::$name>(stringify!($name), &config));
        )*};
        ($($name:ident),*) => {$(
            text.push_str(&declaration::<$name>(stringify!($name), &config));
        )*};
    }
    export!(Progress, EngineInfo, MetricRow, MetricInfo);
    export!(OpenedRun, GpuReport, Figure, Rival, Problem, ThrownProblem, Reply);
    export!(ExperimentInfo, FieldInfo, FieldKind, RenamedField, RenamedValue, PresetInfo);
    export!(Readings, Reading, ReadingSource, Curves, FieldCondition, Threshold);
    export!(control: ControlView, MapRequest, ControlCommand, ReturnsEvaluation);
    export!(control: ControlInfo, DimensionInfo, ActionInfo);
    export!(logic_ca: LogicView, LogicCommand, SandboxStart, Paint, ExportFormat);
    export!(logic_ca: LogicEvaluation, LogicTest, LogicCaInfo, PatternInfo, TargetInfo);
    export!(games: GameView, TreeRequest, GameDocuments, GameCommand, GamePlayer, GamePosition, DiceMode);
    export!(games: GameTable, GameBoard, GameStage, GameMove, GameTarget, GameOutcome, GameTurn);
    export!(games: GameAnalysis, GameCandidate, GameTree, GameNode, NodeKind);
    export!(games: GameMatch, GameRun, PlayerChoice, LadderRow, GamesEvaluation, GameInfo, OutcomeInfo);
    export!(cube: CubeView, CubeDocuments, CubeCommand, CubePlayer, CubeSolver);
    export!(cube: CubeTable, CubeMove, CubeActor, CubeValue, CubeSolving, CubeStatus);
    export!(cube: CubeExhaustiveEvaluation, CubeDepth, CubeCycle, CubeEvaluationRow, CubeRun, CubeLevel, CubeTest);
    export!(cube: CubeEvaluation, CubeInfo);
    export!(language: LanguageView, LanguageDocuments, LanguageCommand, LanguageRun, LanguageStage);
    export!(language: LanguageText, LanguageTokenizer, LanguageTokenizerKind);
    export!(language: LanguageModel, LanguageBaselines, LanguageEvaluationRow);
    export!(language: LanguageDraft, LanguageAuthor, LanguageDraftStatus, LanguageToken, LanguageAlternative);
    export!(language: LanguageSampling, LanguageSamples, LanguageSample, LanguageQuizView, LanguageAnswer);
    export!(language: LanguageEmbeddings, LanguageTokenKind);
    export!(language: LanguageEvaluation, LanguageQuiz, LanguageScore, LanguageInfo);
    format!("{HEAD}{}", tidy(&text))
}

/// Returns the declaration of a type under its Rust name. (ts-rs names a tagged document by its `kind`.)
fn declaration<T: TS>(name: &str, config: &Config) -> String {
    let declared = T::decl(config);
    let body = declared.split_once(" = ").map_or("", |(_, body)| body);
    format!("{}export type {name} = {body}\n", T::docs().unwrap_or_default())
}

/// Indents by braces, joins one-line comments and inserts an empty line before each type.
fn tidy(text: &str) -> String {
    let text = text.replace("/**\n * ", "/** ").replace("\n */", " */").replace(" | {", "\n| {");
    let mut tidied = String::new();
    let mut depth = 0_usize;
    for line in text.replace(", }", ",\n}").lines().map(str::trim).filter(|line| !line.is_empty()) {
        let is_comment = line.starts_with("/**");
        if depth == 0 && is_comment {
            tidied.push('\n');
        }
        if line.starts_with('}') {
            depth -= 1;
        }
        tidied.push_str(&"  ".repeat(depth + usize::from(line.starts_with("| "))));
        tidied.push_str(line);
        tidied.push('\n');
        if !is_comment {
            let rest = line.strip_prefix('}').unwrap_or(line);
            depth = depth + rest.matches('{').count() - rest.matches('}').count();
        }
    }
    tidied
}

fn experiments() -> String {
    let all: Vec<ExperimentInfo> =
        REGISTRY.names().map(|name| vivarium_exhibits::info(name).unwrap()).collect();
    serde_json::to_string_pretty(&all).unwrap() + "\n"
}

/// Checks that a generated file is up to date; writes the file if the environment variable `UPDATE_PROTOCOL` is set.
fn check(file: &str, generated: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    if std::env::var_os("UPDATE_PROTOCOL").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, generated).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    let command = "UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits";
    assert!(checked_in == generated, "{file} is out of date; regenerate it with `{command}`");
}

#[test]
fn typescript_types_are_current() {
    check("www/src/protocol/types.ts", &types());
}

#[test]
fn experiments_shown_by_the_page_are_current() {
    check("www/src/protocol/experiments.json", &experiments());
}

#[test]
fn the_config_reference_is_current() {
    check("docs/config.md", &config_reference::text());
}

#[test]
fn the_table_of_renamed_fields_is_current() {
    const FILE: &str = "docs/checkpoints.md";
    const MARKS: [&str; 2] = ["<!-- renamed fields: generated -->\n", "<!-- end of generated part -->"];
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE)).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (_, after) = rest.split_once(MARKS[1]).unwrap();
    let table = config_reference::renamed();
    check(FILE, &[before, MARKS[0], "\n", &table, "\n", MARKS[1], after].concat());
}

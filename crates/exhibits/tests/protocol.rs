//! Writes what the page knows of the exhibits at compile time: the protocol's types, so that both sides fail to compile when they
//! disagree, and what there is to show about each experiment before a module has loaded.

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
// What the page and its training worker say to each other. Written from the crates of the exhibits and crates/lab by
// `UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits`; a test fails when it is out of date.
";

/// Of each kind, what any family may say.
const UNIONS: &str = "\
/** What is to be drawn. */
export type ViewRequest = ControlView | LogicView | GameView | CubeView | LanguageView;
/** The documents of a frame: structured data that is not an array of numbers. One that has not changed since the last frame is left out. */
export type Documents = GameDocuments | CubeDocuments | LanguageDocuments;
/** What a person may ask of a running experiment, besides other values of live fields. Each kind of experiment knows its own. */
export type Command = ControlCommand | LogicCommand | GameCommand | CubeCommand | LanguageCommand;
/** The outcome of an evaluation. */
export type Evaluation = ReturnsEvaluation | LogicEvaluation | GamesEvaluation | CubeEvaluation | LanguageEvaluation;
/** What is special about a kind of world. The kind is also the family of learners that a module of the page holds. */
export type WorldInfo = ControlInfo | LogicCaInfo | GameInfo | CubeInfo | LanguageInfo;
";

fn types() -> String {
    // Whole numbers cross as those of JavaScript, whatever their size in Rust.
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

/// A type under its name in Rust: a document that says of itself what `kind` it is takes that for its name.
fn declaration<T: TS>(name: &str, config: &Config) -> String {
    let declared = T::decl(config);
    let body = declared.split_once(" = ").map_or("", |(_, body)| body);
    format!("{}export type {name} = {body}\n", T::docs().unwrap_or_default())
}

/// Indents by braces, puts one-line comments on one line and an empty line before each type.
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

fn check(file: &str, written: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/src/protocol").join(file);
    if std::env::var_os("UPDATE_PROTOCOL").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, written).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        checked_in == written,
        "{} is out of date: UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits",
        path.display()
    );
}

#[test]
fn typescript_types_are_current() {
    check("types.ts", &types());
}

#[test]
fn experiments_shown_by_the_page_are_current() {
    check("experiments.json", &experiments());
}

//! Writes what the page knows of the lab at compile time: the protocol's types, so that both sides fail to compile
//! when they disagree, and what there is to show about each experiment before a module has loaded.

use crate::info::{
    ActionInfo, ChanceInfo, ControlInfo, CubeInfo, DimensionInfo, ExperimentInfo, Field, FieldKind,
    FormerPath, GameInfo, LanguageInfo, LogicCaInfo, PatternInfo, PresetInfo, TargetInfo, WorldInfo,
};
use crate::protocol::cube::{
    CubeActor, CubeCycle, CubeDepth, CubeDocuments, CubeExam, CubeExamRow, CubeLevel, CubeMove, CubePlayer,
    CubeRun, CubeSolver, CubeSolving, CubeStatus, CubeTable, CubeTest, CubeValue, CubeView,
};
use crate::protocol::games::{
    DiceMode, GameAnalysis, GameBoard, GameCandidate, GameDocuments, GameMatch, GameMove, GameNode,
    GameOutcome, GamePlayer, GamePosition, GameRun, GameStage, GameTable, GameTarget, GameTree, GameTurn,
    GameView, LadderRow, NodeKind, PlayerChoice, TreeRequest,
};
use crate::protocol::language::{
    LanguageAlternative, LanguageAnswer, LanguageAuthor, LanguageDesk, LanguageDeskStatus, LanguageDocuments,
    LanguageEmbeddings, LanguageExamRow, LanguageModel, LanguageQuizView, LanguageRun, LanguageSample,
    LanguageSamples, LanguageSampling, LanguageStage, LanguageText, LanguageToken, LanguageTokenKind,
    LanguageTokenizer, LanguageTokenizerKind, LanguageView,
};
use crate::protocol::{
    Command, ControlView, CubeEvaluation, Documents, EngineInfo, Evaluation, ExportFormat, Figure,
    GamesEvaluation, GpuReport, LanguageBaselines, LanguageEvaluation, LanguageQuiz, LanguageScore,
    LogicEvaluation, LogicTest, LogicView, MapRequest, MetricInfo, MetricRow, Opened, Paint, Problem,
    Progress, Reply, ReturnsEvaluation, Rival, StageStart, Thrown, ViewRequest,
};
use crate::registry;
use std::path::Path;
use ts_rs::{Config, TS};

const HEAD: &str = "\
// What the page and its training worker say to each other. Written from crates/lab/src by
// `UPDATE_PROTOCOL=1 cargo test -p vivarium-lab`; a test fails when it is out of date.
";

fn types() -> String {
    let config = Config::default();
    let mut text = String::new();
    macro_rules! export {
        ($($name:ty),*) => {$(
            text.push_str(&format!("{}export {}\n", <$name>::docs().unwrap_or_default(), <$name>::decl(&config)));
        )*};
    }
    export!(Progress, EngineInfo, MetricRow, MetricInfo);
    export!(Opened, GpuReport, Figure, Rival, Problem, Thrown);
    export!(Documents, GameDocuments, CubeDocuments, LanguageDocuments);
    export!(ViewRequest, ControlView, MapRequest, LogicView, GameView, TreeRequest, CubeView, LanguageView);
    export!(Command, StageStart, Paint, ExportFormat, Reply);
    export!(GamePlayer, GamePosition, DiceMode);
    export!(GameTable, GameBoard, GameStage, GameMove, GameTarget, GameOutcome, GameTurn);
    export!(GameAnalysis, GameCandidate, GameTree, GameNode, NodeKind);
    export!(GameMatch, GameRun, PlayerChoice, LadderRow);
    export!(CubePlayer, CubeSolver);
    export!(CubeTable, CubeMove, CubeActor, CubeValue, CubeSolving, CubeStatus);
    export!(CubeExam, CubeDepth, CubeCycle, CubeExamRow, CubeRun, CubeLevel, CubeTest);
    export!(LanguageRun, LanguageStage, LanguageText, LanguageTokenizer, LanguageTokenizerKind);
    export!(LanguageModel, LanguageBaselines, LanguageExamRow);
    export!(LanguageDesk, LanguageAuthor, LanguageDeskStatus, LanguageToken, LanguageAlternative);
    export!(LanguageSampling, LanguageSamples, LanguageSample, LanguageQuizView, LanguageAnswer);
    export!(LanguageEmbeddings, LanguageTokenKind);
    export!(Evaluation, ReturnsEvaluation, LogicEvaluation, LogicTest, GamesEvaluation, CubeEvaluation);
    export!(LanguageEvaluation, LanguageQuiz, LanguageScore);
    export!(ExperimentInfo, WorldInfo, ControlInfo, DimensionInfo, ActionInfo);
    export!(LogicCaInfo, PatternInfo, TargetInfo);
    export!(GameInfo, ChanceInfo, CubeInfo, LanguageInfo);
    export!(Field, FieldKind, FormerPath, PresetInfo);
    format!("{HEAD}{}", tidy(&text))
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
    let all: Vec<ExperimentInfo> = registry::NAMES.iter().map(|name| registry::info(name).unwrap()).collect();
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
        "{} is out of date: UPDATE_PROTOCOL=1 cargo test -p vivarium-lab",
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

//! Tests that generated files are up to date, and their regeneration: protocol types of the page (`types.ts`),
//! experiment descriptions (`experiments.json`, names in `experiments.ts`), config reference (`docs/config.md`), and
//! table of renamed fields (`docs/checkpoints.md`).

#[path = "protocol/config_reference.rs"]
mod config_reference;

use std::path::Path;
use vivarium_exhibit_games::match_analysis::MARKS;
use vivarium_exhibits::REGISTRY;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::protocol::{
    EngineInfo, Figure, GpuReport, MetricRow, OpenedRun, Problem, ProblemCause, Progress, Reply,
    ThrownProblem,
};
use vivarium_lab::registry::AnyFamily;
use vivarium_lab::typescript::TypeDeclarations;

const HEAD: &str = "\
// Messages between the page and its training worker. Generated from the crates of the exhibits and crates/lab by
// `UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits`; a test fails when it is out of date.
";

fn types() -> String {
    let mut types = TypeDeclarations::default();
    types.declare::<Progress>();
    types.declare::<EngineInfo>();
    types.declare::<MetricRow>();
    types.declare::<OpenedRun>();
    types.declare::<GpuReport>();
    types.declare::<Figure>();
    types.declare::<ProblemCause>();
    types.declare::<Problem>();
    types.declare::<ThrownProblem>();
    types.declare::<Reply>();
    types.declare::<ExperimentInfo>();
    vivarium_exhibits::declare_types(&mut types);
    format!("{HEAD}{}", tidy(&types.text()))
}

/// Formats generated TypeScript: indents by the depth of braces, joins comments of one line, and inserts an empty line
/// before each type.
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

/// Returns the content of `marks.ts`: the marks of errors in backgammon.
fn marks() -> String {
    let rows = MARKS.iter().map(|(loss, mark)| format!("  {{ loss: {loss}, mark: '{mark}' }},\n"));
    let rows: String = rows.collect();
    format!(
        "// Generated from crates/exhibits/games by `UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits`; a test fails when it is out of date.\n\n\
         /** Smallest equity losses in points of the marks of errors, in descending order. */\n\
         export const marks = [\n{rows}] as const\n"
    )
}

const NAMES: &str = "\
// Generated from the crates of the exhibits by `UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits`; a test fails when it is out
// of date.

/** Name and family of each experiment, in display order. */
export const experiments = [
";

/// Returns the content of `experiments.ts`: the list of all experiments with their families.
fn names() -> String {
    let of_family = |family: &&'static dyn AnyFamily| {
        let row = |name| format!("  {{ name: '{name}', family: '{}' }},\n", family.kind());
        family.names().into_iter().map(row).collect::<String>()
    };
    format!("{NAMES}{}] as const\n", REGISTRY.families.iter().map(of_family).collect::<String>())
}

/// Checks that the content of `file`, a path from the repository root, equals `generated`. First writes the file if the
/// environment variable `UPDATE_PROTOCOL` is set.
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
fn the_names_of_the_experiments_are_current() {
    check("www/src/protocol/experiments.ts", &names());
}

#[test]
fn the_marks_of_errors_are_current() {
    check("www/src/protocol/marks.ts", &marks());
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

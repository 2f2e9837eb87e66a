//! `vivarium runs compare`: the settings in which runs and studies of seeds differ, and their metrics.

mod comparison;
mod format;
mod group;
mod number_format;

use crate::error::CliError;
use crate::output_file::is_same;
use crate::seed_mean::SeedMean;
use crate::values::whole;
use crate::{terminal, text};
use clap::{Args, ValueEnum};
use comparison::{RowKind, RunComparison};
use format::Orientation;
use group::ComparedGroup;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use vivarium_lab::goal::Goal;
use vivarium_lab::spelling;

/// Command-line arguments of `vivarium runs compare`.
#[derive(Args, Debug)]
#[command(
    after_help = "A study of seeds is one column: the mean of its runs ± half of the 95 % confidence interval (Student's t-distribution; of \
    a difference: Welch's t-test, degrees of freedom rounded down). With --threshold, a study of which not all runs reach the threshold shows the number \
    of runs that do and, if they are more than half, the median over all runs. Runs of different experiments are compared by the settings and metrics that all of them have. \
    After a change of the task by train --resume --set, such as of world.gravity, only results since the last change are compared. A run that cannot be read is an error: \
    nothing is compared then."
)]
pub struct CompareArgs {
    /// Run folders, and folders of studies of seeds; or one folder, whose runs and studies are compared
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// Compare only this metric of metrics.jsonl, such as eval_return_mean, or evaluation measure, such as return; repeatable
    /// [default: all]
    #[arg(long = "metric", value_name = "NAME")]
    metrics: Vec<String>,
    /// Compare the newest results up to this number of steps, or `common` for the last step that all runs have reached [default:
    /// the end of each run]
    #[arg(long, value_name = "STEPS")]
    at: Option<ComparedStep>,
    /// Compare the steps and the training time until a measure or metric first met this threshold, such as 'return>=475'; both count
    /// from the start of the run
    #[arg(long, value_name = "THRESHOLD")]
    threshold: Option<Goal>,
    /// Print the difference of each run or study from this run or study
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    /// Name of a run or study in tables: its path or last path component, and the text; repeatable
    #[arg(long = "label", value_name = "NAME=TEXT")]
    labels: Vec<String>,
    /// Sort the columns by best, steps, elapsed, a metric or a measure, the highest value first; losses, perplexities and other
    /// measures of which lower is better, the lowest value first [default: the order of the command line]
    #[arg(long, value_name = "NAME")]
    sort: Option<String>,
    /// Rows of the table: one or several of these, separated by commas [default: all]
    #[arg(long, value_enum, value_name = "ROWS", value_delimiter = ',', hide_possible_values = false)]
    rows: Vec<RowKind>,
    /// Print one row per run or study, instead of one column
    #[arg(long)]
    transpose: bool,
    /// Format of the comparison
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "table", hide_possible_values = false)]
    format: ComparisonFormat,
    /// Print one JSON object per run or study: the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Step at which runs are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComparedStep {
    /// Last step that all runs have reached.
    Common,
    Step(u64),
}

impl FromStr for ComparedStep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "common" => Ok(Self::Common),
            number => whole(1, u64::MAX)(number)
                .map(Self::Step)
                .map_err(|_| "use a number of steps greater than 0, or 'common'".into()),
        }
    }
}

/// Format of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ComparisonFormat {
    /// Table with aligned columns
    Table,
    /// Table in Markdown
    Markdown,
    /// Table in LaTeX, for the package booktabs
    Latex,
    /// Table with one row per metric of each run or study, and its settings
    Csv,
    /// One JSON object per run or study
    Json,
}

/// Prints the settings in which the runs differ, and their metrics, with one column per run or study.
///
/// # Errors
/// [`CliError::Usage`] for an unknown metric or baseline, and for a step that a run has not reached; [`CliError::Failed`] if a
/// folder has no run.
pub fn run(args: &CompareArgs) -> Result<(), CliError> {
    let format = if args.json { ComparisonFormat::Json } else { args.format };
    check_format(args, format)?;
    let groups = group::compared_groups(&args.runs)?.into_iter().map(ComparedGroup::open);
    let mut groups: Vec<_> = groups.collect::<Result<_, _>>()?;
    let metrics: Vec<_> = args.metrics.iter().map(|name| metric_of(&groups, name)).collect();
    let sort = args.sort.as_deref().map(|name| metric_of(&groups, name));
    check_names(&groups, &metrics, sort.as_deref())?;
    let at = match args.at {
        Some(ComparedStep::Common) => Some(common_step(&groups)?),
        Some(ComparedStep::Step(step)) => Some(step),
        None => None,
    };
    if let Some(goal) = &args.threshold {
        check_threshold(&groups, goal)?;
        groups.iter_mut().try_for_each(|group| group.find_threshold(goal))?;
    }
    if let Some(at) = at {
        groups.iter_mut().try_for_each(|group| group.restrict(at))?;
    }
    select(&mut groups, &metrics, sort.as_deref());
    let index = |option: &str, path: &Path| group_index(&groups, option, path);
    let baseline = args.baseline.as_deref().map(|path| index("--baseline", path)).transpose()?;
    let labels = args.labels.iter().map(|label| {
        let Some((name, text)) = label.split_once('=') else {
            return Err(CliError::usage(format!(
                "--label {label}: use NAME=TEXT, such as --label lr-1=small"
            )));
        };
        Ok((index("--label", Path::new(name))?, text.to_owned()))
    });
    let labels = labels.collect::<Result<_, _>>()?;
    let mut comparison = RunComparison::new(groups, at, args.threshold.clone(), baseline);
    comparison.labels = labels;
    if !args.rows.is_empty() {
        comparison.keep_rows(&args.rows);
    }
    let orientation = if args.transpose { Orientation::Rows } else { Orientation::Columns };
    let command = || format!("vivarium {}", text::shell_arguments().join(" "));
    terminal::print_line(&match format {
        ComparisonFormat::Table => format::table(&comparison, orientation),
        ComparisonFormat::Markdown => {
            format!(
                "{}\n{}",
                format::markdown_comment(&command()),
                format::markdown(&comparison, orientation)
            )
        }
        ComparisonFormat::Latex => {
            format!("{}\n{}", format::latex_comment(&command()), format::latex(&comparison, orientation))
        }
        ComparisonFormat::Csv => format::csv(&comparison),
        ComparisonFormat::Json => format::json_lines(&comparison),
    });
    Ok(())
}

/// Checks that the format has the rows and the orientation that are selected.
///
/// # Errors
/// [`CliError::Usage`] with the formats that have them.
fn check_format(args: &CompareArgs, format: ComparisonFormat) -> Result<(), CliError> {
    let is_table = ![ComparisonFormat::Csv, ComparisonFormat::Json].contains(&format);
    if args.transpose && !is_table {
        return Err(CliError::usage(
            "--transpose: only the formats table, markdown and latex have an orientation; use one of them, or omit --transpose",
        ));
    }
    if !args.rows.is_empty() && format == ComparisonFormat::Json {
        return Err(CliError::usage("--rows: JSON has all numbers; use another format, or omit --rows"));
    }
    if args.rows == [RowKind::Settings] && format == ComparisonFormat::Csv {
        return Err(CliError::usage(
            "--rows settings: CSV has one row per number; add metrics or summary, or use another format",
        ));
    }
    Ok(())
}

/// Returns the name of the metric of an evaluation measure of one of the runs, such as `eval_return_mean` for `return`; other names
/// are returned unchanged.
fn metric_of(groups: &[ComparedGroup], name: &str) -> String {
    let runs = groups.iter().flat_map(|group| &group.runs);
    let mut names = runs.map(|compared| compared.run.metric_of(name));
    names.find(|metric| *metric != name).unwrap_or(name).to_owned()
}

/// Returns the last step that all runs have reached.
///
/// # Errors
/// [`CliError::Usage`] if a run has no steps.
fn common_step(groups: &[ComparedGroup]) -> Result<u64, CliError> {
    let runs = groups.iter().flat_map(|group| &group.runs).map(|compared| &compared.run);
    match runs.min_by_key(|run| run.steps) {
        Some(run) if run.steps == 0 => Err(CliError::usage(format!(
            "{}: the run has no steps yet, and --at common is the last step that all runs have reached; compare the other runs",
            run.path.display()
        ))),
        run => Ok(run.map_or(0, |run| run.steps)),
    }
}

/// Checks that a run has the metric of the threshold.
///
/// # Errors
/// [`CliError::Usage`] if no run has it.
fn check_threshold(groups: &[ComparedGroup], goal: &Goal) -> Result<(), CliError> {
    let runs = || groups.iter().flat_map(|group| &group.runs);
    if runs().any(|compared| compared.results.metric(compared.run.metric_of(goal.measure())).is_some()) {
        return Ok(());
    }
    let experiment = runs().next().map_or("", |compared| &compared.run.metadata.experiment);
    let measures = vivarium_exhibits::measures(experiment).map_or(&[][..], |measures| measures.evaluated());
    let mut known: Vec<_> = measures.iter().map(|evaluated| evaluated.measure).collect();
    if known.contains(&goal.measure()) {
        return Err(CliError::usage(format!(
            "--threshold {goal}: no run has been evaluated yet; train longer, or use a training metric"
        )));
    }
    known.extend(comparison::metric_names(groups));
    Err(unknown_metric(goal.measure(), &known))
}

/// Returns the error that no run has the metric `name`. `known` are the names that runs have.
fn unknown_metric(name: &str, known: &[&str]) -> CliError {
    let similar = spelling::nearest(name, known.iter().copied());
    let hint = similar.map_or(String::new(), |name| format!("; did you mean {name}?"));
    CliError::usage(format!("no run has the metric {name}{hint}\nMetrics: {}", known.join(", ")))
}

/// Returns the index of the run or study `path` of the option `option`. The path may be its name: the last path component.
///
/// # Errors
/// [`CliError::Usage`] if there is none, or if several have the name.
fn group_index(groups: &[ComparedGroup], option: &str, path: &Path) -> Result<usize, CliError> {
    if let Some(index) =
        groups.iter().position(|group| group.group.path == path || is_same(&group.group.path, path))
    {
        return Ok(index);
    }
    let is_named =
        |group: &ComparedGroup| group.group.path.file_name().is_some_and(|name| path == Path::new(name));
    let named: Vec<_> = (0..groups.len()).filter(|&index| is_named(&groups[index])).collect();
    match named[..] {
        [index] => Ok(index),
        _ => {
            let names: Vec<_> = groups.iter().map(|group| group.group.path.display().to_string()).collect();
            let problem = if named.is_empty() { "it is not compared" } else { "several runs have this name" };
            Err(CliError::usage(format!(
                "{option} {}: {problem}; use one of {}",
                path.display(),
                names.join(", ")
            )))
        }
    }
}

/// Numbers by which `--sort` sorts besides metrics.
const SORTED_NUMBERS: [&str; 3] = ["best", "steps", "elapsed"];

/// Words in the names of metrics of which lower is better.
const LOWER_IS_BETTER_WORDS: [&str; 4] = ["loss", "perplexity", "error", "excess"];

/// Metrics of which lower is better, besides those with one of the [`LOWER_IS_BETTER_WORDS`].
const LOWER_IS_BETTER: [&str; 2] = ["eval_moves", "eval_wrong_bits"];

/// Returns whether lower values of the metric `name` are better.
fn is_lower_better(name: &str) -> bool {
    LOWER_IS_BETTER.contains(&name) || name.split('_').any(|word| LOWER_IS_BETTER_WORDS.contains(&word))
}

/// Checks that a run has the metrics `metrics`, and the number `sort`.
///
/// # Errors
/// [`CliError::Usage`] if no run has the metric.
fn check_names(groups: &[ComparedGroup], metrics: &[String], sort: Option<&str>) -> Result<(), CliError> {
    let known = comparison::metric_names(groups);
    let sorted_metric = sort.filter(|name| !SORTED_NUMBERS.contains(name));
    let unknown = metrics.iter().map(String::as_str).chain(sorted_metric).find(|name| !known.contains(name));
    unknown.map_or(Ok(()), |name| Err(unknown_metric(name, &known)))
}

/// Keeps only the metrics `metrics`, unless it is empty, and sorts the groups by the number `sort`: the highest first, or the lowest
/// if lower is better. Groups without the number are last.
fn select(groups: &mut [ComparedGroup], metrics: &[String], sort: Option<&str>) {
    if let Some(name) = sort {
        let sign = if is_lower_better(name) { -1.0 } else { 1.0 };
        let value = |group: &ComparedGroup| {
            SeedMean::of(&group.named(name)).map_or(f64::NEG_INFINITY, |of| sign * of.mean)
        };
        groups.sort_by(|a, b| value(b).total_cmp(&value(a)));
    }
    if !metrics.is_empty() {
        let runs = groups.iter_mut().flat_map(|group| &mut group.runs);
        runs.for_each(|compared| compared.results.metrics.retain(|(name, _)| metrics.contains(name)));
    }
}

#[cfg(test)]
mod tests;

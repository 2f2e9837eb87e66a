//! Formats of a comparison: tables, CSV and JSON.

use super::comparison::{Quantity, RunComparison, SECONDS_TO_THRESHOLD, STEPS_TO_THRESHOLD};
use crate::runs::settings::setting_text;
use crate::seed_mean::SeedMean;
use crate::{machine, text};
use serde_json::{Map, Value, json};
use vivarium_lab::metrics_table::csv_line;

/// Text for a missing value.
const MISSING: &str = "–";

/// Orientation of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// One column per run or study, and one for each difference from the baseline.
    Columns,
    /// One row per run or study, and one for each difference from the baseline.
    Rows,
}

/// Formats the comparison as a table.
pub fn table(comparison: &RunComparison, orientation: Orientation) -> String {
    text::table(&cells(comparison, orientation))
}

/// Formats the comparison as a table in Markdown, with a caption.
pub fn markdown(comparison: &RunComparison, orientation: Orientation) -> String {
    let rows = cells(comparison, orientation);
    let line = |cells: &[String]| {
        let cells: Vec<_> = cells.iter().map(|cell| cell.replace('\\', "\\\\").replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines = vec![caption(comparison), String::new()];
    for (index, row) in rows.iter().enumerate() {
        lines.push(line(row));
        if index == 0 {
            lines.push(format!("| --- |{}", " ---: |".repeat(row.len() - 1)));
        }
    }
    lines.join("\n")
}

/// Formats the comparison as a table in LaTeX with the package `booktabs`, with a caption.
pub fn latex(comparison: &RunComparison, orientation: Orientation) -> String {
    let rows = cells(comparison, orientation);
    let line = |cells: &Vec<String>| {
        let cells: Vec<_> = cells.iter().map(|cell| latex_escaped(cell)).collect();
        format!("    {} \\\\", cells.join(" & "))
    };
    let columns = "r".repeat(rows[0].len() - 1);
    let mut lines = vec![
        "% \\usepackage{booktabs}".to_owned(),
        "\\begin{table}".to_owned(),
        "  \\centering".to_owned(),
        format!("  \\caption{{{}}}", latex_escaped(&caption(comparison))),
        format!("  \\begin{{tabular}}{{l{columns}}}"),
        "    \\toprule".to_owned(),
        line(&rows[0]),
        "    \\midrule".to_owned(),
    ];
    lines.extend(rows[1..].iter().map(line));
    lines.extend(["    \\bottomrule", "  \\end{tabular}", "\\end{table}"].map(str::to_owned));
    lines.join("\n")
}

/// Formats the command `command` that repeats a table, and the version of the program, as a comment in Markdown. The line is a
/// command with a comment of a shell.
pub fn markdown_comment(command: &str) -> String {
    // The text must not end the comment, which `-->` and, in HTML, `--!>` do. In a command, `>` is quoted: the quotes are closed
    // before an escaped `>` and opened after it.
    let text = origin(command).replace("-->", r"--'\>'").replace("--!>", r"--!'\>'");
    format!("<!-- {text} -->")
}

/// Formats the command `command` that repeats a table, and the version of the program, as a comment in LaTeX.
pub fn latex_comment(command: &str) -> String {
    format!("% {}", origin(command))
}

/// Returns the command and the version of the program in one line. Line breaks are escaped in the syntax `$'…'` of bash and zsh.
fn origin(command: &str) -> String {
    // In a command, line breaks are quoted.
    let line = command.replace('\n', r"'$'\n''").replace('\r', r"'$'\r''");
    format!("{line}  # vivarium {}", machine::VERSION)
}

/// Formats the comparison as CSV with one row per number of each run or study: its name, number of runs, settings that differ,
/// and the mean with half of its 95 % confidence interval. With a baseline, also the difference from the baseline.
pub fn csv(comparison: &RunComparison) -> String {
    let RunComparison { groups, settings, quantities, baseline, at, threshold, .. } = comparison;
    let mut header = vec!["run", "runs"];
    header.extend(settings.iter().map(|(path, _)| path.as_str()));
    header.push("at");
    if threshold.is_some() {
        header.push("threshold");
    }
    header.extend(["metric", "n", "mean", "interval_95"]);
    if baseline.is_some() {
        header.extend(["difference", "difference_interval_95"]);
    }
    let mut lines = vec![csv_line(header)];
    let number = |value: f64| if value.is_finite() { value.to_string() } else { String::new() };
    let statistic = |mean: Option<SeedMean>| match mean {
        Some(SeedMean { mean, high, .. }) => [number(mean), number(high - mean)],
        None => [String::new(), String::new()],
    };
    for (index, group) in groups.iter().enumerate() {
        for quantity in quantities {
            let mut cells = vec![group.group.path.display().to_string(), group.runs.len().to_string()];
            cells.extend(settings.iter().map(|(_, values)| setting_text(&values[index], "")));
            cells.push(at.map_or(String::new(), |at| at.to_string()));
            cells.extend(threshold.as_ref().map(|goal| {
                let is_until = [STEPS_TO_THRESHOLD, SECONDS_TO_THRESHOLD].contains(&quantity.name.as_str());
                if is_until { goal.to_string() } else { String::new() }
            }));
            cells.extend([quantity.name.clone(), quantity.values[index].len().to_string()]);
            cells.extend(statistic(quantity.mean(index)));
            if let Some(baseline) = *baseline {
                let difference = quantity.difference(index, baseline).filter(|_| index != baseline);
                cells.extend(statistic(difference));
            }
            lines.push(csv_line(cells.iter().map(String::as_str)));
        }
    }
    lines.join("\n")
}

/// Formats each run or study as one line of JSON.
pub fn json_lines(comparison: &RunComparison) -> String {
    let lines: Vec<_> =
        (0..comparison.groups.len()).map(|index| json_line(comparison, index).to_string()).collect();
    lines.join("\n")
}

/// Converts the group `index` to JSON: of a run, its numbers; of a study, means and intervals.
fn json_line(comparison: &RunComparison, index: usize) -> Value {
    let RunComparison { groups, settings, quantities, baseline, at, threshold, .. } = comparison;
    let group = &groups[index];
    let number = |numbers: &[f64]| match SeedMean::of(numbers) {
        Some(mean) if group.group.is_study() => mean.to_json(),
        _ => json!(numbers.first()),
    };
    let settings: Map<String, Value> =
        settings.iter().map(|(path, values)| (path.clone(), values[index].clone())).collect();
    let names = super::comparison::metric_names(std::slice::from_ref(group));
    let metrics: Map<String, Value> =
        names.into_iter().map(|name| (name.to_owned(), number(&group.metric(name)))).collect();
    let mut line = json!({
        "run": group.group.path.display().to_string(),
        "steps": number(&group.named("steps")),
        "elapsed": number(&group.named("elapsed")),
        "score": group.runs.first().and_then(|compared| compared.run.score).map(|score| score.measure),
        "best": number(&group.named("best")),
        "settings": settings,
        "metrics": metrics,
    });
    // The score as tables show it: of a negative loss, the loss.
    let score = group.runs.first().and_then(|compared| compared.run.score);
    let best = score.map(|score| {
        let values: Vec<_> = group.named("best").into_iter().map(|best| score.shown(best).1).collect();
        json!({ "name": score.shown(0.0).0, "value": number(&values) })
    });
    line["best_measure"] = json!(best.filter(|best| !best["value"].is_null()));
    match group.runs.first() {
        Some(run) if !group.group.is_study() => line["steps"] = run.results.steps.into(),
        _ => line["runs"] = json!(group.group.runs),
    }
    if let Some(at) = at {
        line["at"] = (*at).into();
    }
    if let Some(goal) = threshold {
        let [steps, seconds] = [STEPS_TO_THRESHOLD, SECONDS_TO_THRESHOLD].map(|name| {
            let quantity = quantities.iter().find(|quantity| quantity.name == name);
            quantity.map_or(&[][..], |quantity| &quantity.values[index])
        });
        line["threshold"] = json!({
            "goal": goal.to_string(), "reached": steps.len(), "runs": group.runs.len(),
            "steps": steps, "seconds": seconds,
        });
    }
    if let Some(baseline) = baseline.filter(|baseline| *baseline != index) {
        let differences = quantities.iter().filter_map(|quantity| {
            Some((quantity.name.clone(), quantity.difference(index, baseline)?.to_json()))
        });
        line["differences"] = Value::Object(differences.collect());
    }
    line
}

/// Returns how the numbers of the comparison are computed.
fn caption(comparison: &RunComparison) -> String {
    let when = match comparison.at {
        Some(at) => format!("Newest results up to {at} steps"),
        None => "Results at the end of each run".to_owned(),
    };
    let is_study = |index: usize| comparison.groups[index].runs.len() > 1;
    if !(0..comparison.groups.len()).any(is_study) {
        return format!("{when}.");
    }
    let welch = match comparison.baseline {
        Some(baseline) if is_study(baseline) => "; of a difference: Welch’s t-test",
        _ => "",
    };
    format!(
        "{when}: means over the runs of a study. ±: half of the 95 % confidence interval (Student’s t-distribution{welch})."
    )
}

/// Returns the cells of the table by rows, the heading first.
fn cells(comparison: &RunComparison, orientation: Orientation) -> Vec<Vec<String>> {
    let rows = rows(comparison);
    match orientation {
        Orientation::Columns => rows,
        Orientation::Rows => {
            (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column].clone()).collect()).collect()
        }
    }
}

/// Returns the cells of the table with one column per run or study, by rows, the heading first.
fn rows(comparison: &RunComparison) -> Vec<Vec<String>> {
    let RunComparison { groups, settings, quantities, baseline, labels, has_summary, .. } = comparison;
    // A column for each group, and one for its difference from the baseline.
    let row = |label: &str, cell: &dyn Fn(usize) -> String, difference: &dyn Fn(usize, usize) -> String| {
        let mut cells = vec![label.to_owned()];
        for index in 0..groups.len() {
            cells.push(cell(index));
            if let Some(baseline) = baseline.filter(|baseline| *baseline != index) {
                cells.push(difference(index, baseline));
            }
        }
        cells
    };
    let empty = |_: usize, _: usize| String::new();
    // The common folder is in the corner, so that the columns are narrow.
    let folder = comparison.common_folder();
    let corner = folder.display().to_string();
    let heading = |index: usize| {
        let label = labels.iter().find(|(labeled, _)| *labeled == index).map(|(_, label)| label.clone());
        let name = label.unwrap_or_else(|| groups[index].name(&folder));
        if *baseline == Some(index) { format!("{name} (baseline)") } else { name }
    };
    let mut rows = vec![row(&corner, &heading, &|_, _| "difference".to_owned())];
    if *has_summary && groups.iter().any(|group| group.group.is_study()) {
        rows.push(row("runs", &|index| groups[index].runs.len().to_string(), &empty));
    }
    for (path, values) in settings {
        rows.push(row(path, &|index| setting_text(&values[index], MISSING), &empty));
    }
    let states = |index: usize| {
        let mut states: Vec<&str> = Vec::new();
        for state in groups[index].runs.iter().map(|compared| compared.run.short_state) {
            if !states.contains(&state) {
                states.push(state);
            }
        }
        states.join(", ")
    };
    // Equal states of complete runs are no difference.
    let is_equal = (0..groups.len()).all(|index| states(index) == states(0));
    let are_complete = groups.iter().flat_map(|group| &group.runs).all(|compared| compared.run.is_complete);
    if *has_summary && !(is_equal && are_complete) {
        rows.push(row("state", &states, &empty));
    }
    for quantity in quantities {
        rows.push(row(&quantity.label, &|index| mean_text(quantity, index), &|index, baseline| {
            difference_text(quantity, quantity.difference(index, baseline))
        }));
    }
    rows
}

/// Formats the number of a run, or the mean of the numbers of a study with half of its 95 % confidence interval. If some runs of the
/// study lack the number, states how many have it; of a threshold that not all runs have reached, also the median over all runs.
fn mean_text(quantity: &Quantity, index: usize) -> String {
    let (count, runs) = (quantity.values[index].len(), quantity.runs[index]);
    let text = match quantity.mean(index) {
        Some(SeedMean { mean, high, .. }) if high.is_finite() => {
            quantity.format.with_error(mean, high - mean)
        }
        Some(SeedMean { mean, .. }) => quantity.format.text(mean),
        None if quantity.needs_all && runs > 1 => {
            let median = quantity.censored_median(index);
            let median =
                median.map_or(String::new(), |median| format!(", median {}", quantity.format.text(median)));
            return format!("{count} of {runs} runs{median}");
        }
        None if quantity.needs_all => return "not reached".to_owned(),
        None => return MISSING.to_owned(),
    };
    if quantity.is_incomplete(index) { format!("{text} ({count} of {runs} runs)") } else { text }
}

/// Formats a difference of means with its sign and half of its 95 % confidence interval.
fn difference_text(quantity: &Quantity, difference: Option<SeedMean>) -> String {
    let Some(SeedMean { mean, high, .. }) = difference else { return MISSING.to_owned() };
    let sign = if mean < 0.0 { "-" } else { "+" };
    let size = mean.abs();
    let is_finite = high.is_finite();
    let text =
        if is_finite { quantity.format.with_error(size, high - mean) } else { quantity.format.text(size) };
    format!("{sign}{text}")
}

/// Returns the text for LaTeX, with special characters as commands.
fn latex_escaped(text: &str) -> String {
    let mut out = String::new();
    let mut previous = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '>' | '<' if chars.next_if_eq(&'=').is_some() => {
                out += if c == '>' { "$\\geq$" } else { "$\\leq$" }
            }
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            // The sign of a number, not a hyphen.
            '-' if previous == ' ' && chars.peek().is_some_and(char::is_ascii_digit) => out += "$-$",
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '|' => out += "\\textbar{}",
            '"' => out += "''",
            '<' => out += "$<$",
            '>' => out += "$>$",
            '±' => out += "$\\pm$",
            '–' => out += "--",
            '’' => out.push('\''),
            c => out.push(c),
        }
        previous = c;
    }
    out
}

//! The overview that `vivarium` prints without arguments: experiments, example commands and benchmark suites.

use crate::bench;
use crate::error::CliError;
use crate::help::examples;
use crate::terminal;
use vivarium_exhibits::REGISTRY;

/// Prints the experiments, example commands and benchmark suites of the program to standard output.
///
/// # Errors
/// None; the return type is the same for all commands.
pub fn print() -> Result<(), CliError> {
    terminal::print_line(&format!(
        "\
Vivarium: a glass box to watch machines learn in.

Experiments
{}

Start
{}

Benchmark (vivarium bench SUITE, or all)
{}
More
  vivarium info             CPU, GPU adapters and engines
  vivarium help train       all options of a command
  npm start                 the page in a browser

In the source folder, use `cargo run --release --` in place of `vivarium`.",
        experiments(),
        example_lines(),
        bench::list()
    ));
    Ok(())
}

/// Formats the example command lines, with their meaning beside the short ones.
fn example_lines() -> String {
    let line = |(line, meaning): &(&str, &str)| match line.len() {
        0..=34 => format!("  vivarium {line:<34}  {meaning}"),
        _ => format!("  vivarium {line}"),
    };
    examples::OVERVIEW.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Formats the list of experiments: name, default stop condition and presets.
pub fn experiments() -> String {
    let lines = REGISTRY.names().filter_map(|name| {
        let info = vivarium_exhibits::info(name).ok()?;
        let presets: Vec<_> = info.presets.iter().map(|preset| preset.name.as_str()).collect();
        let goal_help = vivarium_exhibits::measures(name).ok()?.goal_help();
        Some(format!("  {:<14} {goal_help}\n  {:<14} presets: {}", info.name, "", presets.join(", ")))
    });
    lines.collect::<Vec<_>>().join("\n")
}

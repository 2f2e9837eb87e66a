//! The overview that `vivarium` prints without arguments: experiments, example commands and benchmark suites.

use crate::bench;
use crate::error::CliError;
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
  vivarium train cartpole                      train until solved
  vivarium train cartpole --set preset=moon    with a preset, or a config field: --set world.gravity=12
  vivarium fields cartpole                     config fields for --set; presets: vivarium presets cartpole
  vivarium monitor runs/cartpole-1-1           monitor the run in another terminal
  vivarium runs                                list the runs; vivarium runs compare RUN RUN
  vivarium eval cartpole --checkpoint runs/cartpole-1-1/best.safetensors
  vivarium train logic-ca --set preset=checkerboard
  vivarium eval logic-ca --checkpoint runs/logic-ca-1-1/best.safetensors --gif board.gif
  vivarium eval backgammon --checkpoint runs/backgammon-1-1/best.safetensors --against pubeval
  vivarium play backgammon --checkpoint runs/backgammon-1-1/best.safetensors
  vivarium hint 4HPwATDgc/ABMA --dice 64       rank the plays of a backgammon position; without dice, the doubling decision
  vivarium rollout 4HPwATDgc/ABMA --dice 64    compare the plays by random games, with standard errors
  vivarium analyze match.mat                   errors and luck of a recorded backgammon match
  vivarium train cube2 --set preset=demonstrations --until 'solved>=0.999'
  vivarium solve cube2 R U2 F2 R
  vivarium alg \"[R U: [M', U2]]\"               expand, simplify, invert and measure an algorithm of a cube
  vivarium train language --set data=FILE      your own text [default: the built-in synthetic encyclopedia]
  vivarium generate --checkpoint runs/language-1-1/best.safetensors --prompt 'The river'

Benchmark (vivarium bench SUITE, or all)
{}
More
  vivarium info             CPU, GPU adapters and engines
  vivarium help train       all options of a command
  npm start                 the page in a browser

In the source folder, use `cargo run --release --` in place of `vivarium`.",
        experiments(),
        bench::list()
    ));
    Ok(())
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

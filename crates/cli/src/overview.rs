//! What the program says when it is asked for nothing: what is here, and how to start.

use crate::bench;
use crate::failure::Failure;
use crate::terminal;
use vivarium_exhibits::REGISTRY;

/// Prints the overview.
///
/// # Errors
/// None: it is a [`Failure`] for the caller's sake.
pub fn print() -> Result<(), Failure> {
    terminal::out(&format!(
        "\
Vivarium: a glass box to watch machines learn in.

Experiments
{}

Start
  vivarium train cartpole                      trains until it is solved
  vivarium train cartpole --set preset=moon    a preset, or any field: --set world.gravity=12
  vivarium monitor runs/cartpole-1-1           watches it from another terminal
  vivarium eval cartpole --checkpoint runs/cartpole-1-1/best.safetensors
  vivarium train logic-ca --set preset=checkerboard
  vivarium eval logic-ca --checkpoint runs/logic-ca-1-1/best.safetensors --gif board.gif
  vivarium eval backgammon --checkpoint runs/backgammon-1-1/best.safetensors --against pubeval
  vivarium play backgammon --checkpoint runs/backgammon-1-1/best.safetensors
  vivarium train cube2 --set preset=demonstrations --until 'solved>=0.999'
  vivarium solve cube2 R U2 F2 R
  vivarium train language --set data=FILE      text of your own; without it an encyclopedia that writes itself
  vivarium generate --checkpoint runs/language-1-1/best.safetensors --prompt 'The river'

Measure (vivarium bench NAME, or all)
{}
More
  vivarium info             what this machine offers
  vivarium help train       every option; so for each command
  npm start                 the same in the browser, live

From the source folder, `cargo run --release --` stands for `vivarium`.",
        experiments(),
        bench::list()
    ));
    Ok(())
}

/// A line for each experiment: name, what it is, when it counts as solved; below it its presets.
pub fn experiments() -> String {
    let lines = REGISTRY.names().filter_map(|name| {
        let info = vivarium_exhibits::info(name).ok()?;
        let presets: Vec<_> = info.presets.iter().map(|preset| preset.name.as_str()).collect();
        let goal_help = vivarium_exhibits::measures(name).ok()?.goal_help;
        Some(format!("  {:<14} {goal_help}\n  {:<14} presets: {}", info.name, "", presets.join(", ")))
    });
    lines.collect::<Vec<_>>().join("\n")
}

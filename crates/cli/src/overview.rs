//! What the program says when it is asked for nothing: what is here, and how to start.

use crate::bench;
use crate::failure::Failure;
use crate::terminal;
use vivarium_lab::info::WorldInfo;
use vivarium_lab::registry;

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
  vivarium train cube2 --set preset=lessons --until 'solved>=0.999'
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
    let known = registry::NAMES.iter().filter_map(|name| registry::info(name).ok());
    let lines = known.map(|info| {
        let presets: Vec<_> = info.presets.iter().map(|preset| preset.name.as_str()).collect();
        let aim = match &info.world {
            WorldInfo::Control(world) => format!("trains until solved: a mean return of {}", world.solved),
            WorldInfo::Games(_) => {
                "trains until stopped, or --until 'points>=0': as strong as its strongest opponent".into()
            }
            WorldInfo::Cube(cube) if cube.exam => {
                "trains until stopped, or --until 'solved>=0.999': 99.9 % of all states".into()
            }
            WorldInfo::Cube(_) => {
                "trains until stopped, or --until 'solved>=1': every random cube of an evaluation".into()
            }
            WorldInfo::Language(_) => {
                "trains to the end of its learning-rate schedule, or --until 'validation_loss<=1.88'".into()
            }
            WorldInfo::LogicCa(_) => {
                "trains for the epochs of its config, or --until 'accuracy>=1': every cell right".into()
            }
        };
        format!("  {:<14} {aim}\n  {:<14} presets: {}", info.name, "", presets.join(", "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

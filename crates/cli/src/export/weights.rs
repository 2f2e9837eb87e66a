//! Checkpoints with weights only, for play, solving and text generation.

use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::games::network::TrainedNetwork;
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_agents::each_game;
use vivarium_exhibit_cube::protocol::CubeCommand;
use vivarium_exhibit_language::Model;
use vivarium_lab::checkpoint::{self, Header, read_header};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::Reply;

/// Function that converts a checkpoint of one game.
type Converter = fn(&CheckpointFile) -> Result<Vec<u8>, CliError>;

/// Returns the name of game `G` and the function that converts its checkpoints.
fn converter<G: SelfPlayGame>() -> (&'static str, Converter) {
    (G::NAME, |file| Ok(TrainedNetwork::<G>::read(file)?.weights_only()))
}

/// Converts a checkpoint to a checkpoint with weights only: config, seed, training steps and the network with which the
/// experiment plays.
///
/// # Errors
/// [`CliError::Usage`] if the experiment has no such network; [`CliError::Failed`] if the checkpoint is invalid.
pub fn weights_only(file: &CheckpointFile) -> Result<Vec<u8>, CliError> {
    let Header { experiment: name, steps, .. } =
        read_header(file.bytes()).map_err(|error| file.refuse(error))?;
    if let Some((_, convert)) = each_game!(converter()).into_iter().find(|(game, _)| *game == name) {
        return convert(file);
    }
    match name.as_str() {
        "language" => Model::weights_only(file.bytes()).map_err(|error| file.refuse(error)),
        "cube2" | "cube3" => {
            let command = serde_json::to_value(CubeCommand::ExportPlayer).map_err(CliError::failed_by)?;
            let (mut experiment, _) = file.experiment(&name)?;
            match experiment.any_command(command).map_err(CliError::failed_by)? {
                Reply::File { bytes, .. } => {
                    // An experiment that was opened from weights only does not have the number of training steps.
                    let (header, tensors) = checkpoint::read(&bytes).map_err(|error| file.refuse(error))?;
                    Ok(checkpoint::write(&Header { steps, ..header }, &tensors.into_vec()))
                }
                Reply::Done => Err(CliError::failed(format!(
                    "internal error: {name} returned no file; please report this bug"
                ))),
            }
        }
        _ => {
            let remedy = "the format weights is for board games, cubes and language models; use onnx";
            Err(file.refuse(LabError::invalid("experiment", name, remedy)))
        }
    }
}

//! Choice of the opponent and of the network that gives hints.

use super::args::PlayArgs;
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::games::network::TrainedNetwork;
use crate::games::opponent::{Opponent, PlayableGame};
use crate::terminal;
use std::sync::Arc;
use vivarium_agents::alphazero::AlphaZeroNetwork;
use vivarium_agents::players::NetworkPlayer;

/// Network that several players share.
pub type SharedNetwork<G> = Arc<AlphaZeroNetwork<G>>;

/// Returns the opponent of the human player, and the network that gives hints: the network of `--checkpoint`, or else
/// the network of the program. Without `--against`, this network is the opponent. With `--against`, the network may be
/// missing; there are no hints then. `needs_hints`: whether the network of the program is opened with `--against`.
///
/// # Errors
/// [`CliError::Usage`] for an unknown opponent, or without any network and opponent; [`CliError::Failed`] if the
/// checkpoint is invalid.
pub fn choose<G: PlayableGame>(
    args: &PlayArgs,
    needs_hints: bool,
) -> Result<(Opponent<G>, Option<SharedNetwork<G>>), CliError> {
    let PlayArgs { checkpoint, simulations, .. } = args;
    let read = |file: CheckpointFile| -> Result<SharedNetwork<G>, CliError> {
        let trained = TrainedNetwork::<G>::read(&file)?;
        if let Some(path) = checkpoint {
            terminal::print_message(&format!("{}: {}", path.display(), trained.label()));
        }
        Ok(trained.network)
    };
    let open = || CheckpointFile::open(checkpoint.as_deref(), G::NAME).map_err(suggest_opponents::<G>);
    let Some(name) = &args.against else {
        let network = read(open()?)?;
        return Ok((Opponent::network("the network", network.clone(), *simulations), Some(network)));
    };
    let opponent = Opponent::named(name, *simulations)?;
    let file = match checkpoint {
        Some(_) => Some(open()?),
        None if needs_hints => CheckpointFile::shipped(G::NAME)?,
        None => None,
    };
    Ok((opponent, file.map(read).transpose()?))
}

/// Adds the built-in opponents to the error that the program has no network.
fn suggest_opponents<G: PlayableGame>(error: CliError) -> CliError {
    let CliError::Usage(why) = error else { return error };
    let names: Vec<_> = G::BUILT_IN.iter().map(|(name, _)| *name).collect();
    CliError::Usage(format!("{why}, or an opponent with --against: {}", names.join(", ")))
}

/// Creates a player with a network and `simulations` search simulations per decision.
///
/// # Errors
/// [`CliError::Failed`] if the search needs too much memory.
pub fn network_player<G: PlayableGame>(
    network: SharedNetwork<G>,
    simulations: u32,
) -> Result<NetworkPlayer<G, SharedNetwork<G>>, CliError> {
    NetworkPlayer::new(network, simulations).map_err(CliError::failed_by)
}

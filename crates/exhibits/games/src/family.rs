//! Registry entry of the board games.

use crate::GameExhibit;
use crate::entries::{describe, is_backgammon, schema};
use crate::experiment::GameExperiment;
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::State as Backgammon;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::registry::Family;

/// Registry entry of the board games.
pub static FAMILY: Family<GameExhibit> = Family {
    kind: "games",
    names: &[Backgammon::NAME, ConnectFour::NAME],
    schema: |name| if is_backgammon(name) { schema::<Backgammon>() } else { schema::<ConnectFour>() },
    create: |name, config, seed| {
        Ok(if is_backgammon(name) {
            Box::new(GameExperiment::<Backgammon>::new(config, seed)?)
        } else {
            Box::new(GameExperiment::<ConnectFour>::new(config, seed)?)
        })
    },
    open: |header, tensors| {
        Ok(if is_backgammon(&header.experiment) {
            Box::new(GameExperiment::<Backgammon>::open(header, tensors)?)
        } else {
            Box::new(GameExperiment::<ConnectFour>::open(header, tensors)?)
        })
    },
    any: |exhibit| exhibit,
};

/// Returns the static description of experiment `name`, which must be one of the board games.
#[must_use]
pub fn info(name: &str) -> ExperimentInfo {
    if is_backgammon(name) { describe::<Backgammon>() } else { describe::<ConnectFour>() }
}

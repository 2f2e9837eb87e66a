//! Registry entry of the board games.

use crate::GameExhibit;
use crate::checkpoint::network_of;
use crate::entries::{describe, schema};
use crate::experiment::GameExperiment;
use crate::measures::GameMeasures;
use crate::rules::TableGame;
use serde_json::Value;
use std::marker::PhantomData;
use vivarium_agents::alphazero::network_tensors;
use vivarium_agents::each_game;
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::registry::{Description, Descriptions, Family, FamilyEntry, NetworkExport};

/// Registry entry of the board games: creates and opens their experiments.
pub static FAMILY: Family<GameExhibit> =
    Family { kind: "games", experiments: &each_game!(entry()), any: |exhibit| exhibit };

const fn entry<G: TableGame>() -> FamilyEntry<GameExhibit> {
    FamilyEntry { name: G::NAME, schema: schema::<G>, create: create::<G>, open: open::<G> }
}

fn create<G: TableGame>(config: Value, seed: u64) -> Result<Box<GameExhibit>, LabError> {
    Ok(Box::new(GameExperiment::<G>::new(config, seed)?))
}

fn open<G: TableGame>(header: &Header, tensors: Tensors) -> Result<Box<GameExhibit>, LabError> {
    Ok(Box::new(GameExperiment::<G>::open(header, tensors)?))
}

/// Static descriptions and evaluations of the board-game experiments.
pub static DESCRIPTIONS: Descriptions =
    Descriptions { title: "Board games", experiments: &each_game!(description()) };

const fn description<G: TableGame>() -> Description {
    Description { name: G::NAME, info: describe::<G>, measures: &GameMeasures::<G>(PhantomData) }
}

/// Export of the trained networks of the board games.
pub static NETWORK_EXPORTS: &[NetworkExport] = &each_game!(export());

const fn export<G: TableGame>() -> NetworkExport {
    NetworkExport {
        name: G::NAME,
        schema: schema::<G>,
        network: |header, tensors| Ok(network_of::<G>(header, tensors)?.inference_network()?),
        weights: |header, tensors| {
            let network = network_of::<G>(&header, tensors)?;
            Ok((Header { more: Value::Null, ..header }, network_tensors(&network)))
        },
    }
}

//! Registry entry of the board games.

use crate::GameExhibit;
use crate::entries::{describe, schema};
use crate::experiment::GameExperiment;
use crate::rules::{TableGame, each_game};
use serde_json::Value;
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::registry::{Family, FamilyEntry};

/// Registry entry of the board games.
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

/// Returns the static description of experiment `name`.
///
/// # Panics
/// If `name` is not one of the board games.
#[must_use]
pub fn info(name: &str) -> ExperimentInfo {
    fn described<G: TableGame>() -> (&'static str, fn() -> ExperimentInfo) {
        (G::NAME, describe::<G>)
    }
    let found = each_game!(described()).into_iter().find(|(known, _)| *known == name);
    found.map(|(_, describe)| describe()).unwrap_or_else(|| panic!("{name} is no board game"))
}

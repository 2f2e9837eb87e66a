//! Registry entry of the board games.

use crate::GameExhibit;
use crate::entries::{describe, schema};
use crate::experiment::GameExperiment;
use crate::measures;
use crate::rules::TableGame;
use serde_json::Value;
use vivarium_envs::backgammon::State as Backgammon;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::EvaluatedMeasure;
use vivarium_lab::registry::{Family, FamilyEntry};

/// Calls a function that is generic over [`TableGame`] once per board game. Evaluates to the array of the results.
macro_rules! each_game {
    ($function:ident()) => {
        [$function::<Backgammon>(), $function::<ConnectFour>()]
    };
}

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

/// Returns the measures of an evaluation of experiment `name`; none for an unknown name.
pub(crate) fn evaluated(name: &str) -> &'static [EvaluatedMeasure] {
    fn of_game<G: TableGame>() -> (&'static str, &'static [EvaluatedMeasure]) {
        (G::NAME, const { &measures::evaluated(G::MAX_VALUE as f64) })
    }
    let found = each_game!(of_game()).into_iter().find(|(known, _)| *known == name);
    found.map_or(&[], |(_, evaluated)| evaluated)
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

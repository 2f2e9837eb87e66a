//! Registry entry of the language-model experiment: the functions that create and restore the experiment.

use crate::entries::{info, schema};
use crate::experiment::LanguageExperiment;
use crate::hugging_face::HuggingFaceModel;
use crate::measures::LanguageMeasures;
use crate::model::{Model, weights_only};
use crate::{LanguageExhibit, NAME};
use serde_json::Value;
use vivarium_lab::LabError;
use vivarium_lab::registry::{Description, Descriptions, Family, FamilyEntry, NetworkExport};

/// Registry entry of the language-model experiment.
pub static FAMILY: Family<LanguageExhibit> = Family {
    kind: "language",
    experiments: &[FamilyEntry {
        name: NAME,
        schema,
        create: |config, seed| Ok(Box::new(LanguageExperiment::new(config, seed)?)),
        open: |header, tensors| Ok(Box::new(LanguageExperiment::open(header, tensors)?)),
    }],
    any: |exhibit| exhibit,
};

/// Creates an experiment that continues the training of a model in the format of `transformers`. `given` are config fields
/// of the run; missing fields take their defaults. The model determines the fields of its
/// architecture.
///
/// # Errors
/// [`LabError`] if a config field is invalid, or if the weights do not fit the config.
pub fn continue_from(
    model: HuggingFaceModel,
    given: &Value,
    seed: u64,
) -> Result<Box<LanguageExhibit>, LabError> {
    let mut given = given.clone();
    model.complete(&mut given)?;
    let config = FAMILY.configure(NAME, &given)?;
    Ok(Box::new(LanguageExperiment::continue_from(config, seed, model)?))
}

/// Static description (config fields, metrics, charts, evaluations) of the language-model experiment, for the command
/// line.
pub static DESCRIPTIONS: Descriptions = Descriptions {
    title: "Language models",
    experiments: &[Description { name: NAME, info, measures: &LanguageMeasures }],
};

/// Export of the trained network of the language-model experiment.
pub static NETWORK_EXPORTS: &[NetworkExport] = &[NetworkExport {
    name: NAME,
    schema,
    network: |header, tensors| Model::of_parts(header, tensors)?.inference_network(),
    weights: weights_only,
}];

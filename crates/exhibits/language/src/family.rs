//! Registry entry of the language-model experiment: the functions that create and restore the experiment.

use crate::entries::{info, schema};
use crate::experiment::LanguageExperiment;
use crate::measures::LanguageMeasures;
use crate::model::{Model, weights_only};
use crate::{LanguageExhibit, NAME};
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

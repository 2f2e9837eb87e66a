//! Registry entry of the language-model experiment.

use crate::entries::{info, schema};
use crate::experiment::LanguageExperiment;
use crate::measures::LanguageMeasures;
use crate::{LanguageExhibit, NAME};
use vivarium_lab::registry::{Description, Descriptions, Family, FamilyEntry};

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

/// Static description of the language-model experiment.
pub static DESCRIPTIONS: Descriptions = Descriptions {
    title: "Language models",
    has_own_eval: true,
    experiments: &[Description { name: NAME, info, measures: &LanguageMeasures }],
};

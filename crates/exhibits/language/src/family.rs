//! Registry entry of the language-model experiment.

use crate::entries::schema;
use crate::experiment::LanguageExperiment;
use crate::{LanguageExhibit, NAME};
use vivarium_lab::registry::Family;

/// Registry entry of the language-model experiment.
pub static FAMILY: Family<LanguageExhibit> = Family {
    kind: "language",
    names: &[NAME],
    schema: |_| schema(),
    create: |_, config, seed| Ok(Box::new(LanguageExperiment::new(config, seed)?)),
    open: |header, tensors| Ok(Box::new(LanguageExperiment::open(header, tensors)?)),
    any: |exhibit| exhibit,
};

//! Models and their training as named tensors, to save and to restore.
//!
//! Weights go by the names that they have in GPT-2's files, whose weights have the same shapes.

use crate::config::LanguageConfig;
use crate::error::LanguageError;
use crate::model::Gpt;
use crate::trainer::Trainer;
use vivarium_graph::{Cpu, Saved, Tensor, Values, tensors_of};

/// Names of groups of tensors, each with one for every parameter.
const FIRST_MOMENT: &str = "adam/first_moment";
const SECOND_MOMENT: &str = "adam/second_moment";
/// Name of the other one.
const COUNTERS: &str = "counters";

impl Gpt {
    /// The weights.
    #[must_use]
    pub fn tensors(&self) -> Vec<Tensor> {
        let specs = self.parameters().specs().iter();
        let tensor = |spec: &vivarium_graph::ParameterSpec| Tensor {
            name: spec.name.clone(),
            shape: spec.dims.clone(),
            values: Values::F32(self.parameters().flat()[spec.range()].to_vec()),
        };
        specs.map(tensor).collect()
    }

    /// Takes over weights that [`Gpt::tensors`] gave, or another program's of the same names; other tensors are left alone.
    ///
    /// # Errors
    /// [`LanguageError::State`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn adopt(&mut self, cpu: &Cpu, tensors: &[Tensor]) -> Result<(), LanguageError> {
        let mut weights = self.parameters().clone();
        for spec in self.parameters().specs() {
            let values = Saved(tensors).find(&spec.name)?.floats(&spec.dims)?;
            weights.flat_mut()[spec.range()].copy_from_slice(values);
        }
        self.change(cpu, |parameters| *parameters = weights);
        Ok(())
    }
}

impl Trainer {
    /// What was learnt, and all that is needed to go on exactly.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.gpt.tensors();
        let specs = self.gpt.parameters().specs();
        tensors.extend(tensors_of(FIRST_MOMENT, specs, &self.first_moment));
        tensors.extend(tensors_of(SECOND_MOMENT, specs, &self.second_moment));
        let counters = Values::U64(vec![self.updates]);
        tensors.push(Tensor { name: COUNTERS.to_owned(), shape: vec![1], values: counters });
        tensors
    }

    /// Training in a saved state. Config and vocabulary must be those that it was saved under (live fields may differ).
    ///
    /// # Errors
    /// [`LanguageError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(
        cpu: &Cpu,
        config: LanguageConfig,
        vocabulary: usize,
        tensors: &[Tensor],
    ) -> Result<Self, LanguageError> {
        let mut trainer = Self::new(cpu.level(), config, vocabulary, 0)?;
        trainer.gpt.adopt(cpu, tensors)?;
        let (saved, parameters) = (Saved(tensors), trainer.gpt.parameters());
        for (group, moment) in
            [(FIRST_MOMENT, &mut trainer.first_moment), (SECOND_MOMENT, &mut trainer.second_moment)]
        {
            moment.copy_from_slice(&saved.flat(group, parameters.specs(), parameters.flat().len())?);
        }
        let &[updates] = saved.find(COUNTERS)?.counters()?;
        trainer.updates = updates;
        Ok(trainer)
    }
}

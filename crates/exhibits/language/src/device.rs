//! Training of the language model on a GPU; see [`vivarium_lab::device`].

use super::experiment::LanguageExperiment;
use super::gpu_learner::GpuLearner;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_lab::device::{AnyDevice, Device};
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;
use vivarium_lab::train_on_gpu::TrainOnGpu;
use vivarium_lm::LanguageOptimizer;

impl TrainOnGpu for LanguageExperiment {
    fn training_device(&self) -> Option<&dyn AnyDevice> {
        self.state.training.device.as_ref().map(|device| device as &dyn AnyDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        let training = &mut self.state.training;
        if training.settings.learner.optimizer != LanguageOptimizer::AdamW {
            let message = "the GPU engine supports only learner.optimizer=adamw; use it, or train on the CPU";
            return Err(SliceError::Failed(LabError::engine(message)));
        }
        let trainer = training.model.as_ref().map(|model| &model.trainer);
        let device = Device::new(gpu, |gpu| GpuLearner::new(gpu, trainer))?;
        training.go_back().map_err(SliceError::Failed)?;
        training.device = Some(device);
        Ok(())
    }

    fn leave(&mut self) -> Result<Option<Gpu>, LabError> {
        let training = &mut self.state.training;
        let Some(device) = training.device.take() else { return Ok(None) };
        training.go_back()?;
        self.changed();
        Ok(Some(device.leave()))
    }

    fn resume_point(&self) -> String {
        let updates = self.state.training.updates();
        format!("after {updates} gradient steps, the last readback of the weights")
    }

    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        ("learner.batch", "reduce the batch size or the model size".into())
    }
}

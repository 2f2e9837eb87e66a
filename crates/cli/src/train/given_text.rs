//! Training text of a language model whose training continues: `--set data=PATH` names a new path of the same text.

use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::text::shell_quoted;
use serde_json::Value;
use std::path::Path;
use vivarium_lab::config;
use vivarium_lab::experiment::Experiment;
use vivarium_lab::info::ExperimentInfo;

/// Config field with the path of the training text.
const FIELD: &str = "data";

/// Path of the training text that `--set data=PATH` gives.
#[derive(Debug)]
pub struct GivenText(String);

impl GivenText {
    /// Returns the training text of the last assignment of `data`, and the other assignments. Returns all assignments if the
    /// experiment `info` has no training text.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an assignment without `=`, and for an invalid path.
    pub fn split(
        assignments: &[String],
        info: &ExperimentInfo,
    ) -> Result<(Option<Self>, Vec<String>), CliError> {
        let Some(field) = info.fields.iter().find(|field| field.path == FIELD) else {
            return Ok((None, assignments.to_vec()));
        };
        let (mut given, mut others) = (None, Vec::new());
        for text in assignments {
            let (path, value) = config::assignment(text).map_err(CliError::usage_by)?;
            if path == FIELD {
                let value = field.check(&value).map_err(CliError::usage_by)?;
                given = Some(Self(value.as_str().unwrap_or_default().to_owned()));
            } else {
                others.push(text.clone());
            }
        }
        Ok((given, others))
    }

    /// Sets the path in `config`, the config of a run without a checkpoint.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the config is invalid.
    pub fn set_in(&self, config: &mut Value) -> Result<(), CliError> {
        config::set(config, FIELD, self.0.clone().into()).map_err(CliError::failed_by)
    }

    /// Returns the checkpoint with the path in its config. The experiment compares the text with the text of the checkpoint.
    ///
    /// # Errors
    /// [`CliError::Usage`] if either the run or the command line selects the built-in encyclopedia.
    pub fn set_in_checkpoint(&self, file: CheckpointFile) -> Result<CheckpointFile, CliError> {
        let mut result = Ok(());
        let file = file.with_config(|config| {
            let before = config[FIELD].as_str().unwrap_or_default();
            if before != self.0 && (before.is_empty() || self.0.is_empty()) {
                result = Err(self.other_text_error("the training text of a run is fixed", config));
            } else {
                // The experiment reports an invalid config.
                let _ = config::set(config, FIELD, self.0.clone().into());
            }
        });
        result.map(|()| file)
    }

    /// Returns the error of a text that is not the training text of the run. `why` is the problem, and `config` is the config
    /// of the run.
    fn other_text_error(&self, why: &str, config: &Value) -> CliError {
        let way = format!(
            "export the model (vivarium export RUN --to huggingface --out DIR) and start a new run (vivarium train language \
             --from-huggingface DIR --set {}), which has a new optimizer and starts at step 0",
            shell_quoted(&format!("{FIELD}={}", self.0))
        );
        let learner = &config["learner"];
        let limit = match learner["norm"].as_str() {
            Some(norm) if norm != "layer" => {
                format!("; this format requires learner.norm=layer, and the run has learner.norm={norm}")
            }
            // The tokens are the characters of the training text.
            _ if learner["vocabulary"] == 0 => {
                "; with learner.vocabulary=0, the other text may have characters of the training text only"
                    .to_owned()
            }
            _ => String::new(),
        };
        CliError::usage(format!("{FIELD} = {}: {why}; to train on another text, {way}{limit}", self.0))
    }
}

/// Returns the error of the training text of a continued run. `why` is the problem, which names the text, and `given` is the
/// text of `--set`. Without `given`, the error names `--set data=PATH` as the remedy.
pub fn refuse(experiment: &dyn Experiment, given: Option<&GivenText>, why: &str) -> CliError {
    let config = experiment.config();
    match given {
        // A text that can be read but is refused is another text.
        Some(text) if Path::new(&text.0).exists() => {
            let problem = why.strip_prefix(&format!("{FIELD} = {}: ", text.0)).unwrap_or(why);
            text.other_text_error(problem, &config)
        }
        Some(_) => CliError::usage(why),
        None => {
            let is_relative = config[FIELD].as_str().is_some_and(|path| Path::new(path).is_relative());
            let hint = if is_relative {
                "; the path is relative to the folder in which training started"
            } else {
                ""
            };
            CliError::failed(format!("{why}{hint}; if the text was moved, add --set {FIELD}=PATH"))
        }
    }
}

//! The model as a network for export.

use super::Gpt;
use super::graph::GptInferenceGraph;
use crate::config::LanguageConfig;
use crate::error::LanguageError;
use vivarium_learn::InferenceNetwork;

impl Gpt {
    /// Returns the model in the form from which ONNX files are exported. `config` must be the config that the model was
    /// created with. The input is `tokens` \[context, 1\]; the output is `logits` \[context, vocabulary\] of the token
    /// after each token.
    ///
    /// # Errors
    /// [`LanguageError::Network`] if the graph cannot be built, which never occurs for a valid config.
    ///
    /// # Panics
    /// If the model was created with another config.
    pub fn inference_network(&self, config: &LanguageConfig) -> Result<InferenceNetwork, LanguageError> {
        let GptInferenceGraph { graph, logits } = GptInferenceGraph::new(config, self.vocabulary());
        Ok(InferenceNetwork::new(graph, &[("logits", logits)], self.parameters(), &[])?)
    }
}

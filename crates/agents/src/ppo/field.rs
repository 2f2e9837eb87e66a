//! How fields of a config are described: the same for every learner.

pub use vivarium_config::{ConfigError, Field, FieldKind, Value};

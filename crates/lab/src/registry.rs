//! Registry of experiments, grouped in families.

use crate::checkpoint::{self, Header, Tensor, Tensors};
use crate::config;
use crate::error::LabError;
use crate::exhibit::AnyExhibit;
use crate::info::{ExperimentInfo, Schema};
use crate::measures::Measures;
use crate::spelling;
use serde_json::Value;
use vivarium_learn::InferenceNetwork;

/// A family of experiments with the same view, JSON document and command types. `E` is the trait object of an
/// [`Exhibit`](crate::Exhibit), such as `dyn Exhibit<View = …, Documents = …, Command = …>`.
pub struct Family<E: ?Sized + 'static> {
    /// Name of the family, such as `control`.
    pub kind: &'static str,
    /// Table of the family's experiments, in display order.
    pub experiments: &'static [FamilyEntry<E>],
    /// Converts an experiment to [`AnyExhibit`], the type that front ends use.
    pub any: fn(Box<E>) -> Box<dyn AnyExhibit>,
}

/// Registry entry of an experiment in the table of its family: name and functions that create the experiment.
pub struct FamilyEntry<E: ?Sized> {
    /// Registered name of the experiment.
    pub name: &'static str,
    /// Returns the config schema of the experiment.
    pub schema: fn() -> Schema,
    /// Creates the experiment from a complete, validated config and the seed of its random numbers.
    pub create: fn(Value, u64) -> Result<Box<E>, LabError>,
    /// Restores the experiment from the header and the tensors of a checkpoint. The config in the header must be
    /// complete and validated.
    pub open: fn(&Header, Tensors) -> Result<Box<E>, LabError>,
}

/// Maximum seed, 2⁵³ − 1: the largest integer that JSON parsers with `f64` numbers read exactly.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;

impl<E: ?Sized + 'static> Family<E> {
    /// Returns the names of the family's experiments.
    pub fn names(&self) -> Vec<&'static str> {
        self.experiments.iter().map(|entry| entry.name).collect()
    }

    /// Returns the registry entry of the experiment `name`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the list of the family's experiments if the family has no experiment `name`.
    pub fn entry(&self, name: &str) -> Result<&'static FamilyEntry<E>, LabError> {
        self.experiments.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let allowed = format!("the experiments of this family are {}", self.names().join(", "));
            LabError::invalid("experiment", config::shorten(name), allowed)
        })
    }

    /// Returns the complete, validated config of an experiment; see [`Schema::configure`].
    ///
    /// # Errors
    /// The same errors as [`entry`](Self::entry) and [`Schema::configure`].
    pub fn configure(&self, name: &str, given: &Value) -> Result<Value, LabError> {
        (self.entry(name)?.schema)().configure(given)
    }

    /// Creates the experiment `name` with the config fields `given` (missing fields take their defaults) and the seed
    /// of its random numbers.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for an invalid config or a seed above [`LARGEST_SEED`].
    pub fn create(&self, name: &str, given: &Value, seed: u64) -> Result<Box<E>, LabError> {
        let entry = self.entry(name)?;
        let config = (entry.schema)().configure(given)?;
        if seed > LARGEST_SEED {
            let allowed = format!("the seed must be a whole number from 0 to {LARGEST_SEED}");
            return Err(LabError::invalid("seed", seed.to_string(), allowed));
        }
        (entry.create)(config, seed)
    }

    /// Restores an experiment from the bytes of a checkpoint file; see [`Experiment::save`](crate::Experiment::save).
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the file is invalid.
    pub fn open(&self, bytes: &[u8]) -> Result<Box<E>, LabError> {
        let (header, tensors) = checkpoint::read(bytes)?;
        self.open_parts(header, tensors)
    }

    fn open_parts(&self, header: Header, tensors: Tensors) -> Result<Box<E>, LabError> {
        let entry = self.entry_of(&header)?;
        let header = Header { config: (entry.schema)().config_of(&header)?, ..header };
        (entry.open)(&header, tensors).map_err(LabError::in_checkpoint)
    }

    /// Returns the registry entry of the experiment that `header`, the header of a checkpoint, names. Returns an error
    /// if the experiment is not in this family.
    fn entry_of(&self, header: &Header) -> Result<&'static FamilyEntry<E>, LabError> {
        self.entry(&header.experiment).map_err(|_| {
            let needed = self.names().join(" or ");
            LabError::checkpoint(format!(
                "it belongs to {}; a checkpoint of {needed} is required",
                header.experiment
            ))
        })
    }

    /// Returns the complete, validated config that a checkpoint's header stores.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] with the invalid field.
    pub fn config_of(&self, header: &Header) -> Result<Value, LabError> {
        (self.entry_of(header)?.schema)().config_of(header)
    }
}

/// Static descriptions of a family and its experiments, for the command line. The web page does not use descriptions
/// at run time: this type is separate from [`Family`] so that the linker omits the descriptions from the page.
pub struct Descriptions {
    /// Title of the family in the plural, such as "Board games".
    pub title: &'static str,
    /// Table with the static description of each experiment of the family.
    pub experiments: &'static [Description],
}

/// Static description of an experiment and its evaluations, for the command line.
pub struct Description {
    /// Registered name of the experiment.
    pub name: &'static str,
    /// Returns config fields, presets, metrics and displayed charts of the experiment.
    pub info: fn() -> ExperimentInfo,
    /// Measures, schedule and report formats of the experiment's evaluations.
    pub measures: &'static dyn Measures,
}

/// Export of an experiment's trained network. A type of its own, separate from [`Family`] and [`Description`], so that
/// the linker omits exporters from the modules of the page that train, and learners from the module that exports.
pub struct NetworkExport {
    /// Registered name of the experiment.
    pub name: &'static str,
    /// Returns the config schema of the experiment.
    pub schema: fn() -> Schema,
    /// Returns the trained network in the header and the tensors of a checkpoint. The config in the header must be
    /// complete and validated. Returns an error with the remedy if the experiment has no network.
    pub network: fn(&Header, Tensors) -> Result<InferenceNetwork, LabError>,
    /// Returns header and tensors of a checkpoint with weights only, from the header and the tensors of a checkpoint:
    /// config, seed, training steps and the trained network, without the state that only training needs. The config in
    /// the header must be complete and validated. Returns an error with the remedy if the experiment does not open
    /// such files.
    pub weights: WeightsConverter,
}

/// Function that converts header and tensors of a checkpoint to header and tensors of a checkpoint with weights only.
pub type WeightsConverter = fn(Header, Tensors) -> Result<(Header, Vec<Tensor>), LabError>;

impl NetworkExport {
    /// Returns the trained network of a checkpoint, and the header with the complete config.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the file is invalid; [`LabError::Invalid`] with the remedy if the experiment has no
    /// network.
    pub fn network(&self, header: Header, tensors: Tensors) -> Result<(Header, InferenceNetwork), LabError> {
        let header = self.complete(header)?;
        let network = (self.network)(&header, tensors)?;
        Ok((header, network))
    }

    /// Returns header and tensors of a checkpoint with weights only.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the file is invalid; [`LabError::Invalid`] with the remedy if the experiment does
    /// not open such files.
    pub fn weights_only(&self, header: Header, tensors: Tensors) -> Result<(Header, Vec<Tensor>), LabError> {
        (self.weights)(self.complete(header)?, tensors)
    }

    /// Returns the header with the complete, validated config.
    fn complete(&self, header: Header) -> Result<Header, LabError> {
        Ok(Header { config: (self.schema)().config_of(&header)?, ..header })
    }
}

impl Descriptions {
    /// Returns the description of the experiment `name`; `None` if the family has no such experiment.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&'static Description> {
        self.experiments.iter().find(|described| described.name == name)
    }
}

/// Interface of a [`Family`] that does not depend on the types of its views, JSON documents and commands.
pub trait AnyFamily: Sync {
    /// Returns the name of the family; see [`Family::kind`].
    fn kind(&self) -> &'static str;

    /// Returns the names of the family's experiments; see [`Family::names`].
    fn names(&self) -> Vec<&'static str>;

    /// Returns the complete, validated config of an experiment; see [`Family::configure`].
    ///
    /// # Errors
    /// The same errors as [`Family::configure`].
    fn configure(&self, name: &str, given: &Value) -> Result<Value, LabError>;

    /// Creates an experiment from config fields and a seed; see [`Family::create`].
    ///
    /// # Errors
    /// The same errors as [`Family::create`].
    fn create(&self, name: &str, given: &Value, seed: u64) -> Result<Box<dyn AnyExhibit>, LabError>;

    /// Restores an experiment from the contents of a checkpoint; see [`Family::open`].
    ///
    /// # Errors
    /// The same errors as [`Family::open`].
    fn open(&self, header: Header, tensors: Tensors) -> Result<Box<dyn AnyExhibit>, LabError>;
}

impl<E: ?Sized + 'static> AnyFamily for Family<E> {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn names(&self) -> Vec<&'static str> {
        self.names()
    }

    fn configure(&self, name: &str, given: &Value) -> Result<Value, LabError> {
        self.configure(name, given)
    }

    fn create(&self, name: &str, given: &Value, seed: u64) -> Result<Box<dyn AnyExhibit>, LabError> {
        self.create(name, given, seed).map(self.any)
    }

    fn open(&self, header: Header, tensors: Tensors) -> Result<Box<dyn AnyExhibit>, LabError> {
        self.open_parts(header, tensors).map(self.any)
    }
}

/// Returns the error of the unknown experiment `name`: the names `known` of all experiments, and the nearest of them.
pub fn unknown_experiment(name: &str, known: impl Iterator<Item = &'static str>) -> LabError {
    let known: Vec<_> = known.collect();
    let nearest = spelling::nearest(&config::shorten(name), known.iter().copied());
    let hint = nearest.map_or(String::new(), |known| format!("; did you mean {known}?"));
    let allowed = format!("the experiments are {}{hint}", known.join(", "));
    LabError::invalid("experiment", config::shorten(name), allowed)
}

/// Registry of the families of experiments that a build contains.
pub struct Registry {
    /// All families of experiments of the build, in display order.
    pub families: &'static [&'static dyn AnyFamily],
}

impl Registry {
    /// Returns the names of all experiments.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.families.iter().flat_map(|family| family.names())
    }

    /// Returns the family that contains the experiment `name`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the list of experiments if the name is unknown.
    pub fn family(&self, name: &str) -> Result<&'static dyn AnyFamily, LabError> {
        let found = self.families.iter().copied().find(|family| family.names().contains(&name));
        found.ok_or_else(|| unknown_experiment(name, self.names()))
    }

    /// Returns the complete, validated config of an experiment of any family; see [`Family::configure`].
    ///
    /// # Errors
    /// The same errors as [`Family::configure`] and [`family`](Self::family).
    pub fn configure(&self, name: &str, given: &Value) -> Result<Value, LabError> {
        self.family(name)?.configure(name, given)
    }

    /// Creates an experiment of any family from config fields and a seed; see [`Family::create`].
    ///
    /// # Errors
    /// The same errors as [`Family::create`] and [`family`](Self::family).
    pub fn create(&self, name: &str, given: &Value, seed: u64) -> Result<Box<dyn AnyExhibit>, LabError> {
        self.family(name)?.create(name, given, seed)
    }

    /// Restores an experiment of any family from a checkpoint file; see [`Family::open`].
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the file is invalid or of an unknown experiment.
    pub fn open(&self, bytes: &[u8]) -> Result<Box<dyn AnyExhibit>, LabError> {
        let (header, tensors) = checkpoint::read(bytes)?;
        self.family(&header.experiment).map_err(LabError::in_checkpoint)?.open(header, tensors)
    }

    /// Returns the complete config of a checkpoint of any family; see [`Family::config_of`].
    ///
    /// # Errors
    /// The same errors as [`Family::config_of`].
    pub fn config_of(&self, header: &Header) -> Result<Value, LabError> {
        self.configure(&header.experiment, &header.config).map_err(LabError::in_checkpoint)
    }
}

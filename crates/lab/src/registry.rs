//! Experiments by name: families of them, and the registry that a front end is given.

use crate::checkpoint::{self, Header, Tensors};
use crate::config;
use crate::error::LabError;
use crate::exhibit::AnyExhibit;
use crate::info::Schema;
use crate::spelling;
use serde_json::Value;

/// Experiments that share a kind of learner, as `E`, such as `dyn Exhibit<View = …, Documents = …, Command = …>`.
pub struct Family<E: ?Sized> {
    /// Such as `control`.
    pub kind: &'static str,
    /// The registered names.
    pub names: &'static [&'static str],
    /// What configs one of them may have.
    pub schema: fn(&str) -> Schema,
    /// Makes one from its name, a whole and checked config and a seed.
    pub create: fn(&str, Value, u64) -> Result<Box<E>, LabError>,
    /// Makes one from a checkpoint, whose config is whole and checked.
    pub open: fn(&Header, Tensors) -> Result<Box<E>, LabError>,
    /// The same experiment for a front end.
    pub any: fn(Box<E>) -> Box<dyn AnyExhibit>,
}

/// The largest seed, 2⁵³ − 1: every seed is exact in JSON and in a link, whoever reads it.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;

impl<E: ?Sized> Family<E> {
    /// As [`Schema::configure`].
    ///
    /// # Errors
    /// As there.
    pub fn configure(&self, name: &str, given: &Value) -> Result<Value, LabError> {
        (self.schema)(name).configure(given)
    }

    /// Makes a new experiment.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that [`configure`](Self::configure) refuses or a seed above [`LARGEST_SEED`].
    pub fn create(&self, name: &str, given: &Value, seed: u64) -> Result<Box<E>, LabError> {
        let config = self.configure(name, given)?;
        if seed > LARGEST_SEED {
            let allowed = format!("a whole number from 0 to {LARGEST_SEED}");
            return Err(LabError::invalid("seed", seed.to_string(), allowed));
        }
        (self.create)(name, config, seed)
    }

    /// Opens a checkpoint: the run goes on as [`Experiment::save`](crate::Experiment::save) has it.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] saying what is wrong with the file.
    pub fn open(&self, bytes: &[u8]) -> Result<Box<E>, LabError> {
        let (header, tensors) = checkpoint::read(bytes)?;
        self.open_parts(header, tensors)
    }

    fn open_parts(&self, header: Header, tensors: Tensors) -> Result<Box<E>, LabError> {
        if !self.names.contains(&&*header.experiment) {
            let needed = self.names.join(" or ");
            let message = format!("it is one of {}, and one of {needed} is needed", header.experiment);
            return Err(LabError::checkpoint(message));
        }
        let header = Header { config: self.config_of(&header)?, ..header };
        (self.open)(&header, tensors).map_err(LabError::in_checkpoint)
    }

    /// The whole config of a checkpoint.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] naming what is wrong with it.
    pub fn config_of(&self, header: &Header) -> Result<Value, LabError> {
        (self.schema)(&header.experiment).config_of(header)
    }
}

/// A family, whatever its type of experiments.
pub trait AnyFamily: Sync {
    /// As [`Family::kind`].
    fn kind(&self) -> &'static str;

    /// As [`Family::names`].
    fn names(&self) -> &'static [&'static str];

    /// As [`Family::configure`].
    ///
    /// # Errors
    /// As there.
    fn configure(&self, name: &str, given: &Value) -> Result<Value, LabError>;

    /// As [`Family::create`].
    ///
    /// # Errors
    /// As there.
    fn create(&self, name: &str, given: &Value, seed: u64) -> Result<Box<dyn AnyExhibit>, LabError>;

    /// As [`Family::open`], from what a file holds.
    ///
    /// # Errors
    /// As there.
    fn open(&self, header: Header, tensors: Tensors) -> Result<Box<dyn AnyExhibit>, LabError>;
}

impl<E: ?Sized> AnyFamily for Family<E> {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn names(&self) -> &'static [&'static str] {
        self.names
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

/// The families that a build holds.
pub struct Registry {
    /// In the order in which to show them.
    pub families: &'static [&'static dyn AnyFamily],
}

impl Registry {
    /// The names of this build's experiments.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.families.iter().flat_map(|family| family.names()).copied()
    }

    /// The family of the experiment of this name.
    ///
    /// # Errors
    /// [`LabError::Invalid`] naming the experiments there are.
    pub fn family(&self, name: &str) -> Result<&'static dyn AnyFamily, LabError> {
        self.families.iter().copied().find(|family| family.names().contains(&name)).ok_or_else(|| {
            let nearest = spelling::nearest(&config::shorten(name), self.names());
            let hint = nearest.map_or(String::new(), |known| format!("; did you mean {known}?"));
            let names: Vec<_> = self.names().collect();
            let allowed = format!("the experiments are {}{hint}", names.join(", "));
            LabError::invalid("experiment", config::shorten(name), allowed)
        })
    }

    /// As [`Family::configure`].
    ///
    /// # Errors
    /// As there, and for an unknown name.
    pub fn configure(&self, name: &str, given: &Value) -> Result<Value, LabError> {
        self.family(name)?.configure(name, given)
    }

    /// As [`Family::create`].
    ///
    /// # Errors
    /// As there, and for an unknown name.
    pub fn create(&self, name: &str, given: &Value, seed: u64) -> Result<Box<dyn AnyExhibit>, LabError> {
        self.family(name)?.create(name, given, seed)
    }

    /// As [`Family::open`].
    ///
    /// # Errors
    /// As there.
    pub fn open(&self, bytes: &[u8]) -> Result<Box<dyn AnyExhibit>, LabError> {
        let (header, tensors) = checkpoint::read(bytes)?;
        self.family(&header.experiment).map_err(LabError::in_checkpoint)?.open(header, tensors)
    }

    /// As [`Family::config_of`].
    ///
    /// # Errors
    /// As there.
    pub fn config_of(&self, header: &Header) -> Result<Value, LabError> {
        self.configure(&header.experiment, &header.config).map_err(LabError::in_checkpoint)
    }
}

//! Generators of untrusted input for property tests: field values, commands and damaged files.

use crate::changed::changed;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use vivarium_lab::checkpoint::{Tensor, TensorData};
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::{Exhibit, LabError};

/// Request to an experiment: a new value of a config field (dotted path and value), or a command.
#[derive(Clone, Debug)]
pub enum Asked<C> {
    Set(String, Value),
    Command(C),
}

/// Generates requests from the strategies `command` and `value`. A value is for a field of `info`, for an arbitrary
/// path, or for a path that matches the regular expression `other_paths`.
pub fn asked<C: std::fmt::Debug + Clone + 'static>(
    info: ExperimentInfo,
    other_paths: &'static str,
    value: impl Strategy<Value = Value>,
    command: impl Strategy<Value = C>,
) -> impl Strategy<Value = Asked<C>> {
    let paths: Vec<String> = info.fields.into_iter().map(|field| field.path.to_owned()).collect();
    let path = prop_oneof![prop::sample::select(paths), ".{0,12}", other_paths];
    prop_oneof![
        1 => (path, value).prop_map(|(path, value)| Asked::Set(path, value)),
        1 => command.prop_map(Asked::Command),
    ]
}

/// Executes a request. Checks that a failed request returns [`LabError::Invalid`] and leaves config and checkpoint
/// unchanged.
pub fn ask<E: Exhibit + ?Sized>(experiment: &mut E, asked: Asked<E::Command>) -> Result<(), TestCaseError> {
    let before = (experiment.config(), experiment.save());
    let outcome = match asked {
        Asked::Set(path, value) => experiment.set(&path, &value),
        Asked::Command(command) => experiment.command(command).map(drop),
    };
    if let Err(error) = outcome {
        let named = matches!(error, LabError::Invalid { .. });
        prop_assert!(named, "{error}");
        prop_assert_eq!((experiment.config(), experiment.save()), before);
    }
    Ok(())
}

/// Returns the message of the error [`LabError::Checkpoint`], with which the opening of a checkpoint must fail.
pub fn why<E: Exhibit + ?Sized>(opened: Result<Box<E>, LabError>) -> String {
    match opened {
        Err(LabError::Checkpoint { message }) => message,
        Err(other) => panic!("{other}"),
        Ok(opened) => panic!("it was opened as {}", opened.name()),
    }
}

pub fn tensor<'a>(tensors: &'a mut [Tensor], name: &str) -> &'a mut Tensor {
    tensors.iter_mut().find(|tensor| tensor.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Generates one to three bit flips, each as the index of a byte and the number of a bit in that byte.
pub fn flips() -> impl Strategy<Value = Vec<(Index, u8)>> {
    prop::collection::vec((any::<Index>(), 0..8_u8), 1..4)
}

/// Returns the file `bytes` with the bits `flips` inverted.
pub fn flipped(mut bytes: Vec<u8>, flips: Vec<(Index, u8)>) -> Vec<u8> {
    for (place, bit) in flips {
        let place = place.index(bytes.len());
        bytes[place] ^= 1 << bit;
    }
    bytes
}

/// Checks that opening a damaged file fails with [`LabError::Checkpoint`], or gives an experiment with which `use_it`
/// does not panic.
pub fn opened_or_refused<E: Exhibit + ?Sized>(
    opened: Result<Box<E>, LabError>,
    use_it: impl FnOnce(Box<E>),
) -> Result<(), TestCaseError> {
    match opened {
        Ok(opened) => use_it(opened),
        Err(error) => prop_assert!(matches!(error, LabError::Checkpoint { .. }), "{error}"),
    }
    Ok(())
}

/// Returns the checkpoint `bytes` with the values of one tensor replaced by the bit patterns `numbers`, repeated.
/// `which` selects the tensor.
pub fn with_numbers(bytes: &[u8], which: Index, numbers: &[u64]) -> Vec<u8> {
    changed(bytes, |_, tensors| {
        let number = |place: usize| numbers[place % numbers.len()];
        match &mut which.get_mut(tensors).values {
            TensorData::F32(v) => {
                v.iter_mut().enumerate().for_each(|(i, v)| *v = f32::from_bits(number(i) as u32))
            }
            TensorData::F64(v) => v.iter_mut().enumerate().for_each(|(i, v)| *v = f64::from_bits(number(i))),
            TensorData::U64(v) => v.iter_mut().enumerate().for_each(|(i, v)| *v = number(i)),
            TensorData::U32(v) => v.iter_mut().enumerate().for_each(|(i, v)| *v = number(i) as u32),
        }
    })
}

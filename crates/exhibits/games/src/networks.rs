//! Saving and restoring the networks of the player pool: former best networks, and the network that the user opened
//! from a file.

use super::player_pool::{MAX_EARLIER, PlayerNetwork, PlayerPool};
use super::rules::TableGame;
use crate::entries::{least_weights, read, schema};
use serde_json::json;
use std::collections::VecDeque;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, NetworkSize};
use vivarium_graph::SavedTensors;
use vivarium_lab::checkpoint::{Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;

/// Name of the tensor with two numbers for each former best network: its promotion number, as in
/// [`GamePlayer::Earlier`](crate::protocol::GamePlayer::Earlier), and its number of gradient steps. The weights of the
/// network with index `i` are in tensors whose names begin with `earlier/i`.
const NUMBERS: &str = "earlier";

/// Name of the tensor with the width and the number of blocks of the network that the user opened from a file. Both are
/// stored because this network may differ in size from the networks of the run.
const OPENED: &str = "opened";

/// Returns the checkpoint tensors of the former best networks in the player pool `pool` and of the network that the
/// user opened from a file.
pub(super) fn save<G: TableGame>(pool: &PlayerPool<G>) -> Vec<Tensor> {
    let numbers = pool.earlier.iter().flat_map(|(promotion, known)| [u64::from(*promotion), known.updates]);
    let mut tensors = vec![flat(NUMBERS, TensorData::U64(numbers.collect()))];
    for (place, (_, known)) in pool.earlier.iter().enumerate() {
        tensors.extend(known.network.tensors(&format!("{NUMBERS}/{place}")));
    }
    if let Some(known) = &pool.opened {
        let NetworkSize { width, blocks } = known.network.size();
        tensors.push(flat(OPENED, TensorData::U64(vec![width as u64, blocks as u64])));
        tensors.extend(known.network.tensors(OPENED));
    }
    tensors
}

/// Reads the former best networks from the checkpoint tensors `found`. Their width and number of blocks must equal
/// the width and number of blocks of `like`. The list is empty for files of older program versions.
///
/// # Errors
/// [`LabError::Checkpoint`] naming the invalid tensor.
pub(super) fn take_earlier<G: TableGame>(
    found: &mut Tensors,
    like: &AlphaZeroNetwork<G>,
) -> Result<VecDeque<(u32, PlayerNetwork<G>)>, LabError> {
    if !found.contains(NUMBERS) {
        return Ok(VecDeque::new());
    }
    let numbers = numbers(found, NUMBERS)?;
    let (numbers, rest) = numbers.as_chunks::<2>();
    let known_ones = numbers.iter().enumerate().map(|(place, &[promotion, updates])| {
        let promotion = u32::try_from(promotion).map_err(|_| nonsense(NUMBERS))?;
        let network = Arc::new(take(found, &format!("{NUMBERS}/{place}"), like)?);
        Ok((promotion, PlayerNetwork { network, updates }))
    });
    if numbers.len() > MAX_EARLIER || !rest.is_empty() || !numbers.is_sorted_by(|a, b| a[0] < b[0]) {
        return Err(nonsense(NUMBERS));
    }
    known_ones.collect()
}

/// Reads the network that the user opened from a file from the checkpoint tensors `found`; `None` if they contain no
/// such network.
///
/// # Errors
/// Same as [`take_earlier`].
pub(super) fn take_opened<G: TableGame>(found: &mut Tensors) -> Result<Option<PlayerNetwork<G>>, LabError> {
    if !found.contains(OPENED) {
        return Ok(None);
    }
    let [width, blocks] = numbers(found, OPENED)?[..] else { return Err(nonsense(OPENED)) };
    let given = json!({ "network": { "width": width, "blocks": blocks } });
    let of_opened = |error: LabError| LabError::checkpoint(format!("{OPENED}: {error}"));
    let size = schema::<G>().configure(&given).and_then(|config| read(&config)).map_err(of_opened)?.size();
    found.check_min_values(least_weights(size))?;
    let like = AlphaZeroNetwork::new(size, 0).map_err(|error| LabError::checkpoint(error.to_string()))?;
    Ok(Some(PlayerNetwork { network: Arc::new(take(found, OPENED, &like)?), updates: 0 }))
}

fn take<G: TableGame>(
    found: &mut Tensors,
    group: &str,
    like: &AlphaZeroNetwork<G>,
) -> Result<AlphaZeroNetwork<G>, LabError> {
    let models: Vec<_> = like.tensors(group).collect();
    let tensors = found.take_like(&models)?;
    let mut network = like.clone();
    let read = network.read(&SavedTensors(&tensors), group);
    read.map_err(|error| LabError::checkpoint(error.to_string()))?;
    Ok(network)
}

fn numbers(found: &mut Tensors, name: &str) -> Result<Vec<u64>, LabError> {
    match found.take(name)?.values {
        TensorData::U64(numbers) => Ok(numbers),
        _ => Err(nonsense(name)),
    }
}

fn nonsense(name: &str) -> LabError {
    LabError::checkpoint(format!("{name} has invalid values"))
}

//! Wiring: the two inputs of each gate, sampled once from the seed and never trained.

use vivarium_kernels::rng::Stream;

/// Wires of a layer: for every gate the indices of its inputs a and b in the previous layer.
pub type Layer = Vec<[u32; 2]>;

/// Number of cells of a 3×3 neighborhood. Positions are numbered 0 to 8, row by row.
pub const NEIGHBORHOOD: usize = 9;

/// Position of the cell itself in its 3×3 neighborhood.
pub const CENTER: usize = 4;

/// Returns the number of distinct input pairs over `inputs` values: the maximum number of gates of a layer.
#[must_use]
pub fn pairs(inputs: usize) -> usize {
    inputs * inputs.saturating_sub(1) / 2
}

/// Returns the wires of the first perceive layer: eight gates in random order, each with one neighbor (a) and the
/// center (b) as inputs.
#[must_use]
pub fn neighbors_and_center(stream: &mut Stream) -> Layer {
    let mut layer: Layer =
        (0..NEIGHBORHOOD).filter(|&cell| cell != CENTER).map(|cell| [cell as u32, CENTER as u32]).collect();
    stream.shuffle(&mut layer);
    layer
}

/// Returns the wires of a layer of `gates` gates over `inputs` values with distinct input pairs.
///
/// Takes the first `gates` pairs of the sequence (0, 1), (2, 3), …, (1, 2), (3, 4), …, all (i, i + 2), all (i, i + 3),
/// … and shuffles them. Every value is read if `gates` ≥ `inputs` / 2.
///
/// # Panics
/// If `gates` exceeds [`pairs`]`(inputs)`; [`Architecture::check`](crate::Architecture::check) rejects such layers.
#[must_use]
pub fn distinct_pairs(inputs: usize, gates: usize, stream: &mut Stream) -> Layer {
    assert!(gates <= pairs(inputs), "{gates} gates over {inputs} values cannot all read different pairs");
    let neighbors = |first: usize| (first..inputs.saturating_sub(1)).step_by(2).map(|i| (i, i + 1));
    let apart = (2..inputs).flat_map(|offset| (0..inputs - offset).map(move |i| (i, i + offset)));
    let all = neighbors(0).chain(neighbors(1)).chain(apart);
    let mut layer: Layer = all.take(gates).map(|(a, b)| [a as u32, b as u32]).collect();
    stream.shuffle(&mut layer);
    layer
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn pairs_are_distinct_and_read_all_values_if_possible() {
        for (inputs, gates) in [
            (17, 128),
            (128, 128),
            (264, 256),
            (256, 256),
            (640, 512),
            (576, 512),
            (8, 4),
            (8, 8),
            (2, 1),
            (5, 10),
        ] {
            let layer = distinct_pairs(inputs, gates, &mut Stream::new(7, 3));
            assert_eq!(layer.len(), gates);
            let unordered: BTreeSet<_> = layer.iter().map(|&[a, b]| (a.min(b), a.max(b))).collect();
            assert_eq!(unordered.len(), gates, "{inputs} → {gates}: a pair occurs twice");
            assert!(layer.iter().all(|&[a, b]| a != b && (a as usize) < inputs && (b as usize) < inputs));
            let read: BTreeSet<_> = layer.iter().flatten().collect();
            assert_eq!(read.len(), inputs.min(2 * gates), "{inputs} → {gates}: a value is not read");
        }
    }

    #[test]
    fn gate_order_depends_only_on_the_seed() {
        let of = |seed| distinct_pairs(64, 64, &mut Stream::new(seed, 0));
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        let sorted = |mut layer: Layer| {
            layer.sort_unstable();
            layer
        };
        assert_eq!(sorted(of(1)), sorted(of(2)));
    }

    #[test]
    fn first_layer_reads_each_neighbor_once() {
        let layer = neighbors_and_center(&mut Stream::new(5, 0));
        assert!(layer.iter().all(|&[_, b]| b as usize == CENTER));
        let read: BTreeSet<_> = layer.iter().map(|&[a, _]| a).collect();
        assert_eq!(read, [0, 1, 2, 3, 5, 6, 7, 8].into_iter().collect());
    }
}

//! Lookup tables of the soft automaton's kernels: layers, neighbors, wires and reader lists.

use super::layout::{LAYER_WORDS, LogicGpuLayout, NO_NEIGHBOR};
use crate::circuit::NEIGHBORHOOD;
use crate::layered_circuit::{GateLayer, LayeredCircuit};

/// Returns the lookup tables as words, in this order:
///
/// - per update layer: number of gates, first gate, number of inputs, offset of its reader lists;
/// - per neighborhood position and cell of a board: index of the neighbor, or [`NO_NEIGHBOR`];
/// - per update gate: input a in the low half of the word, input b in the high half;
/// - per update layer: reader lists. For each value of the previous layer the start offset of the list of gates that
///   read the value as input a, plus an end offset; the same for input b; then the lists.
pub(super) fn tables(layout: &LogicGpuLayout, program: &LayeredCircuit) -> Vec<u32> {
    let mut readers = Vec::new();
    let mut words = Vec::with_capacity(layout.readers_at());
    let first_gate = layout.perceive_gates;
    for layer in &program.update {
        let at = layout.readers_at() + readers.len();
        let (gates, first) = (layer.wires.len(), layer.gates.start - first_gate);
        words.extend([gates, first, layer.inputs, at].map(|number| number as u32));
        list_readers(&mut readers, at, layer);
    }
    debug_assert_eq!(words.len(), LAYER_WORDS * layout.layers);
    let one_board = crate::grid::Grid { boards: 1, ..layout.grid };
    for place in 0..NEIGHBORHOOD {
        words.extend((0..layout.padded()).map(|cell| {
            let inside = cell < one_board.cells();
            inside
                .then(|| one_board.neighbor(cell, place))
                .flatten()
                .map_or(NO_NEIGHBOR, |other| other as u32)
        }));
    }
    let wires = program.update.iter().flat_map(|layer| &layer.wires);
    words.extend(wires.map(|&[a, b]| a | b << 16));
    debug_assert_eq!(words.len(), layout.readers_at());
    words.extend(readers);
    words
}

/// Appends the reader lists of a layer to `words`: for each input value of the layer, the gates that read the value.
/// `at` is the word offset of these lists in the tables.
fn list_readers(words: &mut Vec<u32>, at: usize, layer: &GateLayer) {
    let starts = 2 * (layer.inputs + 1);
    let mut lists: Vec<u32> = Vec::with_capacity(2 * layer.wires.len());
    for side in 0..2 {
        let mut gates: Vec<usize> = (0..layer.wires.len()).collect();
        gates.sort_by_key(|&gate| layer.wires[gate][side]);
        let mut done = 0;
        for value in 0..=layer.inputs {
            while done < gates.len() && (layer.wires[gates[done]][side] as usize) < value {
                lists.push(gates[done] as u32);
                done += 1;
            }
            words.push((at + starts + lists.len()) as u32);
        }
    }
    words.extend(lists);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reader_lists_contain_every_gate_for_both_inputs() {
        let layer = GateLayer { inputs: 4, wires: vec![[2, 0], [0, 3], [2, 3]], gates: 5..8 };
        let (mut words, at) = (Vec::new(), 100);
        list_readers(&mut words, at, &layer);
        for side in 0..2 {
            for value in 0..4 {
                let start = side * 5 + value;
                let list = words[start] as usize - at..words[start + 1] as usize - at;
                let expected: Vec<u32> =
                    (0..3).filter(|&gate| layer.wires[gate as usize][side] == value as u32).collect();
                assert_eq!(words[list], expected, "value {value}, side {side}");
            }
        }
    }
}

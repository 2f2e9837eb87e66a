//! Tests of the gradient of embedding tables against sums in f64.

use crate::adapter;
use crate::numbers::{OperandBuffer, assert_close, numbers, run};
use vivarium_gpu::ops::{EmbeddingGradientArgs, GradientSlicesView, embedding_gradient};
use vivarium_gpu::{GpuRecorder, floats};

/// Function that returns the index, an entry of the embedding table, at the position `place` of the index input.
/// Indices are whole numbers stored as f32.
type Pick = fn(place: usize, entries: usize) -> f32;

const SCATTERED: Pick = |place, entries| ((place * 7919 + place / 3) % entries) as f32;
/// Index pattern in which every index selects the third table entry, or the last entry of a smaller table.
const ONE: Pick = |_, entries| (entries - 1).min(2) as f32;
/// Index pattern that selects few table entries often and most entries never.
const UNEVEN: Pick = |place, entries| (place % 1000 * (place % 7) % 91 % entries) as f32;
/// Index pattern with indices in the range of the table, below the range and above it.
const BEYOND: Pick = |place, entries| (place % (entries + 9)) as f32 - 4.0;

/// Test case of the gradient of an embedding table: (\[rows, indices per row, table entries, columns\], number of
/// gradient slices).
type Case = ([usize; 4], usize);

/// Compares the gradient of an embedding table with a sum in f64, and asserts that repeated runs are bitwise equal.
fn check(what: &str, ([rows, each, entries, width], count): Case, pick: Pick, accumulate: bool) {
    let gpu = adapter::gpu();
    let case = format!("{what}: {rows} rows of {each} indices, {entries} entries of {width}, {count} slices");
    let indices: Vec<f32> = (0..rows * each).map(|place| pick(place, entries)).collect();
    let dy = numbers(1, rows * width);
    let before = numbers(2, entries * width);
    let (mut arena, mut tables) = (OperandBuffer::default(), OperandBuffer::default());
    let gradient = EmbeddingGradientArgs {
        rows,
        each,
        entries,
        width,
        index: arena.place(&indices, 3),
        dy: arena.place(&dy, 1),
        accumulate,
        table: 0,
    };
    let places: Vec<usize> = (0..count)
        .map(|_| match accumulate {
            true => {
                let place = tables.place(&before, 2);
                tables.may_change(place, before.len());
                place
            }
            false => tables.reserve(entries * width, 2),
        })
        .collect();
    let values = arena.upload(gpu, "arena");
    let once = || {
        let gradients = tables.clone().upload(gpu, "gradients");
        let stride = if count > 1 { places[1] - places[0] } else { gradients.len() };
        let slices = GradientSlicesView { buffer: &gradients, count, stride };
        let gradient = EmbeddingGradientArgs { table: places[0], ..gradient };
        run(gpu, |recorder| embedding_gradient(recorder, &values, &slices, &gradient));
        tables.read(gpu, &gradients, &case)
    };
    let found = once();
    let mut expected = vec![(0.0, 1e-30); entries * width];
    let mut add = |at: usize, number: f32| {
        expected[at].0 += f64::from(number);
        expected[at].1 += 2e-6 * f64::from(number.abs());
    };
    for (place, index) in indices.iter().enumerate() {
        let entry = index.clamp(0.0, (entries - 1) as f32) as usize;
        (0..width).for_each(|j| add(entry * width + j, dy[place / each * width + j]));
    }
    if accumulate {
        (0..count).for_each(|_| before.iter().enumerate().for_each(|(at, &number)| add(at, number)));
    }
    let sums: Vec<f64> = (0..entries * width)
        .map(|at| places.iter().map(|place| f64::from(found[place + at])).sum())
        .collect();
    let sums: Vec<f32> = sums.into_iter().map(|sum| sum as f32).collect();
    assert_close(&case, &sums, &expected);
    let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    (0..3).for_each(|_| assert!(bits(&once()) == bits(&found), "{case}: not the same again"));
}

/// Tested sizes of embedding tables: a single number, less than a block of indices, odd sizes, several blocks, and more
/// columns than a workgroup has invocations.
const CASES: [Case; 8] = [
    ([1, 1, 1, 1], 1),
    ([1, 1, 700, 5], 1),
    ([5, 3, 7, 24], 2),
    ([257, 1, 300, 64], 3),
    ([1025, 1, 50, 65], 1),
    ([333, 21, 1001, 20], 1),
    ([2100, 2, 4, 17], 4),
    ([90, 2, 40, 300], 2),
];

#[test]
fn each_entry_sums_the_gradients_of_its_lines() {
    for case in CASES {
        check("scattered", case, SCATTERED, false);
        check("uneven", case, UNEVEN, false);
        check("one entry", case, ONE, false);
        check("out of range", case, BEYOND, false);
    }
}

#[test]
fn the_result_is_added_to_existing_values() {
    for case in CASES {
        check("added", case, SCATTERED, true);
    }
}

#[test]
fn more_indices_than_blocks_would_hold_in_their_usual_size() {
    check("many", ([5000, 21, 600, 4], 2), SCATTERED, false);
    check("many of one", ([5000, 21, 600, 4], 1), ONE, false);
}

#[test]
fn without_rows_a_table_gradient_is_zero() {
    check("none", ([0, 3, 20, 6], 2), ONE, false);
}

#[test]
fn the_second_run_of_a_program_restarts() {
    let gpu = adapter::gpu();
    let (entries, width, rows) = (9, 4, 700);
    let arena: Vec<f32> =
        (0..rows).map(|row| (row % entries) as f32).chain(numbers(1, rows * width)).collect();
    let [arena, table] =
        [arena, vec![0.0; entries * width]].map(|words| gpu.upload("words", &words).unwrap());
    let slices = GradientSlicesView { buffer: &table, count: 1, stride: entries * width };
    let gradient = EmbeddingGradientArgs { rows, each: 1, entries, width, dy: rows, ..Default::default() };
    let mut recorder = GpuRecorder::new(gpu);
    embedding_gradient(&mut recorder, &arena, &slices, &gradient).unwrap();
    let program = recorder.finish().unwrap();
    let read = || floats(&gpu.read_blocking(&table, 0..entries * width).unwrap()).to_vec();
    gpu.submit(|encoder| encoder.run(&program)).unwrap();
    let first = read();
    gpu.submit(|encoder| encoder.repeat(&program, 5)).unwrap();
    assert!(first.iter().any(|&sum| sum != 0.0) && read() == first);
}

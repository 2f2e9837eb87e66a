//! Tests of random numbers: scalar and SIMD generators agree, and numbers have the documented distributions.

use crate::common::at_every_level;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use vivarium_kernels::rng::{self, Permutation, Stream};

#[test]
fn a_slice_holds_the_numbers_of_its_steps() {
    for len in [0, 1, 2, 31, 32, 33, 200] {
        at_every_level(|level| {
            let mut got = vec![f32::NAN; len];
            rng::fill_uniform(level, 5, 9, 100, &mut got);
            for (i, &got) in got.iter().enumerate() {
                assert_eq!(got, rng::uniform(rng::block(5, 9, 100 + i as u32 / 2)[i % 2]));
            }
            rng::fill_normal(level, 5, 9, 100, &mut got);
            for (i, &got) in got.iter().enumerate() {
                let expected = rng::normal(rng::block(5, 9, 100 + i as u32 / 2))[i % 2];
                assert!(
                    (got - expected).abs() < 2e-6 * expected.abs().max(1.0),
                    "{i}: {got}, not {expected}"
                );
            }
        });
    }
}

/// Returns the mean and the second to fourth central moments of `numbers`.
fn moments(numbers: &[f32]) -> [f64; 4] {
    let n = numbers.len() as f64;
    let mean = numbers.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
    let central = |power| numbers.iter().map(|&x| (f64::from(x) - mean).powi(power)).sum::<f64>() / n;
    [mean, central(2), central(3), central(4)]
}

#[test]
fn moments_agree_with_the_distribution() {
    // Five standard errors of each moment, for a million numbers.
    let mut numbers = vec![0.0; 1_000_000];
    rng::fill_uniform(vivarium_kernels::simd::level(), 1, 2, 3, &mut numbers);
    assert!(numbers.iter().all(|&x| (0.0..1.0).contains(&x)));
    let [mean, variance, third, fourth] = moments(&numbers);
    assert!((mean - 0.5).abs() < 1.5e-3, "{mean}");
    assert!((variance - 1.0 / 12.0).abs() < 4e-4, "{variance}");
    assert!(third.abs() < 3e-4, "{third}");
    assert!((fourth - 0.0125).abs() < 1e-4, "{fourth}");

    rng::fill_normal(vivarium_kernels::simd::level(), 1, 2, 3, &mut numbers);
    let [mean, variance, third, fourth] = moments(&numbers);
    assert!(mean.abs() < 5e-3, "{mean}");
    assert!((variance - 1.0).abs() < 7.1e-3, "{variance}");
    assert!(third.abs() < 2e-2, "{third}");
    assert!((fourth - 3.0).abs() < 5e-2, "{fourth}");
}

#[test]
fn neighboring_streams_steps_and_seeds_are_unrelated() {
    let bits = |block: [u32; 2]| u64::from(block[0]) << 32 | u64::from(block[1]);
    let mut flips = [0u32; 3];
    let count = 10_000;
    for i in 0..count {
        let here = bits(rng::block(i, 3, 4));
        let neighbors = [bits(rng::block(i + 1, 3, 4)), bits(rng::block(i, 4, 4)), bits(rng::block(i, 3, 5))];
        for (flips, neighbor) in flips.iter_mut().zip(neighbors) {
            *flips += (here ^ neighbor).count_ones();
        }
    }
    for flips in flips {
        // The expected number of flipped bits is 32 of 64. The tolerance is five standard errors; the variance of each
        // bit is ¼.
        let mean = f64::from(flips) / count as f64;
        assert!((mean - 32.0).abs() < 5.0 * (16.0 / count as f64).sqrt(), "{mean}");
    }
}

#[test]
fn a_stream_can_be_continued_from_its_position() {
    let mut stream = Stream::new(7, 1);
    stream.next_block();
    let mut copy = Stream { seed: stream.seed, stream: stream.stream, step: stream.step };
    assert_eq!(stream.next_block(), copy.next_block());
}

#[test]
fn draws_are_uniform_and_shuffles_are_permutations() {
    let mut stream = Stream::new(11, 0);
    let mut counts = [0; 6];
    for _ in 0..60_000 {
        counts[stream.below(6) as usize] += 1;
    }
    // Five standard deviations of a count.
    assert!(counts.iter().all(|&count: &i32| (count - 10_000).abs() < 457), "{counts:?}");

    let mut items: Vec<u32> = (0..1000).collect();
    stream.shuffle(&mut items);
    let fixed = items.iter().enumerate().filter(|&(i, &item)| i as u32 == item).count();
    assert!(fixed < 10, "{fixed} of a thousand stayed in place");
    items.sort_unstable();
    assert!(items.into_iter().eq(0..1000));
}

#[test]
fn derived_seeds_differ() {
    let seeds: Vec<u64> =
        (0..100).map(|purpose| rng::derive(1, purpose)).chain([1, rng::derive(2, 0)]).collect();
    let distinct: std::collections::HashSet<u64> = seeds.iter().copied().collect();
    assert_eq!(distinct.len(), seeds.len());
}

fn permuted(seed: u64, stream: u32, count: usize) -> Vec<u32> {
    let permutation = Permutation::new(seed, stream, count);
    (0..count as u32).map(|place| permutation.at(place)).collect()
}

#[test]
fn a_permutation_holds_every_number_once() {
    let sizes = (1..=70).chain([100, 127, 128, 129, 1000, 1023, 1024, 1025, 8192, 32_768, 99_991, 100_489]);
    for count in sizes {
        for stream in 0..3 {
            let mut numbers = permuted(5, stream, count);
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..count as u32), "{count}");
        }
    }
}

#[test]
fn a_permutation_is_equal_at_every_level_and_from_every_offset() {
    for count in [1, 2, 3, 17, 64, 1000, 8191, 8192, 70_001] {
        let expected = permuted(9, 4, count);
        at_every_level(|level| {
            for first in [0, count / 3, count - 1] {
                let mut numbers = vec![u32::MAX; count - first];
                Permutation::new(9, 4, count).fill(level, first as u32, &mut numbers);
                assert_eq!(numbers, expected[first..], "{count} from {first}");
            }
        });
    }
    // Largest permutation: its numbers have 24 bits.
    let count = rng::MAX_PERMUTATION;
    let permutation = Permutation::new(3, 1, count);
    let first = count - 5000;
    let expected: Vec<u32> = (first..count).map(|place| permutation.at(place as u32)).collect();
    at_every_level(|level| {
        let mut numbers = vec![0; count - first];
        permutation.fill(level, first as u32, &mut numbers);
        assert_eq!(numbers, expected);
    });
}

/// Returns Pearson's χ² statistic of `counts` for equal probabilities, as standard deviations from its mean.
fn chi_squared(counts: &[u32]) -> f64 {
    let mean = counts.iter().map(|&count| f64::from(count)).sum::<f64>() / counts.len() as f64;
    let sum: f64 = counts.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum();
    let freedom = counts.len() as f64 - 1.0;
    (sum - freedom) / (2.0 * freedom).sqrt()
}

#[test]
fn images_and_pairs_of_images_are_uniform() {
    for count in [2usize, 3, 4, 5, 10, 17, 32, 64, 71] {
        let mut places = vec![0; count * count];
        let pairs_of = count * (count - 1);
        let mut pairs = vec![0; pairs_of * 2];
        for stream in 0..100_000 {
            let numbers = permuted(77, stream, count);
            for (place, &number) in numbers.iter().enumerate() {
                places[place * count + number as usize] += 1;
            }
            // Pairs of neighboring places, and the pair of the first and the last place.
            for (list, (a, b)) in [(0, 1), (0, count - 1)].into_iter().enumerate() {
                let (a, b) = (numbers[a] as usize, numbers[b] as usize);
                pairs[list * pairs_of + a * (count - 1) + b - usize::from(b > a)] += 1;
            }
        }
        for row in places.chunks_exact(count) {
            assert!(chi_squared(row) < 6.0, "{count} numbers: {}", chi_squared(row));
        }
        for list in pairs.chunks_exact(pairs_of) {
            assert!(chi_squared(list) < 6.0, "pairs of {count} numbers: {}", chi_squared(list));
        }
    }
}

#[test]
fn a_long_permutation_separates_neighbors() {
    const COUNT: usize = 8192;
    const GROUPS: usize = 16;
    let (mut distances, mut groups, mut fixed) = ([0; GROUPS], [0; GROUPS * GROUPS], 0);
    for stream in 0..50 {
        let numbers = permuted(1, stream, COUNT);
        for pair in numbers.windows(2) {
            let distance = (pair[1] + COUNT as u32 - pair[0]) % COUNT as u32;
            distances[distance as usize * GROUPS / COUNT] += 1;
        }
        for (place, &number) in numbers.iter().enumerate() {
            groups[place * GROUPS / COUNT * GROUPS + number as usize * GROUPS / COUNT] += 1;
            fixed += u32::from(number as usize == place);
        }
    }
    assert!(chi_squared(&distances).abs() < 6.0, "{distances:?}");
    assert!(chi_squared(&groups) < 6.0, "{groups:?}");
    // A random permutation has one fixed point on average, with variance 1.
    assert!((f64::from(fixed) / 50.0 - 1.0).abs() < 5.0 / 50f64.sqrt(), "{fixed}");
}

/// Compares permutations with stored results, so that every engine computes the same permutation.
#[test]
fn permutations_agree_with_the_known_answers() {
    assert_eq!(permuted(1, 2, 10), [9, 7, 0, 1, 3, 6, 2, 4, 5, 8]);
    let permutation = Permutation::new(0x0123_4567_89ab_cdef, 7, 1_000_003);
    let numbers: Vec<u32> = [0, 1, 2, 500_000, 1_000_002].map(|place| permutation.at(place)).into();
    assert_eq!(numbers, [504202, 424563, 88431, 30859, 691583]);
}

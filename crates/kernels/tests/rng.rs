//! Random numbers: that they are the same however they are drawn, and distributed as they say.

mod common;
use common::at_every_level;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use vivarium_kernels::rng::{self, Stream};

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

/// Mean, variance, and the third and fourth moment of a million numbers.
fn moments(numbers: &[f32]) -> [f64; 4] {
    let n = numbers.len() as f64;
    let mean = numbers.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
    let central = |power| numbers.iter().map(|&x| (f64::from(x) - mean).powi(power)).sum::<f64>() / n;
    [mean, central(2), central(3), central(4)]
}

#[test]
fn moments_are_those_of_the_distribution() {
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
fn neighbouring_streams_steps_and_seeds_are_unrelated() {
    let bits = |block: [u32; 2]| u64::from(block[0]) << 32 | u64::from(block[1]);
    let mut flips = [0u32; 3];
    let count = 10_000;
    for i in 0..count {
        let here = bits(rng::block(i, 3, 4));
        let neighbours =
            [bits(rng::block(i + 1, 3, 4)), bits(rng::block(i, 4, 4)), bits(rng::block(i, 3, 5))];
        for (flips, neighbour) in flips.iter_mut().zip(neighbours) {
            *flips += (here ^ neighbour).count_ones();
        }
    }
    for flips in flips {
        // Half of 64 bits, five standard errors (each bit flips with variance ¼).
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
fn choices_are_even_and_shuffles_keep_everything() {
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

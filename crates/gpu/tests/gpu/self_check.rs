//! Tests of the self-check, which compares a few kernels with the CPU before a device is used.

use crate::adapter;
use vivarium_gpu::{describe_failures, self_check};

#[test]
fn a_right_device_agrees_with_the_cpu() {
    let gpu = adapter::open();
    let checked = pollster::block_on(self_check(&gpu)).unwrap();
    for one in &checked {
        println!("{one}");
    }
    assert_eq!(describe_failures(&checked), None);
    // Each check compared numbers: rounding differs in most of them, and names are unique.
    let mut names: Vec<&str> = checked.iter().map(|one| one.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), checked.len());
    assert!(
        checked.len() > 10 && checked.iter().filter(|one| one.worst_error > 0.0).count() > 5,
        "{checked:?}"
    );

    let compiled = gpu.kernels_compiled();
    assert!(compiled < 45, "{compiled} kernels to compile at start");
    pollster::block_on(self_check(&gpu)).unwrap();
    assert_eq!(gpu.kernels_compiled(), compiled);
}

#[test]
fn a_lost_device_is_an_error() {
    let gpu = adapter::open();
    gpu.destroy();
    assert!(pollster::block_on(self_check(&gpu)).is_err());
}

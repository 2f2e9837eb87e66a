//! Learning keeps no more memory after its first epoch, and allocates little: what the hard automaton's gates are
//! compiled in, which change from epoch to epoch. In a test binary of its own, for it counts every allocation of the process.
#![cfg(not(target_arch = "wasm32"))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use vivarium_graph::Cpu;
use vivarium_logic_ca::{LogicCa, LogicConfig, Preset};

/// The system's allocator, counting.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is the system allocator's own; counting touches no memory of theirs.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(size, Ordering::Relaxed);
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test, for two would count each other's allocations.
#[test]
fn epochs_allocate_little_and_keep_nothing() {
    let small = |preset| LogicConfig {
        width: 10,
        height: 10,
        steps: 3,
        update: vec![150, 80, 40, 20, 10, 8],
        ..LogicConfig::of(preset)
    };
    for threads in [1, 2] {
        let cpu = Cpu::new(threads);
        for config in
            [small(Preset::Checkerboard), small(Preset::CheckerboardAsync), LogicConfig::of(Preset::Life)]
        {
            let mut learner = LogicCa::new(config, 1).expect("the config is allowed");
            // Inside the pool: entering it from outside may cost rayon a block of its queue now and then.
            let (kept, most) = cpu.install(|| {
                for _ in 0..5 {
                    learner.learn(&cpu).expect("the loss is finite");
                }
                let (mut kept, mut most) = (0, 0);
                for _ in 0..10 {
                    let before = [&ALLOCATIONS, &BYTES].map(|count| count.load(Ordering::Relaxed));
                    learner.learn(&cpu).expect("the loss is finite");
                    let after = [&ALLOCATIONS, &BYTES].map(|count| count.load(Ordering::Relaxed));
                    most = most.max(after[0] - before[0]);
                    kept = after[1] as isize - before[1] as isize;
                }
                (kept, most)
            });
            // The code of one epoch may be longer than that of another.
            assert!(kept.abs() < 4096, "{kept} bytes kept by an epoch on {threads} threads");
            assert!(most < 100, "{most} allocations in an epoch on {threads} threads");
        }
    }
}

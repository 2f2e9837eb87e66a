//! A simulation allocates nothing, nor does going on to the next state. In a test binary of its own, for it
//! counts every allocation of the process.
#![cfg(not(target_arch = "wasm32"))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use vivarium_envs::backgammon::State;
use vivarium_mcts::{Batch, Even, Limits, Puct, Tree};

/// The system's allocator, counting.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is the system allocator's own; counting touches no memory of theirs.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test, for two would count each other's allocations.
#[test]
fn searching_allocates_nothing() {
    let tree = || Tree::new(State::START, Puct::default(), Limits::default()).unwrap();
    let mut trees = [tree(), tree(), tree()];
    let mut batch = Batch::new(6);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let mut made = 0;
    for _ in 0..20 {
        made += batch.search(&mut trees, &mut Even, 100);
        for tree in &mut trees {
            let branch = tree.most_visited().unwrap();
            tree.advance(branch).unwrap();
        }
    }
    let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert_eq!((made, allocated), (6000, 0));
}

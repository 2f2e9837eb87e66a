//! Plays and actions are generated, and games followed, without allocation. In a test binary of its own, for
//! it counts every allocation of the process.
#![cfg(not(target_arch = "wasm32"))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use vivarium_envs::backgammon::{Actions, Dice, Plays, State};

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
fn games_are_played_without_allocation() {
    let (mut plays, mut actions) = (Plays::new(), Actions::new());
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let mut decisions = 0;
    for game in 0..100 {
        let dice = Dice { seed: 3, game };
        let mut state = State::START.rolled(dice.opening().1);
        let mut turn = 0;
        while state.outcome().is_none() {
            if state.chances().next().is_some() {
                turn += 1;
                let roll = dice.roll(turn);
                plays.generate(&state.position, roll);
                assert!(!plays.is_empty());
                state = state.rolled(roll);
            } else {
                state.actions(&mut actions);
                state = state.after(actions[state.hash() as usize % actions.len()]);
                decisions += 1;
            }
        }
    }
    let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert!(decisions > 1000);
    assert_eq!(allocated, 0, "allocations in {decisions} decisions");
}

//! The CPU engine's threads.

use rayon::{ThreadPool, ThreadPoolBuilder};
use vivarium_kernels::{Level, simd};

/// The CPU engine: a SIMD level and a number of threads.
///
/// It is parallel over the batch, not inside an operation: a worker takes a group of rows through the whole plan, chunk by
/// chunk, in its own cache. How rows are cut into groups, and the order in which the groups' gradients are added up,
/// follow from the plan and the number of rows alone, so that the result is the same for any number of threads.
///
/// The first run of a plan makes room in the [`Workspaces`]; after that, running allocates nothing. With several threads
/// rayon may: a block of its queue for every 60 or so calls from outside the pool, none for calls inside
/// [`Cpu::install`].
#[derive(Debug)]
pub struct Cpu {
    level: Level,
    threads: usize,
    pool: Option<ThreadPool>,
}

impl Cpu {
    /// An engine with this many threads (at least one), at the best SIMD level of this machine.
    ///
    /// In the browser the threads are those of rayon's global pool, which the page's worker sets up before. Where no
    /// threads can be had, it works with one.
    pub fn new(threads: usize) -> Self {
        let level = simd::level();
        if threads <= 1 {
            return Self { level, threads: 1, pool: None };
        }
        if cfg!(target_family = "wasm") {
            return Self { level, threads, pool: None };
        }
        let named = |index| format!("vivarium-{index}");
        match ThreadPoolBuilder::new().num_threads(threads).thread_name(named).build() {
            Ok(pool) => Self { level, threads, pool: Some(pool) },
            Err(_) => Self { level, threads: 1, pool: None },
        }
    }

    /// The SIMD level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// How many threads work.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs `work` on one of the engine's threads, so that what it starts there need not wake the others each time.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Does both, each on whichever thread is free.
    pub fn join<A: Send, B: Send>(
        &self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if self.threads == 1 { (first(), second()) } else { self.install(|| rayon::join(first, second)) }
    }

    /// Calls `work` with every item and its index, spread over the threads; returns when all are done.
    pub fn for_each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        if self.threads == 1 || items.len() <= 1 {
            items.iter_mut().enumerate().for_each(|(index, item)| work(index, item));
        } else {
            self.install(|| for_each_split(items, 0, &work));
        }
    }
}

/// Calls `work` with every item, by halves, each half on whichever thread is free.
fn for_each_split<T: Send>(items: &mut [T], first: usize, work: &(impl Fn(usize, &mut T) + Sync)) {
    if let [item] = items {
        return work(first, item);
    }
    let half = items.len() / 2;
    let (front, back) = items.split_at_mut(half);
    rayon::join(|| for_each_split(front, first, work), || for_each_split(back, first + half, work));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_visited_once_with_its_index() {
        for threads in [0, 1, 2, 5] {
            let cpu = Cpu::new(threads);
            assert_eq!(cpu.threads(), threads.max(1));
            for len in [0, 1, 2, 7, 100] {
                let mut items = vec![0; len];
                cpu.for_each(&mut items, |index, item| *item += index + 1);
                assert!(items.iter().enumerate().all(|(index, &item)| item == index + 1), "{items:?}");
            }
        }
    }
}

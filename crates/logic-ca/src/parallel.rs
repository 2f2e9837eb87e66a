//! Allocation-free parallel loops over parts of slices.

use vivarium_graph::Cpu;

/// A slice divided into parts of `len` items; the last part may be shorter.
pub struct Parts<'a, T> {
    /// All items of the slice.
    pub items: &'a mut [T],
    /// Number of items per part.
    pub len: usize,
}

impl<'a, T> Parts<'a, T> {
    /// Splits the slice into the first `count` parts and the remaining parts.
    fn split(self, count: usize) -> (Self, Self) {
        let middle = (count * self.len).min(self.items.len());
        let (front, back) = self.items.split_at_mut(middle);
        (Parts { items: front, len: self.len }, Parts { items: back, len: self.len })
    }
}

/// Calls `work(i, part i of first, part i of second)` for every i below `count`, in parallel on the threads of `cpu`.
pub fn for_each_part<A: Send, B: Send>(
    cpu: &Cpu,
    count: usize,
    first: Parts<'_, A>,
    second: Parts<'_, B>,
    work: &(impl Fn(usize, &mut [A], &mut [B]) + Sync),
) {
    if cpu.threads() == 1 || count <= 1 {
        halves(false, 0, count, first, second, work);
    } else {
        cpu.install(|| halves(true, 0, count, first, second, work));
    }
}

fn halves<A: Send, B: Send>(
    parallel: bool,
    from: usize,
    count: usize,
    first: Parts<'_, A>,
    second: Parts<'_, B>,
    work: &(impl Fn(usize, &mut [A], &mut [B]) + Sync),
) {
    match count {
        0 => {}
        1 => work(from, first.items, second.items),
        _ => {
            let half = count / 2;
            let ((first, first_back), (second, second_back)) = (first.split(half), second.split(half));
            let front = || halves(parallel, from, half, first, second, work);
            let back = || halves(parallel, from + half, count - half, first_back, second_back, work);
            if parallel {
                rayon::join(front, back);
            } else {
                front();
                back();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_visited_once() {
        for threads in [1, 2, 3] {
            let cpu = Cpu::new(threads);
            for count in [0, 1, 2, 7, 16] {
                let mut numbers = vec![0; (count * 3usize).saturating_sub(1)];
                let mut marks = vec![0; count];
                let parts = Parts { items: &mut numbers, len: 3 };
                for_each_part(
                    &cpu,
                    count,
                    parts,
                    Parts { items: &mut marks, len: 1 },
                    &|part, numbers, marks| {
                        numbers.iter_mut().for_each(|number| *number += part + 1);
                        marks[0] += 1;
                    },
                );
                assert!(numbers.iter().enumerate().all(|(i, &number)| number == i / 3 + 1));
                assert!(marks.iter().all(|&mark| mark == 1));
            }
        }
    }
}

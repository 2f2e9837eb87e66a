//! Division of work among threads.

use rayon::join;

use crate::cpu::Cpu;

/// A sequence of parts that [`Cpu::for_each_part`] divides among threads.
///
/// Rayon's own parallel iterators need a thread pool even for one thread; wasm modules without threads have none. They
/// also cannot express parts of different lengths in several slices.
pub trait Divisible: Sized + Send {
    /// Returns the number of parts in the sequence.
    fn count(&self) -> usize;

    /// Splits the sequence into the first `count` parts and the remaining ones. Does not allocate.
    fn split_at(self, count: usize) -> (Self, Self);
}

/// A slice is divided into its elements: each part is one element.
impl<T: Send> Divisible for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }
}

/// A slice is divided into its elements: each part is one element.
impl<T: Sync> Divisible for &[T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        <[T]>::split_at(self, count)
    }
}

/// A slice that is divided into chunks of `len` elements: each part is one chunk. The last chunk may be shorter.
#[derive(Debug)]
pub struct Chunks<S> {
    /// Elements of all chunks. [`Cpu::for_each_part`] passes the elements of one chunk to each call.
    pub slice: S,
    /// Number of elements in a chunk of the slice; the last chunk may be shorter.
    pub len: usize,
}

impl<S: Divisible> Divisible for Chunks<S> {
    fn count(&self) -> usize {
        self.slice.count().div_ceil(self.len)
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        let middle = (count * self.len).min(self.slice.count());
        let (front, back) = self.slice.split_at(middle);
        (Self { slice: front, ..self }, Self { slice: back, ..self })
    }
}

/// A pair of sequences with the same number of parts: part i is the pair of both parts i.
impl<A: Divisible, B: Divisible> Divisible for (A, B) {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        let (front, back) = self.0.split_at(count);
        let (other_front, other_back) = self.1.split_at(count);
        ((front, other_front), (back, other_back))
    }
}

/// `N` sequences that are divided together: part i is the array of part i of each sequence. All sequences have the same
/// number of parts.
impl<D: Divisible, const N: usize> Divisible for [D; N] {
    fn count(&self) -> usize {
        self.first().map_or(0, D::count)
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        let mut halves = self.map(|parts| Some(parts.split_at(count)));
        let mut backs: [Option<D>; N] = std::array::from_fn(|_| None);
        let fronts = std::array::from_fn(|index| {
            let (front, back) = halves[index].take().expect("each half is taken once");
            backs[index] = Some(back);
            front
        });
        (fronts, backs.map(|back| back.expect("each sequence was split")))
    }
}

impl Cpu {
    /// Calls `work` with the index and the content of each part, in parallel, and returns when all calls have returned.
    /// The sequence is divided by recursive halving, which does not allocate.
    pub fn for_each_part<D: Divisible>(&self, parts: D, work: impl Fn(usize, D) + Sync) {
        if self.threads() == 1 || parts.count() <= 1 {
            halve(false, 0, parts, &work);
        } else {
            self.install(|| halve(true, 0, parts, &work));
        }
    }

    /// Calls `work` with each item and its index, in parallel, and returns when all calls have returned.
    pub fn for_each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        self.for_each_part(items, |index, item| work(index, &mut item[0]));
    }
}

fn halve<D: Divisible>(parallel: bool, first: usize, parts: D, work: &(impl Fn(usize, D) + Sync)) {
    match parts.count() {
        0 => {}
        1 => work(first, parts),
        count => {
            let half = count / 2;
            let (front, back) = parts.split_at(half);
            let (front, back) =
                (|| halve(parallel, first, front, work), || halve(parallel, first + half, back, work));
            if parallel {
                join(front, back);
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
    fn every_part_is_visited_once_with_its_index() {
        for threads in [0, 1, 2, 5] {
            let cpu = Cpu::new(threads);
            assert_eq!(cpu.threads(), threads.max(1));
            for count in [0, 1, 2, 7, 100] {
                let mut items = vec![0; count];
                cpu.for_each(&mut items, |index, item| *item += index + 1);
                assert!(items.iter().enumerate().all(|(index, &item)| item == index + 1), "{items:?}");

                // Chunks of three beside single elements; the last chunk is shorter.
                let mut numbers = vec![0; (3 * count).saturating_sub(1)];
                let mut marks = vec![0; count];
                let parts = (Chunks { slice: &mut numbers[..], len: 3 }, &mut marks[..]);
                cpu.for_each_part(parts, |index, (numbers, marks)| {
                    numbers.slice.iter_mut().for_each(|number| *number += index + 1);
                    marks[0] += 1;
                });
                assert!(numbers.iter().enumerate().all(|(i, &number)| number == i / 3 + 1));
                assert!(marks.iter().all(|&mark| mark == 1));

                let mut columns = [vec![0; count], vec![0; count]];
                cpu.for_each_part(columns.each_mut().map(|column| &mut column[..]), |index, [a, b]| {
                    (a[0], b[0]) = (a[0] + index, b[0] + 2 * index);
                });
                let [a, b] = columns;
                assert!((0..count).all(|index| (a[index], b[index]) == (index, 2 * index)));
            }
        }
    }
}

//! Division of a batch into row groups, the units of parallel work. The division does not depend on the number of
//! threads.

use std::ops::Range;

use vivarium_kernels::AlignedVec;

use crate::call::PlanRun;
use crate::divide::Divisible;
use crate::plan::Plan;
use crate::shape::Shape;
use crate::workspaces::Workspaces;

/// Maximum number of outputs of an execution plan that runs on several threads.
const MAX_OUTPUTS: usize = 16;

/// Output slices for a range of batch rows: one slice for each output of the plan, then empty slices. The array has a
/// fixed size, because execution must not allocate.
pub(crate) type OutputSlots<'a> = [&'a mut [f32]; MAX_OUTPUTS];

/// Returns the output buffers of a run, each cut to the number of rows in `groups`.
pub(crate) fn split_outputs<'a>(
    run: &PlanRun<'_>,
    groups: RowGroups,
    outputs: &'a mut [&mut [f32]],
) -> OutputSlots<'a> {
    assert!(outputs.len() <= MAX_OUTPUTS, "a plan on several threads has at most {MAX_OUTPUTS} outputs");
    let mut slots = OutputSlots::default();
    let sizes = run.plan.outputs().iter().map(Shape::size);
    for ((slot, output), size) in slots.iter_mut().zip(outputs).zip(sizes) {
        *slot = &mut output[..groups.rows * size];
    }
    slots
}

/// Division of the rows of a batch into groups. Each group consists of whole blocks of `block_rows` rows; the last block
/// may have fewer rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowGroups {
    rows: usize,
    block_rows: usize,
    pub(crate) count: usize,
}

impl RowGroups {
    /// Divides a batch for a gradient into at most `most` groups. A block is a chunk, the rows that a thread processes at
    /// a time, because the order in which gradients are summed depends on the chunks.
    pub(crate) fn of_gradient(plan: &Plan, rows: usize, most: usize) -> Self {
        Self::new(rows, plan.chunk_rows(), most)
    }

    /// Divides a batch for a forward pass on `threads` threads into at most `most` groups. The result of a row does not
    /// depend on the rows beside it. So a block is as small as pays for another thread, and one thread computes the batch
    /// as one group.
    pub(crate) fn of_forward_pass(plan: &Plan, rows: usize, threads: usize, most: usize) -> Self {
        let most = if threads == 1 { 1 } else { most };
        Self::new(rows, plan.parallel_rows().min(plan.chunk_rows()), most)
    }

    fn new(rows: usize, block_rows: usize, most: usize) -> Self {
        Self { rows, block_rows, count: rows.div_ceil(block_rows).min(most) }
    }

    /// Returns the batch row at which the row group `group` starts. For `group` = `count`, returns the number of rows
    /// of the batch.
    fn start(&self, group: usize) -> usize {
        let blocks = self.rows.div_ceil(self.block_rows);
        (blocks * group / self.count.max(1) * self.block_rows).min(self.rows)
    }

    /// Returns the batch rows of slice number `slice` (from 0) of a gradient that is computed in several calls, and
    /// whether this slice is the last. A slice contains at most one chunk (block of rows) for each of `threads`
    /// threads.
    pub(crate) fn part(&self, slice: usize, threads: usize) -> (GroupSlice, bool) {
        let count = self.count.max(1);
        let together = threads.min(count);
        let (slices, longest) =
            (count.div_ceil(together), self.rows.div_ceil(self.block_rows).div_ceil(count));
        let (chunk, first) = (slice / slices, slice % slices * together);
        let part = GroupSlice { groups: [first, first + together], chunks: [chunk, chunk + 1] };
        (part, slice + 1 >= slices * longest)
    }
}

/// The batch rows that one call of [`crate::Cpu::gradients_slice`] processes: a range of row groups (parts of the
/// batch), and a range of chunks (blocks of rows) within each of these groups. Both ranges are `[start, end]` with an
/// exclusive end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupSlice {
    groups: [usize; 2],
    chunks: [usize; 2],
}

impl GroupSlice {
    pub(crate) const ALL: Self = Self { groups: [0, usize::MAX], chunks: [0, usize::MAX] };

    /// Returns the batch rows that this slice contains in the row group `group`. The range is empty if the slice
    /// contains no rows of the group.
    pub(crate) fn rows(self, groups: RowGroups, group: usize) -> Range<usize> {
        let (start, end) = (groups.start(group), groups.start(group + 1));
        let [first, last] = self.chunks.map(|chunk| chunk.saturating_mul(groups.block_rows));
        if (self.groups[0]..self.groups[1]).contains(&group) {
            start.saturating_add(first).min(end)..start.saturating_add(last).min(end)
        } else {
            start..start
        }
    }
}

/// Arguments of an execution over all rows of a batch, or over the rows of one [`GroupSlice`].
pub(crate) struct GroupJob<'a> {
    pub(crate) run: &'a PlanRun<'a>,
    pub(crate) groups: RowGroups,
    pub(crate) part: GroupSlice,
    pub(crate) workspaces: &'a Workspaces,
}

/// A range of row groups (parts of the batch with separate gradient buffers), which the threads divide among
/// themselves, with the output slices and gradient buffers of these groups. A plan without gradients has no gradient
/// buffers.
pub(crate) struct GroupParts<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) rows: RowGroups,
    pub(crate) groups: Range<usize>,
    /// Output slices for the batch rows of the range `groups`. Element 0 of a slice belongs to the first of these rows.
    pub(crate) outputs: OutputSlots<'a>,
    pub(crate) buffers: &'a mut [AlignedVec<f32>],
}

impl Divisible for GroupParts<'_> {
    fn count(&self) -> usize {
        self.groups.len()
    }

    fn split_at(mut self, count: usize) -> (Self, Self) {
        let Range { start, end } = self.groups;
        let middle = start + count;
        let rows = self.rows.start(middle) - self.rows.start(start);
        let mut outputs = OutputSlots::default();
        let sizes = self.plan.outputs().iter().map(Shape::size);
        for ((front, back), size) in self.outputs.iter_mut().zip(&mut outputs).zip(sizes) {
            (*front, *back) = std::mem::take(front).split_at_mut(rows * size);
        }
        let (front, buffers) = self.buffers.split_at_mut(count.min(self.buffers.len()));
        let back = Self { groups: middle..end, outputs, buffers, ..self };
        (Self { groups: start..middle, buffers: front, ..self }, back)
    }
}

impl GroupJob<'_> {
    /// Executes the plan for the rows that the job's [`GroupSlice`] contains in the row group `group`, in the workspace
    /// of the current thread. Clears the gradient buffer of the group before its first row.
    pub(crate) fn group(&self, group: usize, GroupParts { mut outputs, buffers, .. }: GroupParts<'_>) {
        let (start, rows) = (self.groups.start(group), self.part.rows(self.groups, group));
        if rows.is_empty() {
            return;
        }
        let count = self.run.plan.outputs().len();
        let gradients: &mut [f32] = match buffers {
            [] => &mut [],
            [buffer, ..] => {
                if rows.start == start {
                    buffer.fill(0.0);
                }
                buffer
            }
        };
        let worker = &mut self.workspaces.worker();
        self.run.rows(worker, rows.start, rows.len(), rows.start - start, &mut outputs[..count], gradients);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_whole_chunks_and_cover_all_rows() {
        let mut graph = crate::Graph::new();
        let x = graph.input("x", &[1]);
        let plan = Plan::compile(&graph, &[x], 10).expect("the graph is valid");
        for rows in [0, 1, 9, 10, 11, 95, 1000, 12_345] {
            let groups = RowGroups::of_gradient(&plan, rows, 7);
            assert_eq!(groups.start(0), 0);
            assert_eq!(groups.start(groups.count), rows);
            for group in 1..groups.count {
                assert!(groups.start(group - 1) < groups.start(group));
                assert_eq!(groups.start(group) % 10, 0);
            }
        }
    }

    #[test]
    fn a_small_batch_of_a_large_network_is_divided_among_threads() {
        let network = crate::bench_networks::residual_mlp();
        let plan = network.forward_plan().expect("the graph is valid");
        assert!(plan.chunk_rows() > 256, "a batch of 256 rows is one chunk");
        for rows in [64, 100, 256] {
            let groups = RowGroups::of_forward_pass(&plan, rows, 2, 32);
            assert!(groups.count >= 2, "{groups:?}");
            assert_eq!((groups.start(0), groups.start(groups.count)), (0, rows));
            assert!((1..groups.count).all(|group| groups.start(group).is_multiple_of(16)), "{groups:?}");
            assert_eq!(RowGroups::of_forward_pass(&plan, rows, 1, 32).count, 1);
        }
        // Waking a thread would take longer than the forward pass.
        let plan = crate::bench_networks::actor_critic().forward_plan().expect("the graph is valid");
        assert_eq!(RowGroups::of_forward_pass(&plan, 256, 2, 32).count, 1);
    }

    #[test]
    fn slices_visit_each_row_once_and_in_order() {
        let mut graph = crate::Graph::new();
        let x = graph.input("x", &[1]);
        let plan = Plan::compile(&graph, &[x], 10).expect("the graph is valid");
        for (rows, threads) in [(0, 2), (5, 2), (11, 1), (95, 2), (1000, 3), (1000, 9)] {
            let groups = RowGroups::of_gradient(&plan, rows, 4);
            let mut done: Vec<usize> = (0..groups.count).map(|group| groups.start(group)).collect();
            for slice in 0.. {
                let (part, is_last) = groups.part(slice, threads);
                let mut at_work = 0;
                for (group, done) in done.iter_mut().enumerate() {
                    let rows = part.rows(groups, group);
                    assert!(rows.len() <= 10 && (rows.is_empty() || rows.start == *done), "{rows:?}");
                    *done += rows.len();
                    at_work += usize::from(!rows.is_empty());
                }
                assert!(at_work <= threads);
                if is_last {
                    break;
                }
            }
            let ends: Vec<usize> = (0..groups.count).map(|group| groups.start(group + 1)).collect();
            assert_eq!(done, ends);
        }
    }
}

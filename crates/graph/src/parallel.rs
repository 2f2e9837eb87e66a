//! Runs an execution plan on several threads. Results do not depend on the number of threads.

use vivarium_kernels::AlignedVec;

use crate::call::PlanRun;
use crate::cpu::Cpu;
use crate::groups::{GroupJob, GroupParts, GroupSlice, RowGroups, split_outputs};
use crate::inputs::{BatchInputs, PlanWeights};
use crate::parameters::Gradients;
use crate::plan::Plan;
use crate::workspaces::{NextSlice, Workspaces};

/// Maximum number of row groups: parts of the batch that have separate gradient buffers.
const MAX_GROUPS: usize = 32;

/// Approximate limit for the total size of the gradient buffers, in f32 values (16 MiB).
const MAX_GRADIENT_VALUES: usize = 1 << 22;

impl Cpu {
    /// Computes the outputs as [`Plan::run`] does, on all threads.
    ///
    /// # Panics
    /// As [`Plan::run`], and if the plan has more than 16 outputs.
    pub fn run(
        &self,
        plan: &Plan,
        weights: PlanWeights<'_>,
        workspaces: &mut Workspaces,
        batch: BatchInputs<'_>,
        outputs: &mut [&mut [f32]],
    ) {
        assert!(!plan.has_gradients(), "a plan with gradients runs through Cpu::gradients");
        workspaces.fit(self, plan);
        let run = PlanRun::new(plan, weights, batch);
        let groups = RowGroups::of_forward_pass(plan, batch.rows, self.threads(), MAX_GROUPS);
        self.groups(&run, groups, GroupSlice::ALL, workspaces, outputs, &mut []);
    }

    /// Computes outputs and gradients as [`Plan::gradients`] does, on all threads.
    ///
    /// # Panics
    /// As [`Plan::gradients`], and if the plan has more than 16 outputs.
    pub fn gradients(
        &self,
        plan: &Plan,
        weights: PlanWeights<'_>,
        workspaces: &mut Workspaces,
        batch: BatchInputs<'_>,
        outputs: &mut [&mut [f32]],
        gradients: &mut Gradients,
    ) {
        let run = PlanRun::new(plan, weights, batch);
        self.gradients_of(&run, batch.rows, None, workspaces, outputs, gradients);
    }

    /// Computes the gradients of [`Cpu::gradients`] in several calls. Each call processes one slice of the batch, which
    /// has at most one chunk of rows for each thread. The caller can do other work between the calls.
    ///
    /// Call the method with the same batch and with `slice` = 0, 1, … until it returns `true`. Outputs and gradients
    /// are then bitwise equal to the results of [`Cpu::gradients`].
    ///
    /// # Panics
    /// As [`Cpu::gradients`], and if a slice is skipped or another gradient was computed in these workspaces between
    /// two slices.
    pub fn gradients_slice(
        &self,
        plan: &Plan,
        weights: PlanWeights<'_>,
        workspaces: &mut Workspaces,
        batch: BatchInputs<'_>,
        slice: usize,
        outputs: &mut [&mut [f32]],
        gradients: &mut Gradients,
    ) -> bool {
        let run = PlanRun::new(plan, weights, batch);
        self.gradients_of(&run, batch.rows, Some(slice), workspaces, outputs, gradients)
    }

    /// Computes outputs and gradients over all rows of the batch if `slice` is `None`, else over the rows of one slice
    /// of the batch (see [`Cpu::gradients_slice`]). Returns whether the gradient is complete.
    fn gradients_of(
        &self,
        run: &PlanRun<'_>,
        rows: usize,
        slice: Option<usize>,
        workspaces: &mut Workspaces,
        outputs: &mut [&mut [f32]],
        gradients: &mut Gradients,
    ) -> bool {
        workspaces.fit(self, run.plan);
        let len = run.plan.parameters_len();
        if let Some(slice) = slice.filter(|&slice| slice > 0) {
            let next = Some(NextSlice { parameters: len, rows, slice });
            assert_eq!(
                workspaces.next, next,
                "slices of a gradient must be consecutive and not interleaved with another gradient"
            );
        }
        let max_groups = (MAX_GRADIENT_VALUES / len.max(1)).clamp(4, MAX_GROUPS);
        let groups = RowGroups::of_gradient(run.plan, rows, max_groups);
        let (part, is_last) =
            slice.map_or((GroupSlice::ALL, true), |slice| groups.part(slice, self.threads()));
        let following = slice.filter(|_| !is_last).map(|slice| slice + 1);
        workspaces.next = following.map(|slice| NextSlice { parameters: len, rows, slice });
        if groups.count <= 1 {
            let rows = part.rows(groups, 0);
            run.rows(
                &mut workspaces.worker(),
                rows.start,
                rows.len(),
                rows.start,
                outputs,
                gradients.flat_mut(),
            );
            return is_last;
        }
        let mut buffers = std::mem::take(&mut workspaces.buffers);
        if buffers.len() < groups.count || buffers.first().is_some_and(|b| b.len() < len) {
            buffers = vec![AlignedVec::zeros(len); groups.count];
        }
        self.groups(run, groups, part, workspaces, outputs, &mut buffers[..groups.count]);
        if is_last {
            self.add_all(&buffers[..groups.count], gradients.flat_mut());
        }
        workspaces.buffers = buffers;
        is_last
    }

    /// Executes the plan for the batch rows in `part`, on all threads of the engine. The threads divide the row groups
    /// (parts of the batch with separate gradient buffers) among themselves.
    fn groups(
        &self,
        run: &PlanRun<'_>,
        groups: RowGroups,
        part: GroupSlice,
        workspaces: &Workspaces,
        outputs: &mut [&mut [f32]],
        buffers: &mut [AlignedVec<f32>],
    ) {
        let slots = split_outputs(run, groups, outputs);
        let job = GroupJob { run, groups, part, workspaces };
        let parts =
            GroupParts { plan: run.plan, rows: groups, groups: 0..groups.count, outputs: slots, buffers };
        self.for_each_part(parts, |group, parts| job.group(group, parts));
    }
}

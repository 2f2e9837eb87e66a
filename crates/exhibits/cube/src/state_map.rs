//! Map of all states of the 2×2×2 cube in polar coordinates: the radius is the distance, the angle a position in a
//! spanning tree of optimal moves. The parent of a state is its successor under its first optimal move.

use std::sync::Arc;
use vivarium_agents::cube2::{PolicyEvaluation, PolicyOutcome};
use vivarium_agents::dqn::CubeProblem;
use vivarium_envs::cube::{Cube2, DistanceTable};
use vivarium_lab::protocol::FrameArray;

/// Number of angle bins (equal arcs of the circle) in each ring of the map.
const BINS: usize = 512;
/// Number of rings of the map: one for each distance from the solved state, 0 to 14 quarter turns.
const RINGS: usize = 15;

/// Maximum number of cube states that the layout of the map processes per frame: in the inward pass, which finds the
/// parent of each state (a neighbor one move closer to the solved state), and in the outward pass, which assigns
/// angles.
const LAYOUT_STATES: [usize; 2] = [60_000, 400_000];
/// Maximum number of cube states scanned per frame to find the states of the ring that the layout processes.
const SCANNED_STATES: usize = 1 << 22;
/// Maximum number of cube states per frame whose evaluation results (solved or not) are added to the counts of the
/// map's bins.
const COUNTED_STATES: usize = 1 << 18;

/// Map of all states of the 2×2×2 cube, and the progress of its layout. Bins are indexed `[ring][angle bin]`.
pub(super) struct Cube2StateMap {
    distances: Arc<DistanceTable>,
    stage: MapStage,
    counts: Vec<f32>,
    /// Fraction of the evaluated cube states in each bin that the policy solves; −1 if no state of the bin was
    /// evaluated.
    solved: Vec<f32>,
    /// Rank (index) of the next cube state whose evaluation result is added to `tally`.
    next: usize,
    /// Version number of the evaluation whose solved states are being counted into `tally`; `None` if no count is in
    /// progress.
    of: Option<u32>,
    /// Number of evaluated and of solved states in each bin that the count in progress has found so far, `[evaluated,
    /// solved]`.
    tally: Vec<[u32; 2]>,
    /// Version number of the evaluation results from which `solved` was last computed; `None` before the first count.
    counted: Option<u32>,
}

/// Progress of the map's layout, which assigns an angle bin to each cube state.
enum MapStage {
    /// The front end has not requested the map yet, so the layout has not been started.
    NotStarted,
    /// The layout is being computed, a bounded amount of work per frame.
    InProgress(Box<MapLayout>),
    /// The layout is complete: angle bin of each cube state, by the state's rank (index).
    Done(Vec<u16>),
}

/// Layout of the map in progress. The inward pass computes the size of each state's subtree, from the outermost ring to
/// the center; the outward pass assigns an arc to each subtree.
struct MapLayout {
    inwards: bool,
    ring: usize,
    next: usize,
    /// Size of the subtree below each cube state: number of its states, including the cube state itself; indexed by
    /// rank.
    sizes: Vec<u32>,
    /// One number for each cube state, indexed by the state's rank. Until the state has an arc: the rank of its parent
    /// (a neighbor one move closer to the solved state). Afterwards: the start of the arc that its next child receives.
    places: Vec<u32>,
    bins: Vec<u16>,
}

impl Cube2StateMap {
    pub(super) fn new() -> Self {
        Self {
            distances: CubeProblem::distances(),
            stage: MapStage::NotStarted,
            counts: Vec::new(),
            solved: vec![-1.0; RINGS * BINS],
            next: 0,
            of: None,
            tally: Vec::new(),
            counted: None,
        }
    }

    /// Resets the solved fractions of all bins to −1 (not evaluated), before another network is evaluated.
    pub(super) fn clear_solved(&mut self) {
        self.solved.fill(-1.0);
        (self.of, self.counted) = (None, None);
    }

    /// Advances layout and counting by a bounded amount of work. Returns the frame arrays of the map that changed, or
    /// all arrays if `resend` is set. `evaluation` holds an evaluation of all states, and the version number of its
    /// results.
    pub(super) fn arrays(
        &mut self,
        evaluation: Option<(&PolicyEvaluation, u32)>,
        history: &[Cube2],
        ahead: &[Cube2],
        resend: bool,
    ) -> Vec<FrameArray> {
        let finished = self.advance_layout();
        let MapStage::Done(bins) = &self.stage else { return Vec::new() };
        let shape = [RINGS as u32, BINS as u32];
        let mut arrays = Vec::new();
        if resend || finished {
            arrays.push(FrameArray::f32("map/counts", &shape, self.counts.clone()));
        }
        let place = |cube: &Cube2| {
            let bin = bins[cube.rank() as usize];
            [f32::from(self.distances.of(*cube)), (f32::from(bin) + 0.5) / BINS as f32]
        };
        let path: Vec<f32> = history.iter().chain(ahead).flat_map(place).collect();
        arrays.push(FrameArray::f32("map/path", &[(path.len() / 2) as u32, 2], path));
        arrays.push(FrameArray::f32("map/ahead", &[1], vec![history.len() as f32]));
        let counted = evaluation.is_some_and(|(evaluation, version)| self.advance_count(evaluation, version));
        if resend || finished || counted {
            arrays.push(FrameArray::f32("map/solved", &shape, self.solved.clone()));
        }
        arrays
    }

    /// Advances the layout of the map by a bounded amount of work. Returns whether this call completed the layout.
    fn advance_layout(&mut self) -> bool {
        if let MapStage::NotStarted = self.stage {
            self.stage = MapStage::InProgress(Box::new(MapLayout::new()));
            return false;
        }
        let MapStage::InProgress(layout) = &mut self.stage else { return false };
        if !layout.advance(&self.distances) {
            return false;
        }
        let bins = std::mem::take(&mut layout.bins);
        self.counts = vec![0.0; RINGS * BINS];
        for (&bin, &ring) in bins.iter().zip(self.distances.all()) {
            self.counts[usize::from(ring) * BINS + usize::from(bin)] += 1.0;
        }
        self.stage = MapStage::Done(bins);
        true
    }

    /// Advances the count of solved states per bin by a bounded amount of work. `version` identifies the results of
    /// `evaluation`. Returns whether this call completed a count.
    fn advance_count(&mut self, evaluation: &PolicyEvaluation, version: u32) -> bool {
        let MapStage::Done(bins) = &self.stage else { return false };
        if self.of.is_none() {
            if self.counted == Some(version) {
                return false;
            }
            (self.of, self.next) = (Some(version), 0);
            self.tally.clear();
            self.tally.resize(RINGS * BINS, [0; 2]);
        }
        let end = bins.len().min(self.next + COUNTED_STATES);
        let rings = &self.distances.all()[self.next..end];
        for ((rank, &bin), &ring) in (self.next as u32..).zip(&bins[self.next..end]).zip(rings) {
            let outcome = Cube2::from_rank(rank).and_then(|cube| evaluation.outcome(cube));
            let Some(outcome) = outcome else { continue };
            let at = usize::from(ring) * BINS + usize::from(bin);
            self.tally[at][0] += 1;
            self.tally[at][1] += u32::from(matches!(outcome, PolicyOutcome::Solved(_)));
        }
        self.next = end;
        if end < bins.len() {
            return false;
        }
        self.counted = self.of.take();
        for (share, &[known, solved]) in self.solved.iter_mut().zip(&self.tally) {
            // Bins without evaluated states keep the value of the previous count.
            if known > 0 {
                *share = solved as f32 / known as f32;
            }
        }
        true
    }
}

impl MapLayout {
    fn new() -> Self {
        Self {
            inwards: true,
            ring: RINGS - 1,
            next: 0,
            sizes: vec![1; Cube2::STATES],
            places: vec![0; Cube2::STATES],
            bins: vec![0; Cube2::STATES],
        }
    }

    /// Processes a bounded number of cube states ([`LAYOUT_STATES`], [`SCANNED_STATES`]) in the present pass of the
    /// layout, inward or outward. Returns whether the layout of the map is complete.
    fn advance(&mut self, distances: &DistanceTable) -> bool {
        let (mut placed, mut scanned) = (0, 0);
        while placed < LAYOUT_STATES[usize::from(!self.inwards)] && scanned < SCANNED_STATES {
            let rest = &distances.all()[self.next..];
            let rest = &rest[..rest.len().min(SCANNED_STATES - scanned)];
            let found = rest.iter().position(|&distance| usize::from(distance) == self.ring);
            let skipped = found.unwrap_or(rest.len());
            self.next += skipped;
            scanned += skipped;
            if found.is_some() {
                self.place_state(distances, self.next);
                self.next += 1;
                placed += 1;
            } else if self.next == distances.all().len() && self.end_ring() {
                return true;
            }
        }
        false
    }

    fn place_state(&mut self, distances: &DistanceTable, rank: usize) {
        if self.inwards {
            let cube = Cube2::from_rank(rank as u32).unwrap_or_default();
            let first = distances.optimal(cube).trailing_zeros() as usize;
            let parent = cube.turned(Cube2::turns(distances.metric())[first]).rank();
            self.places[rank] = parent;
            self.sizes[parent as usize] += self.sizes[rank];
            return;
        }
        let parent = self.places[rank] as usize;
        let (start, size) = (self.places[parent], self.sizes[rank]);
        self.places[parent] += size;
        self.places[rank] = start;
        let middle = u64::from(start) + u64::from(size / 2);
        self.bins[rank] = (middle * BINS as u64 / Cube2::STATES as u64) as u16;
    }

    /// Continues with the next ring after all states of a ring have been placed: toward the center in the inward pass,
    /// away from the center in the outward pass. Returns whether the layout is complete.
    fn end_ring(&mut self) -> bool {
        self.next = 0;
        if self.inwards {
            self.ring -= 1;
            // The solved state is the root; its arc is the full circle.
            self.inwards = self.ring > 0;
            self.ring += usize::from(!self.inwards);
            return false;
        }
        self.ring += 1;
        self.ring == RINGS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a map with a complete layout, and the frame arrays of its first frame.
    fn complete_layout() -> (Cube2StateMap, Vec<FrameArray>) {
        let mut map = Cube2StateMap::new();
        let arrays = (0..100_000).find_map(|_| {
            let arrays = map.arrays(None, &[Cube2::SOLVED], &[], false);
            (!arrays.is_empty()).then_some(arrays)
        });
        (map, arrays.expect("it comes to its end"))
    }

    #[test]
    fn every_state_lies_in_the_arc_of_its_parent() {
        let (map, arrays) = complete_layout();
        let counts =
            arrays.iter().find(|array| array.name == "map/counts").and_then(FrameArray::floats).unwrap();
        let rings: Vec<f32> = counts.chunks(BINS).map(|ring| ring.iter().sum()).collect();
        let expected: Vec<f32> = map.distances.counts().iter().map(|&count| count as f32).collect();
        assert_eq!(rings, expected);
        let MapStage::Done(bins) = &map.stage else { panic!("it is placed out") };
        // Span of bins of each subtree, accumulated from the outermost ring to the root.
        let mut spans: Vec<[u16; 2]> = bins.iter().map(|&bin| [bin, bin]).collect();
        let turns = Cube2::turns(map.distances.metric());
        let mut by_depth = vec![Vec::new(); rings.len()];
        for cube in Cube2::all() {
            by_depth[usize::from(map.distances.of(cube))].push(cube);
        }
        for &cube in by_depth.iter().skip(1).rev().flatten() {
            let on = cube.turned(turns[map.distances.optimal(cube).trailing_zeros() as usize]);
            let [least, most] = spans[cube.rank() as usize];
            let span = &mut spans[on.rank() as usize];
            *span = [span[0].min(least), span[1].max(most)];
        }
        for depth in 1..4 {
            let ring = Cube2::all().filter(|cube| map.distances.of(*cube) == depth);
            let mut spans: Vec<_> = ring.map(|cube| spans[cube.rank() as usize]).collect();
            spans.sort_unstable();
            // Neighboring arcs of a ring share at most one bin.
            assert!(spans.windows(2).all(|pair| pair[0][1] <= pair[1][0]), "{spans:?}");
        }
    }

    #[test]
    fn solved_states_are_counted_in_their_bins() {
        let (mut map, _) = complete_layout();
        let mut evaluation = PolicyEvaluation::new(map.distances.clone());
        let mut cubes = [Cube2::SOLVED; 1000];
        let count = evaluation.next_states(&mut cubes);
        // A policy that always turns R solves the three other states of the cycle of R, and no others.
        evaluation.set_actions(&cubes[..count], &vec![2; count]);
        let solved = (0..1000).find_map(|_| {
            let arrays = map.arrays(Some((&evaluation, 1)), &[], &[], false);
            arrays.into_iter().find(|array| array.name == "map/solved")
        });
        let solved = solved.expect("the count comes to its end");
        let shares = solved.floats().unwrap();
        let MapStage::Done(bins) = &map.stage else { panic!("it is placed out") };
        let share = |cube: Cube2| {
            shares[usize::from(map.distances.of(cube)) * BINS + usize::from(bins[cube.rank() as usize])]
        };
        let [u, r_back] = [0, 3].map(|turn| Cube2::SOLVED.turned(Cube2::turns(map.distances.metric())[turn]));
        assert_eq!([share(Cube2::SOLVED), share(u), share(r_back)], [1.0, 0.0, 1.0]);
        assert!(shares[14 * BINS..].iter().all(|&share| share == -1.0));
    }
}

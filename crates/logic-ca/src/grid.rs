//! Board geometry: sizes, boundary condition, neighbors.

vivarium_config::choice! {
    /// Boundary condition of a board.
    pub enum Border {
        /// Torus: the neighbor beyond an edge is the cell at the opposite edge.
        Periodic = "periodic",
        /// Cells beyond the edge are 0 in all channels.
        Fixed = "fixed",
    }
}

/// Number, height, width and boundary condition of the boards of a batch.
///
/// The cells of all boards are numbered consecutively, and the number of a cell is called its *lane*, as in SIMD: each
/// cell is one lane of the vectorized evaluation. The lane of a cell is (board·height + row)·width + column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of boards in the batch.
    pub boards: usize,
    /// Number of rows of a board.
    pub height: usize,
    /// Number of columns of a board.
    pub width: usize,
    /// Boundary condition of the boards: periodic (torus), or fixed (surrounded by cells that are always 0).
    pub border: Border,
}

impl Grid {
    /// Returns the number of cells of one board: height × width.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.height * self.width
    }

    /// Returns the number of lanes: the number of cells of all boards together.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.boards * self.cells()
    }

    /// Returns the lane of the neighbor of the cell `lane` at neighborhood position `place` (0 to 8, row by row, 4 =
    /// the cell itself). Returns `None` if the neighbor is beyond a fixed border.
    #[must_use]
    pub fn neighbor(&self, lane: usize, place: usize) -> Option<usize> {
        let (board, cell) = (lane / self.cells(), lane % self.cells());
        let row = self.moved(cell / self.width, place / 3, self.height)?;
        let column = self.moved(cell % self.width, place % 3, self.width)?;
        Some(board * self.cells() + row * self.width + column)
    }

    /// Returns the row or column index `from` + `step` − 1 on a board with `len` rows or columns; a periodic border
    /// wraps the index around. Returns `None` if the index is beyond a fixed border.
    fn moved(&self, from: usize, step: usize, len: usize) -> Option<usize> {
        match (self.border, from + step) {
            (Border::Periodic, to) => Some((to + len - 1) % len),
            (Border::Fixed, to) => (1..=len).contains(&to).then(|| to - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_of_a_corner() {
        let grid = |border| Grid { boards: 2, height: 3, width: 4, border };
        let around = |border| (0..9).map(|place| grid(border).neighbor(12, place)).collect::<Vec<_>>();
        let some = |lanes: [usize; 9]| lanes.map(|lane| Some(12 + lane)).to_vec();
        assert_eq!(around(Border::Periodic), some([11, 8, 9, 3, 0, 1, 7, 4, 5]));
        let fixed: Vec<_> = [None, None, None, None, Some(0), Some(1), None, Some(4), Some(5)]
            .map(|lane: Option<usize>| lane.map(|lane| 12 + lane))
            .to_vec();
        assert_eq!(around(Border::Fixed), fixed);
    }

    #[test]
    fn neighborhood_is_symmetric() {
        for border in [Border::Periodic, Border::Fixed] {
            for (height, width) in [(1, 1), (1, 5), (3, 3), (4, 7)] {
                let grid = Grid { boards: 2, height, width, border };
                for lane in 0..grid.lanes() {
                    assert_eq!(grid.neighbor(lane, 4), Some(lane));
                    for place in 0..9 {
                        if let Some(other) = grid.neighbor(lane, place) {
                            assert_eq!(grid.neighbor(other, 8 - place), Some(lane));
                        }
                    }
                }
            }
        }
    }
}

//! Target patterns and the rule of Conway's Game of Life. The patterns were drawn for this project.

use crate::grid::Grid;

/// Target pattern: the desired bits of the first channels after the last step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetPattern {
    /// Number of columns of the pattern, in cells.
    pub width: usize,
    /// Number of rows of the pattern, in cells.
    pub height: usize,
    /// Number of target channels: 1, or 3 for red, green and blue.
    pub channels: usize,
    /// Bits of the pattern, `[channel][row][column]`.
    pub bits: Vec<bool>,
}

/// Error of an invalid target pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the target {0}")]
pub struct TargetError(pub String);

/// Rows of the built-in lizard, seen from above: `#` is a cell with bit 1, `.` a cell with bit 0.
const LIZARD: [&str; 20] = [
    "....................",
    "....................",
    ".........###........",
    "........#####.......",
    ".....#..#####.......",
    "....##...###..##....",
    ".....##..###.##.....",
    "......########......",
    ".......######.......",
    ".......#####........",
    ".......######.......",
    ".......#######......",
    ".....##########.....",
    "....##..#####.##....",
    "....#...####...##...",
    ".......####.....#...",
    "......###...........",
    "......##.....#......",
    ".......#######......",
    "....................",
];

/// Rows of the built-in letter V. A character is the first letter of a color: red, green, blue, yellow, magenta, cyan,
/// white.
const LETTER: [&str; 16] = [
    "................",
    ".MMM........YYY.",
    ".MMM........YYY.",
    "..MMM......YYY..",
    "..RMM......YYG..",
    "...RRR....GGG...",
    "...RRR....GGG...",
    "...BRR....GGC...",
    "....BBB..CCC....",
    "....BBB..CCC....",
    ".....BBBCCC.....",
    ".....BBBCCC.....",
    "......WWWW......",
    "......WWWW......",
    ".......WW.......",
    "................",
];

impl TargetPattern {
    /// Creates a checkerboard with squares of 2×2 cells. Squares with an odd sum of row and column index are 1.
    #[must_use]
    pub fn checkerboard(width: usize, height: usize) -> Self {
        let bit = |row: usize, column: usize| (row / 2 + column / 2) % 2 == 1;
        let bits = (0..height).flat_map(|row| (0..width).map(move |column| bit(row, column))).collect();
        Self { width, height, channels: 1, bits }
    }

    /// Creates the built-in lizard: 20×20 cells, one channel.
    #[must_use]
    pub fn lizard() -> Self {
        Self::drawn(&LIZARD, 1, |_, cell| cell == b'#')
    }

    /// Creates the built-in letter V: 16×16 cells, three color channels.
    #[must_use]
    pub fn letter() -> Self {
        const OF_PRIMARY: [&[u8]; 3] = [b"RYMW", b"GYCW", b"BMCW"];
        Self::drawn(&LETTER, 3, |channel, cell| OF_PRIMARY[channel].contains(&cell))
    }

    fn drawn(rows: &[&str], channels: usize, bit: impl Fn(usize, u8) -> bool) -> Self {
        let of_channel =
            |channel| rows.iter().flat_map(move |row| row.bytes().map(move |cell| (channel, cell)));
        let bits = (0..channels).flat_map(of_channel).map(|(channel, cell)| bit(channel, cell)).collect();
        Self { width: rows[0].len(), height: rows.len(), channels, bits }
    }

    /// Returns the bit of a channel of the pattern in the given row and column.
    #[must_use]
    pub fn bit(&self, channel: usize, row: usize, column: usize) -> bool {
        self.bits[(channel * self.height + row) * self.width + column]
    }

    /// Returns the target bit of a channel of the cell `lane` on the boards of `grid`. The pattern is in the middle of
    /// each board; all cells outside of it are 0. The boards must be at least as large as the pattern.
    #[must_use]
    pub fn on(&self, grid: &Grid, channel: usize, lane: usize) -> bool {
        let cell = lane % grid.cells();
        let row = (cell / grid.width).checked_sub((grid.height - self.height) / 2);
        let column = (cell % grid.width).checked_sub((grid.width - self.width) / 2);
        match (row, column) {
            (Some(row), Some(column)) if row < self.height && column < self.width => {
                self.bit(channel, row, column)
            }
            _ => false,
        }
    }

    /// Checks that the pattern is at most as large as the boards of `grid`, and has at most as many channels as a cell.
    ///
    /// # Errors
    /// [`TargetError`] with the allowed sizes.
    pub fn check(&self, grid: &Grid, channels: usize) -> Result<(), TargetError> {
        let Self { width, height, .. } = *self;
        if width == 0 || height == 0 || width > grid.width || height > grid.height {
            let (most, high) = (grid.width, grid.height);
            return Err(TargetError(format!(
                "is {width}×{height} cells; 1×1 to {most}×{high} fit the board"
            )));
        }
        if self.channels == 0 || self.channels > channels {
            let got = self.channels;
            return Err(TargetError(format!("has {got} channels; 1 to {channels} fit a cell's state")));
        }
        let (needed, got) = (self.channels * width * height, self.bits.len());
        if got != needed {
            return Err(TargetError(format!(
                "has {got} bits; {width}×{height}×{} need {needed}",
                self.channels
            )));
        }
        Ok(())
    }
}

/// Computes one step of Conway's Game of Life on all boards of `grid`, from `before` to `after`, `[lane]` (one bit per
/// cell). A cell is alive in `after` if it has three living neighbors in `before`, or if it has two and is alive
/// itself.
pub fn life(grid: &Grid, before: &[bool], after: &mut [bool]) {
    for (lane, after) in after.iter_mut().enumerate() {
        let living =
            |&place: &usize| place != 4 && grid.neighbor(lane, place).is_some_and(|cell| before[cell]);
        let count = (0..9).filter(living).count();
        *after = count == 3 || count == 2 && before[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Border;

    #[test]
    fn built_in_patterns_are_complete() {
        for (target, width, height, channels) in [
            (TargetPattern::lizard(), 20, 20, 1),
            (TargetPattern::letter(), 16, 16, 3),
            (TargetPattern::checkerboard(16, 14), 16, 14, 1),
        ] {
            let grid = Grid { boards: 1, height, width, border: Border::Fixed };
            target.check(&grid, channels).unwrap();
            let ones = target.bits.iter().filter(|&&bit| bit).count();
            assert!(ones * 10 > target.bits.len() && ones * 10 < target.bits.len() * 6, "{ones}");
        }
        assert!(LETTER.iter().all(|row| row.bytes().all(|cell| b".RGBYMCW".contains(&cell))));
        let letter = TargetPattern::letter();
        let color = |row, column| [0, 1, 2].map(|channel| letter.bit(channel, row, column));
        assert_eq!(color(1, 1), [true, false, true]);
        assert_eq!(color(1, 12), [true, true, false]);
        let board = TargetPattern::checkerboard(4, 4);
        let rows: Vec<_> = board.bits.chunks(4).map(<[bool]>::to_vec).collect();
        assert_eq!(rows[0], [false, false, true, true]);
        assert_eq!(rows[0], rows[1]);
        assert_eq!(rows[2], [true, true, false, false]);
    }

    #[test]
    fn pattern_is_centered_on_every_board() {
        let target = TargetPattern { width: 2, height: 1, channels: 1, bits: vec![true, false] };
        let grid = Grid { boards: 2, height: 3, width: 4, border: Border::Fixed };
        let ones: Vec<_> = (0..grid.lanes()).filter(|&lane| target.on(&grid, 0, lane)).collect();
        assert_eq!(ones, [5, 12 + 5]);
    }

    #[test]
    fn patterns_that_do_not_fit_are_rejected() {
        let grid = Grid { boards: 1, height: 16, width: 16, border: Border::Fixed };
        let error = TargetPattern::lizard().check(&grid, 8).unwrap_err().to_string();
        assert!(error.contains("20×20") && error.contains("16×16"), "{error}");
        let error = TargetPattern::letter().check(&grid, 2).unwrap_err().to_string();
        assert!(error.contains("3 channels") && error.contains("1 to 2"), "{error}");
        let mut short = TargetPattern::letter();
        short.bits.pop();
        assert!(short.check(&grid, 3).unwrap_err().to_string().contains("767"));
    }

    #[test]
    fn a_blinker_has_period_two() {
        let grid = Grid { boards: 1, height: 5, width: 5, border: Border::Periodic };
        let at = |cells: [usize; 3]| (0..25).map(|cell| cells.contains(&cell)).collect::<Vec<_>>();
        let mut after = vec![false; 25];
        life(&grid, &at([11, 12, 13]), &mut after);
        assert_eq!(after, at([7, 12, 17]));
    }
}

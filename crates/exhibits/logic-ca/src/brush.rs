//! Rasterization of brush strokes.

use vivarium_logic_ca::{Border, Grid};

/// Maximum brush radius in cells.
pub(super) const MAX_RADIUS: f32 = 64.0;

/// Returns the indices of the cells that a brush stroke covers, in increasing order and without duplicates. Cells of
/// the board are numbered row by row. The stroke covers cells whose center is at most `radius` (at least 0.5) away from the line segment
/// `from` to `to`. It also covers the cells at both ends. Coordinates are (column, row) in cells; the center of cell
/// (0, 0) is (0.5, 0.5). Strokes wrap around on periodic boards.
pub(super) fn cells_of_stroke(grid: &Grid, from: [f32; 2], to: [f32; 2], radius: f32) -> Vec<usize> {
    // A stroke with a radius below half a cell would have holes.
    let radius = radius.max(0.5);
    let range = |axis: usize, len: usize| {
        let (low, high) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
        // Limits the range to three board lengths, which bounds the loop for distant coordinates.
        let low = (low - radius - 1.0).floor().max(-(len as f32)) as i64;
        low..=((high + radius + 1.0).ceil().min(2.0 * len as f32) as i64)
    };
    let place = |at: i64, len: usize| match grid.border {
        Border::Periodic => Some(at.rem_euclid(len as i64) as usize),
        Border::Fixed => usize::try_from(at).ok().filter(|&at| at < len),
    };
    let corner = |point: [f32; 2]| point.map(|place| place.floor() as i64);
    let ends = [corner(from), corner(to)];
    let mut lanes = Vec::new();
    for row in range(1, grid.height) {
        let Some(in_row) = place(row, grid.height) else { continue };
        for column in range(0, grid.width) {
            let Some(in_column) = place(column, grid.width) else { continue };
            let middle = [column as f32 + 0.5, row as f32 + 0.5];
            if ends.contains(&[column, row]) || distance(middle, from, to) <= radius {
                lanes.push(in_row * grid.width + in_column);
            }
        }
    }
    // A wide brush wraps around a small periodic board and covers the same cell several times.
    lanes.sort_unstable();
    lanes.dedup();
    lanes
}

/// Returns the distance in cells between `point` and the line segment from `from` to `to`.
fn distance(point: [f32; 2], from: [f32; 2], to: [f32; 2]) -> f32 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let off = [point[0] - from[0], point[1] - from[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let share =
        if length > 0.0 { ((off[0] * along[0] + off[1] * along[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
    (off[0] - share * along[0]).hypot(off[1] - share * along[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(border: Border) -> Grid {
        Grid { boards: 1, height: 8, width: 10, border }
    }

    #[test]
    fn a_click_covers_one_cell() {
        for border in [Border::Fixed, Border::Periodic] {
            for point in [[3.01, 2.01], [3.99, 2.99], [3.5, 2.5]] {
                assert_eq!(cells_of_stroke(&grid(border), point, point, 0.0), [23], "{point:?}");
            }
        }
    }

    #[test]
    fn strokes_have_no_holes_and_the_requested_width() {
        let lanes = cells_of_stroke(&grid(Border::Fixed), [1.5, 1.5], [6.5, 6.5], 0.0);
        assert_eq!(lanes, [11, 22, 33, 44, 55, 66]);
        assert_eq!(cells_of_stroke(&grid(Border::Fixed), [2.5, 3.5], [5.5, 3.5], 0.4), [32, 33, 34, 35]);
        assert_eq!(cells_of_stroke(&grid(Border::Fixed), [5.5, 3.5], [5.5, 3.5], 1.0), [25, 34, 35, 36, 45]);
    }

    #[test]
    fn strokes_are_clipped_or_wrap_around_at_edges() {
        assert_eq!(cells_of_stroke(&grid(Border::Fixed), [0.5, 0.5], [0.5, 0.5], 1.0), [0, 1, 10]);
        assert_eq!(cells_of_stroke(&grid(Border::Periodic), [0.5, 0.5], [0.5, 0.5], 1.0), [0, 1, 9, 10, 70]);
        assert_eq!(cells_of_stroke(&grid(Border::Fixed), [-3.0, -3.0], [-3.0, -3.0], 1.0), [0; 0]);
        let all: Vec<usize> = (0..80).collect();
        assert_eq!(cells_of_stroke(&grid(Border::Periodic), [-40.0, 0.0], [40.0, 0.0], 64.0), all);
        assert_eq!(cells_of_stroke(&grid(Border::Fixed), [0.0, 0.0], [9.0, 9.0], 64.0), all);
    }
}

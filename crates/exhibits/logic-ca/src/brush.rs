//! Which cells a stroke touches.

use vivarium_logic_ca::{Border, Grid};

/// The widest brush, in cells from its middle.
pub(super) const MAX_RADIUS: f32 = 64.0;

/// The cells of one board that a stroke from `from` to `to` touches, each once: those whose middle is no further from
/// it than `radius`, and those in which it begins and ends. Places are columns and rows, a cell's middle half a cell
/// behind its corner. A periodic board goes on beyond its edges.
pub(super) fn touched(grid: &Grid, from: [f32; 2], to: [f32; 2], radius: f32) -> Vec<usize> {
    // Half a cell is what it takes for a thin stroke to have no holes.
    let radius = radius.max(0.5);
    let range = |axis: usize, len: usize| {
        let (low, high) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
        // A board on which everything is painted need not be gone over twice.
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
    // A wide brush on a small periodic board comes round to cells that it has touched.
    lanes.sort_unstable();
    lanes.dedup();
    lanes
}

/// From a point to the nearest one of a line between two others.
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
    fn a_click_is_one_cell_wherever_in_it() {
        for border in [Border::Fixed, Border::Periodic] {
            for point in [[3.01, 2.01], [3.99, 2.99], [3.5, 2.5]] {
                assert_eq!(touched(&grid(border), point, point, 0.0), [23], "{point:?}");
            }
        }
    }

    #[test]
    fn strokes_have_no_holes_and_the_width_asked_for() {
        let lanes = touched(&grid(Border::Fixed), [1.5, 1.5], [6.5, 6.5], 0.0);
        assert_eq!(lanes, [11, 22, 33, 44, 55, 66]);
        assert_eq!(touched(&grid(Border::Fixed), [2.5, 3.5], [5.5, 3.5], 0.4), [32, 33, 34, 35]);
        assert_eq!(touched(&grid(Border::Fixed), [5.5, 3.5], [5.5, 3.5], 1.0), [25, 34, 35, 36, 45]);
    }

    #[test]
    fn edges_cut_off_or_lead_round() {
        assert_eq!(touched(&grid(Border::Fixed), [0.5, 0.5], [0.5, 0.5], 1.0), [0, 1, 10]);
        assert_eq!(touched(&grid(Border::Periodic), [0.5, 0.5], [0.5, 0.5], 1.0), [0, 1, 9, 10, 70]);
        assert_eq!(touched(&grid(Border::Fixed), [-3.0, -3.0], [-3.0, -3.0], 1.0), [0; 0]);
        let all: Vec<usize> = (0..80).collect();
        assert_eq!(touched(&grid(Border::Periodic), [-40.0, 0.0], [40.0, 0.0], 64.0), all);
        assert_eq!(touched(&grid(Border::Fixed), [0.0, 0.0], [9.0, 9.0], 64.0), all);
    }
}

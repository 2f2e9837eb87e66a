//! Well-known patterns of Conway's Game of Life.

use crate::protocol::PatternInfo;

/// Name, label and rows of each Game of Life pattern, in display order: `#` is a living cell, `.` a dead cell.
const PATTERNS: [(&str, &str, &[&str]); 12] = [
    ("block", "Block", &["##", "##"]),
    ("blinker", "Blinker", &["###"]),
    ("toad", "Toad", &[".###", "###."]),
    ("glider", "Glider", &[".#.", "..#", "###"]),
    ("spaceship", "Lightweight spaceship", &[".#..#", "#....", "#...#", "####."]),
    (
        "pulsar",
        "Pulsar",
        &[
            "..###...###..",
            ".............",
            "#....#.#....#",
            "#....#.#....#",
            "#....#.#....#",
            "..###...###..",
            ".............",
            "..###...###..",
            "#....#.#....#",
            "#....#.#....#",
            "#....#.#....#",
            ".............",
            "..###...###..",
        ],
    ),
    ("pentadecathlon", "Pentadecathlon", &["..#....#..", "##.####.##", "..#....#.."]),
    ("r-pentomino", "R-pentomino", &[".##", "##.", ".#."]),
    ("acorn", "Acorn", &[".#.....", "...#...", "##..###"]),
    ("diehard", "Diehard", &["......#.", "##......", ".#...###"]),
    (
        "gun",
        "Gosper's glider gun",
        &[
            "........................#...........",
            "......................#.#...........",
            "............##......##............##",
            "...........#...#....##............##",
            "##........#.....#...##..............",
            "##........#...#.##....#.#...........",
            "..........#.....#.......#...........",
            "...........#...#....................",
            "............##......................",
        ],
    ),
    ("switch-engine", "Switch engine", &["###.#", "#....", "...##", ".##.#", "#.#.#"]),
];

/// Returns all Game of Life patterns with their labels, in display order.
pub(crate) fn known() -> Vec<PatternInfo> {
    let owned = |&(name, label, rows): &(&str, &str, &[&str])| PatternInfo {
        name: name.into(),
        label: label.into(),
        rows: rows.iter().map(|&row| row.into()).collect(),
    };
    PATTERNS.iter().map(owned).collect()
}

/// Returns the rows of the Game of Life pattern `name`: `#` is a living cell, `.` a dead cell. Returns `None` if no
/// pattern has this name.
pub(super) fn find(name: &str) -> Option<&'static [&'static str]> {
    PATTERNS.iter().find(|pattern| pattern.0 == name).map(|pattern| pattern.2)
}

/// Returns the names of all Game of Life patterns, in display order.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PATTERNS.iter().map(|pattern| pattern.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_logic_ca::target::life;
    use vivarium_logic_ca::{Border, Grid};

    const GRID: Grid = Grid { boards: 1, height: 80, width: 80, border: Border::Periodic };

    fn placed(name: &str) -> Vec<bool> {
        let mut cells = vec![false; GRID.lanes()];
        for (row, line) in find(name).unwrap().iter().enumerate() {
            for (column, cell) in line.bytes().enumerate() {
                cells[(20 + row) * GRID.width + 20 + column] = cell == b'#';
            }
        }
        cells
    }

    fn after(mut cells: Vec<bool>, steps: usize) -> Vec<bool> {
        let mut next = cells.clone();
        for _ in 0..steps {
            life(&GRID, &cells, &mut next);
            std::mem::swap(&mut cells, &mut next);
        }
        cells
    }

    fn life_target(cells: &[bool]) -> usize {
        cells.iter().filter(|&&cell| cell).count()
    }

    #[test]
    fn patterns_behave_as_named() {
        assert!(PATTERNS.iter().all(|(_, _, rows)| rows.iter().all(|row| row.len() == rows[0].len())));
        for (name, period) in
            [("block", 1), ("blinker", 2), ("toad", 2), ("pulsar", 3), ("pentadecathlon", 15)]
        {
            let start = placed(name);
            let first = (1..=20).find(|&steps| after(start.clone(), steps) == start);
            assert_eq!(first, Some(period), "{name}");
        }
        let shifted = |cells: &[bool], by: usize| {
            let mut moved = vec![false; cells.len()];
            cells.iter().enumerate().for_each(|(lane, &cell)| moved[(lane + by) % cells.len()] = cell);
            moved
        };
        let glider = placed("glider");
        assert_eq!(after(glider.clone(), 4), shifted(&glider, GRID.width + 1));
        let ship = placed("spaceship");
        assert_eq!(after(ship.clone(), 4), shifted(&ship, GRID.lanes() - 2));
        // The gun emits a glider (five cells) every 30 steps.
        let gun = placed("gun");
        assert_eq!(life_target(&after(gun.clone(), 30)), life_target(&gun) + 5);
        assert_eq!(life_target(&after(gun.clone(), 60)), life_target(&gun) + 10);
        assert_eq!(life_target(&after(placed("diehard"), 130)), 0);
        assert!(life_target(&after(placed("diehard"), 129)) > 0);
        assert!(life_target(&after(placed("acorn"), 60)) > 30);
        assert!(life_target(&after(placed("r-pentomino"), 60)) > 30);
        // A switch engine moves forever and leaves debris.
        assert!(life_target(&after(placed("switch-engine"), 120)) > 40);
    }
}

//! Tests of Connect Four against a slow reference implementation on a board of cells, and known position counts.

use std::collections::HashSet;
use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};
use vivarium_kernels::rng::Stream;

/// Returns whether the player `player` has four stones in a row. Reference implementation, which tests all lines of
/// four cells.
fn wins(cells: &[[u8; ROWS]; COLUMNS], player: u8) -> bool {
    let at = |column: i32, row: i32| {
        let inside = (0..COLUMNS as i32).contains(&column) && (0..ROWS as i32).contains(&row);
        inside && cells[column as usize][row as usize] == player
    };
    let line = |column, row, (dx, dy)| (0..4).all(|step| at(column + step * dx, row + step * dy));
    let lines =
        |column, row| [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&direction| line(column, row, direction));
    (0..COLUMNS as i32).any(|column| (0..ROWS as i32).any(|row| lines(column, row)))
}

#[test]
fn random_games_go_as_on_a_board_of_cells() {
    let mut random = Stream::new(4, 0);
    let mut ends = [0; 2];
    for _ in 0..3000 {
        let (mut game, mut cells, mut heights) = (ConnectFour::START, [[0; ROWS]; COLUMNS], [0; COLUMNS]);
        let value = loop {
            let open: Vec<_> = (0..COLUMNS).filter(|&column| game.is_open(column)).collect();
            assert!(open.iter().copied().eq((0..COLUMNS).filter(|&column| heights[column] < ROWS)));
            let column = open[random.below(open.len() as u32) as usize];
            let player = game.player() + 1;
            cells[column][heights[column]] = player;
            heights[column] += 1;
            game = game.after(column);
            let expected = if wins(&cells, player) {
                Some(-1.0)
            } else {
                heights.iter().all(|&height| height == ROWS).then_some(0.0)
            };
            assert_eq!(game.value(), expected, "{cells:?}");
            let stones = std::array::from_fn(|column| {
                std::array::from_fn(|row| game.stone(column, row).map_or(0, |player| player + 1))
            });
            assert_eq!(cells, stones);
            if let Some(value) = expected {
                break value;
            }
        };
        ends[usize::from(value == 0.0)] += 1;
    }
    assert!(ends.iter().all(|&count| count > 3), "{ends:?}");
}

#[test]
fn position_counts_match_oeis() {
    // Number of positions by number of moves (OEIS A212693).
    let counted = [1, 7, 49, 238, 1120, 4263, 16422, 54859];
    let mut positions = HashSet::from([ConnectFour::START]);
    for count in counted {
        assert_eq!(positions.len(), count);
        let hashes: HashSet<_> = positions.iter().map(ConnectFour::hash).collect();
        assert_eq!(hashes.len(), count);
        let going = positions.iter().filter(|game| game.value().is_none());
        let open = |game: &ConnectFour| {
            let game = *game;
            (0..COLUMNS).filter(move |&column| game.is_open(column)).map(move |column| game.after(column))
        };
        positions = going.flat_map(open).collect();
    }
}

#[test]
fn move_lists_are_parsed_or_rejected() {
    let game = ConnectFour::from_moves("4433").unwrap();
    assert_eq!(game, ConnectFour::START.after(3).after(3).after(2).after(2));
    let error = |moves: &str| ConnectFour::from_moves(moves).unwrap_err().to_string();
    assert_eq!(error("48"), "move 2 is '8'; columns are written as 1 to 7");
    assert_eq!(error("4x"), "move 2 is 'x'; columns are written as 1 to 7");
    assert_eq!(error("1111111"), "move 7 drops a stone into column 1, which is full");
    assert_eq!(error("12121212"), "move 8 comes after the end of the game");
}

#[test]
fn completions_are_the_winning_cells() {
    let mut random = Stream::new(12, 0);
    let mut found = 0;
    for _ in 0..2000 {
        let mut game = ConnectFour::START;
        for _ in 0..random.below(30) {
            let open: Vec<_> = (0..COLUMNS).filter(|&column| game.is_open(column)).collect();
            if game.value().is_some() || open.is_empty() {
                break;
            }
            game = game.after(open[random.below(open.len() as u32) as usize]);
        }
        if game.value().is_some() {
            continue;
        }
        let taken = game.stones()[0] | game.stones()[1];
        let bit = |column: usize, row: usize| 1u64 << (column * (ROWS + 1) + row);
        for (stones, completions) in game.stones().into_iter().zip(game.completions()) {
            let cells: [[u8; ROWS]; COLUMNS] = std::array::from_fn(|column| {
                std::array::from_fn(|row| u8::from(stones & bit(column, row) != 0))
            });
            for (column, row) in (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| (column, row))) {
                let mut with = cells;
                with[column][row] = 1;
                let completes = taken & bit(column, row) == 0 && wins(&with, 1);
                assert_eq!(completions & bit(column, row) != 0, completes, "{column}, {row} of {game:?}");
                found += usize::from(completes);
            }
            let outside = completions & !(0..COLUMNS).fold(0, |cells, column| cells | (63 * bit(column, 0)));
            assert_eq!(outside, 0);
        }
    }
    assert!(found > 500, "{found}");
}

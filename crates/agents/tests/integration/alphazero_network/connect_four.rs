//! Tests of the network inputs of Connect Four states.

use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::connect_four::ConnectFour;

fn encoded(moves: &str) -> Vec<f32> {
    let mut row = vec![f32::NAN; ConnectFour::INPUTS];
    ConnectFour::from_moves(moves).unwrap().encode(&mut row);
    row
}

/// Returns the cells that are set in one plane of the network input, as (column, row).
fn marked(row: &[f32], plane: usize) -> Vec<(usize, usize)> {
    let cells = row[plane * 42..][..42].iter().enumerate();
    cells.filter(|&(_, &number)| number == 1.0).map(|(cell, _)| (cell / 6, cell % 6)).collect()
}

#[test]
fn planes_are_stones_and_threats_of_the_player_to_move() {
    // Player 0 has three in a row at the bottom; player 1, to move, has two on top of them.
    let row = encoded("11223");
    assert_eq!(marked(&row, 0), [(0, 1), (1, 1)]);
    assert_eq!(marked(&row, 1), [(0, 0), (1, 0), (2, 0)]);
    assert_eq!(marked(&row, 2), []);
    assert_eq!(marked(&row, 3), [(3, 0)]);
    assert!(encoded("").iter().all(|&number| number == 0.0));
}

#[test]
fn encoding_does_not_depend_on_the_first_player() {
    // With the same stones and the other player to move, the planes are swapped.
    let (first, second) = (encoded("1223"), encoded("2132"));
    assert_eq!(marked(&first, 0).len(), 2);
    assert_eq!(marked(&second, 0).len(), 2);
    let game = ConnectFour::from_moves("12").unwrap();
    let (mut here, mut there) = (vec![0.0; ConnectFour::INPUTS], vec![0.0; ConnectFour::INPUTS]);
    game.encode(&mut here);
    ConnectFour::from_moves("21").unwrap().encode(&mut there);
    assert_eq!((&here[..42], &here[42..84]), (&there[42..84], &there[..42]));
}

#[test]
fn outcome_heads_flip_with_the_player() {
    for value in [-1.0, 0.0, 1.0] {
        let (mut heads, mut others) = ([0.5; 2], [0.5; 2]);
        ConnectFour::outcome_heads(value, &mut heads);
        ConnectFour::outcome_heads(-value, &mut others);
        assert_eq!(ConnectFour::equity(&heads), value);
        ConnectFour::flip_heads(&mut heads);
        assert_eq!(heads, others);
    }
}

#[test]
fn set_equity_gives_the_requested_equity() {
    let set_equity = |heads: [f32; 2], equity| {
        let mut heads = heads;
        ConnectFour::set_equity(&mut heads, equity);
        heads
    };
    assert_eq!(set_equity([0.5, 0.25], 0.75), [0.75, 0.0]);
    assert_eq!(set_equity([0.5, 0.25], -0.25), [0.25, 0.5]);
    assert_eq!(set_equity([0.5, 0.25], 0.25), [0.5, 0.25]);
    assert_eq!(
        set_equity([0.25, 0.125], -0.75),
        [0.0, 0.75],
        "the draw probability is reduced to reach the equity"
    );
}

//! Thumbnails (small boards) of the self-play games in progress.

use super::rules::TableGame;
use vivarium_agents::alphazero::{AlphaZero, ForwardPass};
use vivarium_lab::protocol::FrameArray;
use vivarium_mcts::GameStatus;

/// Maximum number of thumbnails of self-play games in a frame.
pub(crate) const MAX_THUMBNAILS: u32 = 64;

/// Returns the frame arrays `thumbnails/boards`, `dice`, `seats` and `equity` for the first `games` self-play games in
/// progress.
pub(super) fn thumbnails<G: TableGame>(
    learner: &AlphaZero<G>,
    forward: &mut ForwardPass<G>,
    games: u32,
) -> [FrameArray; 4] {
    let states: Vec<G> = learner.games().take(games.min(MAX_THUMBNAILS) as usize).copied().collect();
    let count = states.len() as u32;
    let (mut boards, mut dice) = (Vec::new(), Vec::with_capacity(2 * states.len()));
    for state in &states {
        state.write_board(&mut boards);
        dice.extend(state.dice().unwrap_or_default());
    }
    let mut heads = vec![0.0; states.len() * G::HEADS];
    forward.heads(learner.newest(), &states, &mut heads);
    let equity = |(state, heads): (&G, &[f32])| {
        let equity = if let GameStatus::Over(value) = state.status() { value } else { G::equity(heads) };
        let equity = equity / G::MAX_VALUE;
        if state.player() == 0 { equity } else { -equity }
    };
    let equities = states.iter().zip(heads.chunks_exact(G::HEADS)).map(equity).collect();
    let seats = states.iter().map(|state| state.player()).collect();
    let width = boards.len() as u32 / count.max(1);
    [
        FrameArray::u8("thumbnails/boards", &[count, width], boards),
        FrameArray::u8("thumbnails/dice", &[count, 2], dice),
        FrameArray::u8("thumbnails/seats", &[count], seats),
        FrameArray::f32("thumbnails/equity", &[count], equities),
    ]
}

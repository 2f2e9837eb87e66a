//! Ranks of permutations and orientations.

/// Returns the lexicographic rank of a permutation of 0, 1, … N − 1 (Lehmer code); 0 for the identity. N is at most 8.
pub(super) fn permutation_rank<const N: usize>(items: &[u8; N]) -> u16 {
    items.iter().enumerate().fold(0, |rank, (position, item)| {
        let smaller = items[position + 1..].iter().filter(|&other| other < item).count();
        rank * (N - position) as u16 + smaller as u16
    })
}

/// Returns the permutation with lexicographic rank `rank`, the inverse of [`permutation_rank`].
pub(super) fn permutation<const N: usize>(mut rank: u16) -> [u8; N] {
    let mut items = [0; N];
    for position in (0..N).rev() {
        let choices = (N - position) as u16;
        let item = (rank % choices) as u8;
        rank /= choices;
        // Items that are not smaller increase by one.
        for other in &mut items[position + 1..] {
            *other += u8::from(*other >= item);
        }
        items[position] = item;
    }
    items
}

/// Returns the rank of an orientation: the twists of all but the last piece as digits to the base `stickers`.
pub(super) fn orientation_rank<const N: usize>(stickers: u16, twists: &[u8; N]) -> u16 {
    twists[..N - 1].iter().fold(0, |rank, &twist| stickers * rank + u16::from(twist))
}

/// Returns the twists with rank `rank`, the inverse of [`orientation_rank`]. All twists sum to 0 modulo `stickers`.
pub(super) fn orientation<const N: usize>(stickers: u16, mut rank: u16) -> [u8; N] {
    let mut twists = [0; N];
    let mut sum = 0;
    for twist in twists[..N - 1].iter_mut().rev() {
        *twist = (rank % stickers) as u8;
        sum += u16::from(*twist);
        rank /= stickers;
    }
    twists[N - 1] = ((stickers - sum % stickers) % stickers) as u8;
    twists
}

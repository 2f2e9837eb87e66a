//! Products with an x of which most numbers are 0, such as one-hot inputs: the rows of W that the others stand for,
//! weighted and added up.

use super::pack::{Layout, PackedMatrix};
use super::product::finish_edge;
use super::tile::Finish;
use crate::simd::{Level, Simd, SimdBase, SimdFloat, SimdMask, dispatch, load_partial};

/// Numbers of a row of x that are looked at before y is touched.
const STEPS: usize = 1024;
/// Panels of W whose sums are in registers at a time.
const PANELS: usize = 4;

/// y = x·W + b, as [`gemm_bias`](super::gemm_bias) has it, or without a bias: in time that goes with the numbers of x that
/// are not 0.
pub fn gemm_sparse(
    level: Level,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    bias: Option<&[f32]>,
    y: &mut [f32],
    ldy: usize,
) {
    assert!(ldx >= w.k() && ldy >= w.n(), "a leading dimension is shorter than its row");
    let finish = bias.map_or(Finish::Store, |bias| Finish::Bias(&bias[..w.n()]));
    match w.layout() {
        Layout::Panels => dispatch!(level, s => product(s, rows, x, ldx, w, finish, y, ldy)),
        // Dot products: there is little to be saved.
        Layout::Columns => super::product::product(level, rows, x, ldx, w, finish, y, ldy),
    }
}

/// dW += xᵀ·dy, as [`gemm_tn`](super::gemm_tn) has it, for such an x.
pub fn gemm_tn_sparse(
    level: Level,
    rows: usize,
    k: usize,
    n: usize,
    x: &[f32],
    ldx: usize,
    dy: &[f32],
    ldy: usize,
    dw: &mut [f32],
) {
    assert!(ldx >= k && ldy >= n, "a leading dimension is shorter than its row");
    dispatch!(level, s => gradient(s, rows, k, n, x, ldx, dy, ldy, &mut dw[..k * n]));
}

/// Room for the places of a part of a row: four are written at a time.
type Room = [u32; STEPS + 4];

/// Of every four bits, the places of those that are set, in their order; what comes after them says nothing.
const SET: [[u32; 4]; 16] = {
    let mut all = [[0; 4]; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut place, mut count) = (0, 0);
        while place < 4 {
            if bits >> place & 1 == 1 {
                all[bits][count] = place;
                count += 1;
            }
            place += 1;
        }
        bits += 1;
    }
    all
};

/// Where a part of a row of at most [`STEPS`] numbers is not 0. Without a branch: where that is can hardly be foreseen.
#[inline(always)]
fn places<'a, S: Simd>(s: S, x: &[f32], room: &'a mut Room) -> &'a [u32] {
    let lanes = S::f32s::LEN;
    let zero = S::f32s::splat(s, 0.0);
    let mut count = 0;
    for (index, part) in x.chunks(lanes).enumerate() {
        let others = !load_partial(s, part, 0.0).simd_eq(zero).to_bitmask() & ((1 << lanes) - 1);
        for first in (0..lanes).step_by(4) {
            let bits = others >> first & 15;
            let at = (index * lanes + first) as u32;
            let room = &mut room[count..count + 4];
            room.iter_mut().zip(SET[bits as usize]).for_each(|(to, place)| *to = at + place);
            count += bits.count_ones() as usize;
        }
    }
    &room[..count]
}

#[inline(always)]
fn product<S: Simd>(
    s: S,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: &mut [f32],
    ldy: usize,
) {
    assert_eq!(w.lanes(), S::f32s::LEN, "the matrix was packed for another SIMD level");
    let mut room = [0; STEPS + 4];
    for row in 0..rows {
        let (x, y) = (&x[row * ldx..][..w.k()], &mut y[row * ldy..][..w.n()]);
        let mut first = 0;
        loop {
            // The first part of the row starts y, the others add to it.
            let finish = if first == 0 { finish } else { Finish::Accumulate(1.0) };
            let steps = STEPS.min(w.k() - first);
            let part = &x[first..first + steps];
            panels(s, part, places(s, part, &mut room), first, w, finish, y);
            first += steps;
            if first >= w.k() {
                break;
            }
        }
    }
}

/// What the numbers of x from `first` on do to a row of y, those at these places among them.
#[inline(always)]
fn panels<S: Simd>(
    s: S,
    x: &[f32],
    places: &[u32],
    first: usize,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: &mut [f32],
) {
    let lanes = S::f32s::LEN;
    let (k, n, wide) = (w.k(), w.n(), 2 * lanes);
    let mut column = 0;
    while column < n {
        let panel = &w.data()[column * k..];
        let finish = match finish {
            Finish::Bias(bias) => Finish::Bias(&bias[column..]),
            other => other,
        };
        let (rest, y) = (n - column, &mut y[column..]);
        if rest >= PANELS * wide {
            sums::<S, PANELS, 2>(s, x, places, first, k, panel, finish, y);
            column += PANELS * wide;
            continue;
        }
        let mut scratch = [0.0; 32];
        if rest >= wide {
            sums::<S, 1, 2>(s, x, places, first, k, panel, finish, y);
        } else if rest > lanes {
            sums::<S, 1, 2>(s, x, places, first, k, panel, Finish::Store, &mut scratch);
            finish_edge(1, &scratch, wide, rest, finish, y, n);
        } else {
            sums::<S, 1, 1>(s, x, places, first, k, panel, Finish::Store, &mut scratch);
            finish_edge(1, &scratch, lanes, rest, finish, y, n);
        }
        column += wide;
    }
}

/// `NP` panels of `NV` vectors of a row of y.
#[inline(always)]
fn sums<S: Simd, const NP: usize, const NV: usize>(
    s: S,
    x: &[f32],
    places: &[u32],
    first: usize,
    k: usize,
    panels: &[f32],
    finish: Finish<'_>,
    y: &mut [f32],
) {
    s.vectorize(
        #[inline(always)]
        || {
            let lanes = S::f32s::LEN;
            let width = NV * lanes;
            let mut sums = [[S::f32s::splat(s, 0.0); NV]; NP];
            // From the row that `x` begins at to the end of the last panel.
            let panels: [&[f32]; NP] =
                std::array::from_fn(|q| &panels[(q * k + first) * width..][..x.len() * width]);
            for &place in places {
                let place = place as usize;
                let number = S::f32s::splat(s, x[place]);
                for q in 0..NP {
                    let w = &panels[q][place * width..][..width];
                    for v in 0..NV {
                        let w = S::f32s::from_slice(s, &w[v * lanes..][..lanes]);
                        sums[q][v] = number.mul_add(w, sums[q][v]);
                    }
                }
            }
            for q in 0..NP {
                for v in 0..NV {
                    let at = q * width + v * lanes;
                    let y = &mut y[at..][..lanes];
                    let sum = match finish {
                        Finish::Store => sums[q][v],
                        Finish::Bias(bias) => sums[q][v] + S::f32s::from_slice(s, &bias[at..][..lanes]),
                        Finish::Accumulate(beta) => {
                            S::f32s::from_slice(s, y).mul_add(S::f32s::splat(s, beta), sums[q][v])
                        }
                    };
                    sum.store_slice(y);
                }
            }
        },
    );
}

/// Each number of x adds its multiple of dy to a row of dW.
#[inline(always)]
fn gradient<S: Simd>(
    s: S,
    rows: usize,
    k: usize,
    n: usize,
    x: &[f32],
    ldx: usize,
    dy: &[f32],
    ldy: usize,
    dw: &mut [f32],
) {
    let lanes = S::f32s::LEN;
    let whole = n - n % lanes;
    let mut room = [0; STEPS + 4];
    for row in 0..rows {
        let dy = &dy[row * ldy..][..n];
        for (part, x) in x[row * ldx..][..k].chunks(STEPS).enumerate() {
            for &place in places(s, x, &mut room) {
                let number = x[place as usize];
                let dw = &mut dw[(part * STEPS + place as usize) * n..][..n];
                let many = S::f32s::splat(s, number);
                for (dw, dy) in dw[..whole].chunks_exact_mut(lanes).zip(dy.chunks_exact(lanes)) {
                    let sum = many.mul_add(S::f32s::from_slice(s, dy), S::f32s::from_slice(s, dw));
                    sum.store_slice(dw);
                }
                for (dw, dy) in dw[whole..].iter_mut().zip(&dy[whole..]) {
                    *dw += number * dy;
                }
            }
        }
    }
}

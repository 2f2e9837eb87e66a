//! SIMD abstraction: instruction-set levels, and helpers shared by all kernels.
//!
//! A kernel is a function generic over a [`Simd`] token, which proves that the instructions are available. Three rules
//! are essential for speed: mark every generic function `#[inline(always)]`, pass the token by value, and enter through
//! [`dispatch!`] once for each call of a public kernel.

pub use fearless_simd::{
    Bytes, Level, Select, Simd, SimdBase, SimdCvtFloat, SimdCvtTruncate, SimdFloat, SimdFrom, SimdInt,
    SimdInto, SimdMask, dispatch, prelude, u16x8,
};

/// Returns the best SIMD level of this machine; detected once, then cached.
#[inline]
pub fn level() -> Level {
    Level::new()
}

/// Returns all SIMD levels that this machine supports, best first.
pub fn levels() -> Vec<Level> {
    let best = level();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        [
            best.as_avx512().map(Level::Avx512),
            best.as_avx2().map(Level::Avx2),
            best.as_sse4_2().map(Level::Sse4_2),
            best.as_sse2().map(Level::Sse2),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    {
        vec![best]
    }
}

/// Returns the common name of a level, such as `AVX-512`, `AVX2` or `NEON`.
pub fn level_name(level: Level) -> &'static str {
    match level {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx512(_) => "AVX-512",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(_) => "AVX2",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse4_2(_) => "SSE4.2",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse2(_) => "SSE2",
        #[cfg(target_arch = "aarch64")]
        Level::Neon(_) => "NEON",
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::WasmSimd128(_) if cfg!(target_feature = "relaxed-simd") => "wasm relaxed-simd",
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::WasmSimd128(_) => "wasm simd128",
        #[allow(unreachable_patterns)]
        _ => "scalar",
    }
}

/// Returns the number of `f32` lanes of a SIMD vector at `level`.
pub fn lanes(level: Level) -> usize {
    #[inline(always)]
    fn len<S: Simd>(_: S) -> usize {
        S::f32s::LEN
    }
    dispatch!(level, s => len(s))
}

/// Loads `slice` (at most one SIMD vector long) into the first lanes of a vector. The other lanes are set to `fill`.
#[inline(always)]
pub fn load_partial<S: Simd>(s: S, slice: &[f32], fill: f32) -> S::f32s {
    let lanes = S::f32s::LEN;
    if slice.len() == lanes {
        return S::f32s::from_slice(s, slice);
    }
    let mut padded = [fill; MAX_LANES];
    copy(slice, &mut padded[..slice.len()]);
    S::f32s::from_slice(s, &padded[..lanes])
}

/// Stores the first lanes of the SIMD vector `v` to `slice` (at most one vector long).
#[inline(always)]
pub fn store_partial<S: Simd>(v: S::f32s, slice: &mut [f32]) {
    let lanes = S::f32s::LEN;
    if slice.len() == lanes {
        return v.store_slice(slice);
    }
    let mut padded = [0.0; MAX_LANES];
    v.store_slice(&mut padded[..lanes]);
    copy(&padded[..slice.len()], slice);
}

/// Replaces each SIMD vector y of a slice by `f(y)`. The last vector is padded with zeros.
#[inline(always)]
pub fn map_slice<S: Simd>(s: S, y: &mut [f32], f: impl Fn(S::f32s) -> S::f32s) {
    let mut vectors = y.chunks_exact_mut(S::f32s::LEN);
    for y in &mut vectors {
        f(S::f32s::from_slice(s, y)).store_slice(y);
    }
    let y = vectors.into_remainder();
    if !y.is_empty() {
        store_partial::<S>(f(load_partial(s, y, 0.0)), y);
    }
}

/// Writes `f(x)` of each SIMD vector x of a slice to another slice of the same length. The last vector is padded with
/// zeros.
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
pub fn map_slices<S: Simd>(s: S, x: &[f32], y: &mut [f32], f: impl Fn(S::f32s) -> S::f32s) {
    assert_eq!(x.len(), y.len(), "operands differ in length");
    let mut vectors = y.chunks_exact_mut(S::f32s::LEN);
    let mut arguments = x.chunks_exact(S::f32s::LEN);
    for (y, x) in (&mut vectors).zip(&mut arguments) {
        f(S::f32s::from_slice(s, x)).store_slice(y);
    }
    let (y, x) = (vectors.into_remainder(), arguments.remainder());
    if !y.is_empty() {
        store_partial::<S>(f(load_partial(s, x, 0.0)), y);
    }
}

/// Replaces each SIMD vector y of a slice by `f(y, x)`, where x is the corresponding vector of another slice of the
/// same length. The last vector is padded with zeros.
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
pub fn zip_slice<S: Simd>(s: S, y: &mut [f32], x: &[f32], f: impl Fn(S::f32s, S::f32s) -> S::f32s) {
    assert_eq!(x.len(), y.len(), "operands differ in length");
    let mut vectors = y.chunks_exact_mut(S::f32s::LEN);
    let mut others = x.chunks_exact(S::f32s::LEN);
    for (y, x) in (&mut vectors).zip(&mut others) {
        f(S::f32s::from_slice(s, y), S::f32s::from_slice(s, x)).store_slice(y);
    }
    let (y, x) = (vectors.into_remainder(), others.remainder());
    if !y.is_empty() {
        store_partial::<S>(f(load_partial(s, y, 0.0), load_partial(s, x, 0.0)), y);
    }
}

/// Writes `f(a, b)` of the corresponding SIMD vectors a and b of two slices to a third slice of the same length. The
/// last vectors are padded with zeros.
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
pub fn zip_slices<S: Simd>(
    s: S,
    a: &[f32],
    b: &[f32],
    y: &mut [f32],
    f: impl Fn(S::f32s, S::f32s) -> S::f32s,
) {
    assert!(a.len() == y.len() && b.len() == y.len(), "operands differ in length");
    let mut vectors = y.chunks_exact_mut(S::f32s::LEN);
    let mut left = a.chunks_exact(S::f32s::LEN);
    let mut right = b.chunks_exact(S::f32s::LEN);
    for ((y, a), b) in (&mut vectors).zip(&mut left).zip(&mut right) {
        f(S::f32s::from_slice(s, a), S::f32s::from_slice(s, b)).store_slice(y);
    }
    let y = vectors.into_remainder();
    if !y.is_empty() {
        let (a, b) = (left.remainder(), right.remainder());
        store_partial::<S>(f(load_partial(s, a, 0.0), load_partial(s, b, 0.0)), y);
    }
}

/// Copies a slice of less than a SIMD vector. Cold and not inlined, so that the caller's loop keeps its vectors in
/// registers.
#[cold]
#[inline(never)]
fn copy(from: &[f32], to: &mut [f32]) {
    to.copy_from_slice(from);
}

/// Returns the horizontal sums of up to four SIMD vectors, with shared additions. The sum of a vector is bitwise
/// independent of its position and of the other vectors.
#[inline(always)]
pub fn sums_of_each<S: Simd, const N: usize>(s: S, vectors: [S::f32s; N]) -> [f32; N] {
    const { assert!(N <= 4) };
    let mut four = [S::f32s::splat(s, 0.0); 4];
    for (place, vector) in four.iter_mut().zip(vectors) {
        *place = vector;
    }
    let low = pair_sums::<S>(four[0], four[1]);
    let high = pair_sums::<S>(four[2], four[3]);
    // Each vector has a quarter of the lanes. The quarters are halved until each has one lane.
    let mut quarters = pair_sums::<S>(low, high);
    if S::f32s::LEN >= 8 {
        quarters = pair_sums::<S>(quarters, quarters);
    }
    if S::f32s::LEN >= 16 {
        quarters = pair_sums::<S>(quarters, quarters);
    }
    let mut sums = [0.0; N];
    sums.copy_from_slice(&quarters.as_slice()[..N]);
    sums
}

/// Returns the sums of neighboring lanes of two SIMD vectors: the sums of `a` in the lower half, the sums of `b` in the
/// upper half.
#[inline(always)]
fn pair_sums<S: Simd>(a: S::f32s, b: S::f32s) -> S::f32s {
    a.unzip_low(b) + a.unzip_high(b)
}

/// Number of `f32` lanes of the widest supported SIMD vectors.
const MAX_LANES: usize = 16;

//! What a language model is trained with: stretches of text in a random order that goes on where it was left.

use super::pool::Pool;
use super::{Corpus, DataError, Holdout, Part};
use crate::tokenizer::Tokenizer;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use vivarium_kernels::rng::{Permutation, Stream, derive};

/// Bytes of text in a pool, about: so much is drawn from at a time.
const POOL_BYTES: u128 = 1 << 22;

/// What numbers are drawn for.
const ORDER_OF_PIECES: u32 = 0x0da7_0001;
const ORDER_OF_WINDOWS: u32 = 0x0da7_0002;

/// Where in the text training is; all that has to be kept to go on exactly there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// How often all text has been seen.
    pub epoch: u32,
    /// The pool that is being seen, counted within the epoch.
    pub pool: u32,
    /// The window that is next, counted within the pool.
    pub window: u32,
}

/// The windows of a part of the text, each once in an epoch.
///
/// An epoch puts the pieces into a random order and shares them out among pools of equal size. The tokens of a pool, less a
/// few at its start by chance, are cut into windows side by side, which come in a random order. Everything follows from
/// the seed and the [`Position`].
pub struct Windows {
    pool: Pool,
    part: Part,
    holdout: Holdout,
    seed: u64,
    length: usize,
    position: Position,
    /// How the pool at hand is cut; `None` before it is loaded.
    cut: Option<Cut>,
}

/// Windows of a pool.
#[derive(Clone, Copy)]
struct Cut {
    /// Tokens before the first window.
    offset: usize,
    /// How many there are, and their order.
    windows: u32,
    order: Permutation,
}

impl Windows {
    /// Windows of `length` tokens and one more, which is the last target. The first pool is read.
    ///
    /// # Errors
    /// [`DataError::TooShort`] if the part has none, and what [`Corpus::read`] and the tokenizer say.
    ///
    /// # Panics
    /// If `length` is 0.
    pub fn new(
        corpus: Arc<Corpus>,
        tokenizer: Arc<Tokenizer>,
        holdout: Holdout,
        part: Part,
        length: usize,
        seed: u64,
    ) -> Result<Self, DataError> {
        assert!(length > 0, "windows of no tokens");
        let pool = Pool::new(corpus, tokenizer);
        let position = Position::default();
        let mut windows = Self { pool, part, holdout, seed, length, position, cut: None };
        windows.prepare()?;
        Ok(windows)
    }

    /// Where the next window is.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// Goes on elsewhere; reads what is there.
    ///
    /// # Errors
    /// [`DataError::Position`] if this text has no such place; else as [`new`](Self::new).
    pub fn seek(&mut self, position: Position) -> Result<(), DataError> {
        let pools = self.pools();
        if position.pool >= pools {
            let place = format!("pool {}", position.pool);
            return Err(DataError::Position { place, allowed: format!("pools 0 to {}", pools - 1) });
        }
        (self.position, self.cut) = (Position { window: 0, ..position }, None);
        let windows = self.load()?.map_or(0, |cut| cut.windows);
        if position.window > windows {
            let place = format!("window {} of pool {}", position.window, position.pool);
            return Err(DataError::Position { place, allowed: format!("windows 0 to {windows} there") });
        }
        self.position = position;
        Ok(())
    }

    /// How many windows an epoch has, if one pool holds all text; else it is not known.
    #[must_use]
    pub fn per_epoch(&self) -> Option<u32> {
        self.cut.filter(|_| self.pools() == 1).map(|cut| cut.windows)
    }

    /// How often all text has been seen, with the share that has been seen since.
    #[must_use]
    pub fn epochs(&self) -> f64 {
        let Position { epoch, pool, window } = self.position;
        let windows = self.cut.map_or(1, |cut| cut.windows.max(1));
        let pools = f64::from(pool) + f64::from(window) / f64::from(windows);
        f64::from(epoch) + pools / f64::from(self.pools())
    }

    /// The tokens that are at hand, in the order of the text where they are neighbours.
    #[must_use]
    pub fn tokens(&self) -> &[u32] {
        self.pool.tokens()
    }

    /// The next windows, one after the other: `inputs` \[batch, length\], and as `targets` \[batch, length\] the token after
    /// each. Allocates only where a pool ends and the next is read.
    ///
    /// # Errors
    /// As [`new`](Self::new), for a pool that is read.
    ///
    /// # Panics
    /// If the two differ in length, or hold no whole windows.
    pub fn next_batch(&mut self, inputs: &mut [u32], targets: &mut [u32]) -> Result<(), DataError> {
        assert_eq!(inputs.len(), targets.len(), "a target for every input");
        assert_eq!(inputs.len() % self.length, 0, "whole windows of {} tokens", self.length);
        let rows = inputs.chunks_exact_mut(self.length).zip(targets.chunks_exact_mut(self.length));
        for (input, target) in rows {
            let window = self.next_window()?;
            input.copy_from_slice(&window[..input.len()]);
            target.copy_from_slice(&window[1..]);
        }
        Ok(())
    }

    /// The next window: `length` tokens and the one that follows.
    fn next_window(&mut self) -> Result<&[u32], DataError> {
        let cut = self.prepare()?;
        let place = cut.order.at(self.position.window) as usize;
        self.position.window += 1;
        Ok(&self.pool.tokens()[cut.offset + place * self.length..][..=self.length])
    }

    /// The pool in which the next window is, loaded.
    fn prepare(&mut self) -> Result<Cut, DataError> {
        let mut most = 0;
        // A pool of pages that are no articles may have no window: go once through all.
        for _ in 0..=self.pools() {
            if let Some(cut) = self.load()?.filter(|cut| self.position.window < cut.windows) {
                return Ok(cut);
            }
            most = most.max(self.pool.tokens().len());
            self.leave_pool();
        }
        Err(DataError::TooShort { part: self.part, tokens: most, needed: self.length + 1 })
    }

    fn leave_pool(&mut self) {
        let Position { epoch, pool, .. } = self.position;
        let last = pool + 1 >= self.pools();
        let (epoch, pool) = if last { (epoch.wrapping_add(1), 0) } else { (epoch, pool + 1) };
        self.position = Position { epoch, pool, window: 0 };
        self.cut = None;
    }

    /// Reads the pool at hand unless it has been, and cuts it; `None` if it is shorter than a window.
    fn load(&mut self) -> Result<Option<Cut>, DataError> {
        if self.cut.is_none() {
            let Position { epoch, pool, .. } = self.position;
            let (total, pools) = (self.pool.corpus().pieces(), self.pools());
            let (part, holdout) = (self.part, self.holdout);
            let count = holdout.count(part, total);
            let share = |pool: u32| (u64::from(pool) * u64::from(count) / u64::from(pools)) as u32;
            if count > 0 {
                let order = Permutation::new(derive(self.seed, ORDER_OF_PIECES), epoch, count as usize);
                let places = share(pool)..share(pool + 1);
                self.pool.load(places.map(|place| holdout.piece(part, order.at(place), total)))?;
            }
            self.cut = self.cut_pool();
        }
        Ok(self.cut)
    }

    fn cut_pool(&self) -> Option<Cut> {
        // The last token is a target only.
        let spare = self.pool.tokens().len().checked_sub(self.length + 1)?;
        let Position { epoch, pool, .. } = self.position;
        let seed = derive(derive(self.seed, ORDER_OF_WINDOWS), pool);
        let offset =
            Stream::new(derive(seed, 0), epoch).below(spare.min(self.length - 1) as u32 + 1) as usize;
        let windows = (spare - offset) / self.length + 1;
        let order = Permutation::new(derive(seed, 1), epoch, windows);
        Some(Cut { offset, windows: windows as u32, order })
    }

    /// How many pools an epoch has; at least one.
    fn pools(&self) -> u32 {
        let corpus = self.pool.corpus();
        let (total, pieces) = (corpus.pieces(), self.holdout.count(self.part, corpus.pieces()));
        let bytes = u128::from(corpus.bytes()) * u128::from(pieces) / u128::from(total.max(1));
        bytes.div_ceil(POOL_BYTES).clamp(1, u128::from(pieces.max(1))) as u32
    }
}

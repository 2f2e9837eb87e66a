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
    /// How far the pool is in which the position is.
    stage: Stage,
    /// Pools in a row that had no window, and the most tokens of one of them.
    barren: (u32, usize),
}

/// How far a pool is.
#[derive(Clone, Copy)]
enum Stage {
    /// The pool at hand may be another one.
    Elsewhere,
    /// It is being read.
    Reading,
    /// It has been read and cut; `None` if it is shorter than a window.
    Cut(Option<Cut>),
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
    /// Windows of `length` tokens and one more, which is the last target. Nothing is read yet.
    ///
    /// # Panics
    /// If `length` is 0.
    #[must_use]
    pub fn open(
        corpus: Arc<Corpus>,
        tokenizer: Arc<Tokenizer>,
        holdout: Holdout,
        part: Part,
        length: usize,
        seed: u64,
    ) -> Self {
        assert!(length > 0, "windows of no tokens");
        let (pool, position) = (Pool::new(corpus, tokenizer), Position::default());
        Self { pool, part, holdout, seed, length, position, stage: Stage::Elsewhere, barren: (0, 0) }
    }

    /// The same with the first pool read.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn prepared(mut self) -> Result<Self, DataError> {
        self.prepare()?;
        Ok(self)
    }

    /// Reads up to `most` pieces of the pool in which the next window is. Returns whether there are more to read before that
    /// window is there; whoever takes it waits for all of them.
    ///
    /// # Errors
    /// [`DataError::TooShort`] if the part has no window, [`DataError::Position`] if the place that was sought is not in this
    /// text, and what [`Corpus::read`] and the tokenizer say.
    pub fn read(&mut self, most: u32) -> Result<bool, DataError> {
        Ok(self.approach(most)?.is_none())
    }

    /// How much of the pool at hand has been read, 0 to 1.
    #[must_use]
    pub fn done(&self) -> f64 {
        match self.stage {
            Stage::Elsewhere => 0.0,
            Stage::Reading => self.pool.done(),
            Stage::Cut(_) => 1.0,
        }
    }

    /// Where the next window is.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// Goes on elsewhere. What is there is read with the next window, or before that with [`read`](Self::read).
    ///
    /// # Errors
    /// [`DataError::Position`] if this text has no such place, as far as that is known before it is read.
    pub fn seek(&mut self, position: Position) -> Result<(), DataError> {
        let pools = self.pools();
        if position.pool >= pools {
            let place = format!("pool {}", position.pool);
            return Err(DataError::Position { place, allowed: format!("pools 0 to {}", pools - 1) });
        }
        (self.position, self.stage, self.barren) = (position, Stage::Elsewhere, (0, 0));
        self.load(0).map(|_| ())
    }

    /// How many windows an epoch has, if one pool holds all text; else, and before that is read, it is not known.
    #[must_use]
    pub fn per_epoch(&self) -> Option<u32> {
        self.cut().filter(|_| self.pools() == 1).map(|cut| cut.windows)
    }

    /// How often all text has been seen, with the share that has been seen since.
    #[must_use]
    pub fn epochs(&self) -> f64 {
        let Position { epoch, pool, window } = self.position;
        let windows = self.cut().map_or(1, |cut| cut.windows.max(1));
        let pools = f64::from(pool) + f64::from(window) / f64::from(windows);
        f64::from(epoch) + pools / f64::from(self.pools())
    }

    /// The tokens that are at hand, in the order of the text where they are neighbors.
    #[must_use]
    pub fn tokens(&self) -> &[u32] {
        self.pool.tokens()
    }

    /// The next window: `length` tokens and the one that follows. Allocates only where a pool ends and the next is read.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn next_window(&mut self) -> Result<&[u32], DataError> {
        let cut = self.prepare()?;
        let place = cut.order.at(self.position.window) as usize;
        self.position.window += 1;
        Ok(&self.pool.tokens()[cut.offset + place * self.length..][..=self.length])
    }

    /// How the pool is cut in which the next window is, once it is read.
    fn prepare(&mut self) -> Result<Cut, DataError> {
        loop {
            if let Some(cut) = self.approach(u32::MAX)? {
                return Ok(cut);
            }
        }
    }

    /// Comes nearer to the next window by up to `most` pieces; `Some` where it is there.
    fn approach(&mut self, most: u32) -> Result<Option<Cut>, DataError> {
        if !self.load(most)? {
            return Ok(None);
        }
        if let Some(cut) = self.cut().filter(|cut| self.position.window < cut.windows) {
            self.barren = (0, 0);
            return Ok(Some(cut));
        }
        // A pool of pages that are no articles may have no window: go once through all.
        let (pools, tokens) = self.barren;
        self.barren = (pools + 1, tokens.max(self.pool.tokens().len()));
        if pools >= self.pools() {
            let needed = self.length + 1;
            return Err(DataError::TooShort { part: self.part, tokens: self.barren.1, needed });
        }
        self.leave_pool();
        Ok(None)
    }

    fn leave_pool(&mut self) {
        let Position { epoch, pool, .. } = self.position;
        let last = pool + 1 >= self.pools();
        let (epoch, pool) = if last { (epoch.wrapping_add(1), 0) } else { (epoch, pool + 1) };
        self.position = Position { epoch, pool, window: 0 };
        self.stage = Stage::Elsewhere;
    }

    /// How the pool at hand is cut; `None` before it is read, and if it is shorter than a window.
    fn cut(&self) -> Option<Cut> {
        if let Stage::Cut(cut) = self.stage { cut } else { None }
    }

    /// Reads up to `most` pieces of the pool at hand, and cuts it once it is there. Returns whether it is.
    fn load(&mut self, most: u32) -> Result<bool, DataError> {
        if let Stage::Elsewhere = self.stage {
            self.turn_to_pool();
            self.stage = Stage::Reading;
        }
        if let Stage::Reading = self.stage {
            if self.pool.read(most)? {
                return Ok(false);
            }
            let cut = self.cut_pool();
            let windows = cut.map_or(0, |cut| cut.windows);
            let Position { pool, window, .. } = self.position;
            if window > windows {
                let place = format!("window {window} of pool {pool}");
                return Err(DataError::Position { place, allowed: format!("windows 0 to {windows} there") });
            }
            self.stage = Stage::Cut(cut);
        }
        Ok(true)
    }

    /// Wants the pieces of the pool at hand.
    fn turn_to_pool(&mut self) {
        let Position { epoch, pool, .. } = self.position;
        let (total, pools) = (self.pool.corpus().pieces(), self.pools());
        let (part, holdout) = (self.part, self.holdout);
        let count = holdout.count(part, total);
        let share = |pool: u32| (u64::from(pool) * u64::from(count) / u64::from(pools)) as u32;
        if count > 0 {
            let order = Permutation::new(derive(self.seed, ORDER_OF_PIECES), epoch, count as usize);
            let places = share(pool)..share(pool + 1);
            self.pool.turn_to(places.map(|place| holdout.piece(part, order.at(place), total)));
        }
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

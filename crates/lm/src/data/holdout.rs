//! Assignment of the chunks of a corpus to the training and the validation split.

/// The two splits of a text: training and validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataSplit {
    /// Split of the text on which gradient steps are computed.
    Training,
    /// Held-out split of the text, on which the model is evaluated.
    Validation,
}

impl std::fmt::Display for DataSplit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Training => "training",
            Self::Validation => "validation",
        })
    }
}

/// Rule that assigns each chunk of a corpus to the training or the validation split. With at least two chunks, the
/// validation split has at least one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holdout {
    /// The last chunks form the validation split; for a single continuous text.
    Tail {
        /// Reciprocal of the held-out fraction of the chunks, at least 2.
        one_in: u32,
    },
    /// Every `one_in`-th chunk is in the validation split; for collections of documents.
    Spread {
        /// Distance between two held-out chunks, counted in chunks; at least 2.
        one_in: u32,
    },
}

impl Holdout {
    /// Returns the number of chunks in the split `split`, for a corpus of `chunks` chunks.
    pub(super) fn count(self, split: DataSplit, chunks: u32) -> u32 {
        let (Self::Tail { one_in } | Self::Spread { one_in }) = self;
        let held = match chunks {
            0 | 1 => 0,
            _ => (chunks / one_in.max(2)).max(1),
        };
        match split {
            DataSplit::Training => chunks - held,
            DataSplit::Validation => held,
        }
    }

    /// Converts a chunk's index within a split to the chunk's index in the corpus. `place` is the index in the split
    /// `split`, from 0; `chunks` is the number of chunks of the corpus.
    pub(super) fn chunk(self, split: DataSplit, place: u32, chunks: u32) -> u32 {
        match (self, split) {
            // Chunks after the last complete group of `one_in` are training chunks.
            (Self::Spread { one_in }, _) if chunks >= one_in.max(2) => {
                let group = one_in.max(2);
                match split {
                    DataSplit::Training if place / (group - 1) < chunks / group => {
                        place + place / (group - 1)
                    }
                    DataSplit::Training => place + chunks / group,
                    DataSplit::Validation => place * group + group - 1,
                }
            }
            (_, DataSplit::Training) => place,
            (_, DataSplit::Validation) => self.count(DataSplit::Training, chunks) + place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chunk_is_in_one_split() {
        for chunks in 0..50 {
            for one_in in [0, 2, 3, 10, 60] {
                for holdout in [Holdout::Tail { one_in }, Holdout::Spread { one_in }] {
                    let of = |split| {
                        let count = holdout.count(split, chunks);
                        (0..count).map(move |place| holdout.chunk(split, place, chunks)).collect::<Vec<_>>()
                    };
                    let mut all = [of(DataSplit::Training), of(DataSplit::Validation)].concat();
                    all.sort_unstable();
                    assert_eq!(all, (0..chunks).collect::<Vec<_>>(), "{holdout:?} {chunks}");
                    assert!(chunks < 2 || !of(DataSplit::Validation).is_empty());
                }
            }
        }
    }

    #[test]
    fn tail_holdout_is_last_and_spread_holdout_is_everywhere() {
        let validation = |holdout: Holdout| {
            (0..holdout.count(DataSplit::Validation, 25))
                .map(|place| holdout.chunk(DataSplit::Validation, place, 25))
                .collect::<Vec<_>>()
        };
        assert_eq!(validation(Holdout::Tail { one_in: 10 }), [23, 24]);
        assert_eq!(validation(Holdout::Spread { one_in: 10 }), [9, 19]);
    }
}

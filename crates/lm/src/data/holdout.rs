//! Which pieces are learned from, and which are kept to see what has been learned.

/// What a piece of text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// To learn from.
    Training,
    /// To see what has been learned.
    Validation,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Training => "training",
            Self::Validation => "validation",
        })
    }
}

/// How pieces are shared out: one in so many is for validation, but at least one where there are two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holdout {
    /// The last pieces, so that nothing of a story is known beforehand.
    Tail {
        /// One in this many pieces, at least 2.
        one_in: u32,
    },
    /// Every so-manieth piece, so that validation has some of whatever there is.
    Spread {
        /// One in this many pieces, at least 2.
        one_in: u32,
    },
}

impl Holdout {
    /// How many of `pieces` are for a part.
    pub(super) fn count(self, part: Part, pieces: u32) -> u32 {
        let (Self::Tail { one_in } | Self::Spread { one_in }) = self;
        let held = match pieces {
            0 | 1 => 0,
            _ => (pieces / one_in.max(2)).max(1),
        };
        match part {
            Part::Training => pieces - held,
            Part::Validation => held,
        }
    }

    /// The piece that is number `place` of a part.
    pub(super) fn piece(self, part: Part, place: u32, pieces: u32) -> u32 {
        match (self, part) {
            // The last pieces of all, which fill no group of `one_in`, are for training.
            (Self::Spread { one_in }, _) if pieces >= one_in.max(2) => {
                let group = one_in.max(2);
                match part {
                    Part::Training if place / (group - 1) < pieces / group => place + place / (group - 1),
                    Part::Training => place + pieces / group,
                    Part::Validation => place * group + group - 1,
                }
            }
            (_, Part::Training) => place,
            (_, Part::Validation) => self.count(Part::Training, pieces) + place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_for_one_part() {
        for pieces in 0..50 {
            for one_in in [0, 2, 3, 10, 60] {
                for holdout in [Holdout::Tail { one_in }, Holdout::Spread { one_in }] {
                    let of = |part| {
                        let count = holdout.count(part, pieces);
                        (0..count).map(move |place| holdout.piece(part, place, pieces)).collect::<Vec<_>>()
                    };
                    let mut all = [of(Part::Training), of(Part::Validation)].concat();
                    all.sort_unstable();
                    assert_eq!(all, (0..pieces).collect::<Vec<_>>(), "{holdout:?} {pieces}");
                    assert!(pieces < 2 || !of(Part::Validation).is_empty());
                }
            }
        }
    }

    #[test]
    fn the_tail_is_last_and_what_is_spread_is_everywhere() {
        let validation = |holdout: Holdout| {
            (0..holdout.count(Part::Validation, 25))
                .map(|place| holdout.piece(Part::Validation, place, 25))
                .collect::<Vec<_>>()
        };
        assert_eq!(validation(Holdout::Tail { one_in: 10 }), [23, 24]);
        assert_eq!(validation(Holdout::Spread { one_in: 10 }), [9, 19]);
    }
}

//! Batched tree search over games with and without chance.
//!
//! A [`Tree`] is one search: PUCT over decisions, every outcome of chance in its due proportion, all in
//! arrays of a size that is chosen once, so that a simulation allocates nothing. It asks for evaluations and
//! never makes them: a [`BatchSearch`] gathers leaves of one tree or of many, has an [`Evaluator`] look at all of
//! them together, and hands back what it said.
//!
//! States where chance decides are evaluated, too, when a search first comes to one: a single outcome in its
//! place would tell more of luck than of the action that led there. A decision without a choice is not: the
//! state after it is.
//!
//! ```
//! use vivarium_envs::connect_four::ConnectFour;
//! use vivarium_mcts::{Batch, UniformEvaluator, Limits, Puct, Tree};
//!
//! // Three in a row: the player to move wins in column 4, counted from 1.
//! let game = ConnectFour::from_moves("112233").unwrap();
//! let mut tree = [Tree::new(game, Puct::default(), TreeLimits::default())?];
//! Batch::new(1).search(&mut tree, &mut UniformEvaluator, 200);
//! assert_eq!(tree[0].most_visited(), Some(3));
//! # Ok::<(), vivarium_mcts::SearchError>(())
//! ```

mod arena;
mod batch_search;
mod config;
mod error;
mod game;
mod noise;
mod simulation;
mod tree;
mod path;

pub use batch_search::{BatchSearch, Evaluator, Leaves, UniformEvaluator};
pub use config::{Puct, TreeLimits};
pub use error::SearchError;
pub use game::{Game, GameStatus};
pub use noise::dirichlet;
pub use simulation::{Leaf, SelectionResult};
pub use tree::{Branch, Tree};

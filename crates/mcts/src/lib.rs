//! Batched Monte-Carlo tree search for two-player games with and without chance (AlphaZero: Silver et al. 2018,
//! <https://doi.org/10.1126/science.aar6404>).
//!
//! - [`Tree`]: the search of one game. Selects by [`Puct`] at decision nodes and samples outcomes at chance nodes.
//!   [`Tree::advance`] moves the root with subtree reuse; [`Tree::add_noise`] adds Dirichlet noise.
//! - [`BatchSearch`]: gathers leaves of one tree or of many, which an [`Evaluator`] evaluates as one batch.
//! - [`Game`]: the game interface, implemented for backgammon and Connect Four.
//! - [`TreeLimits`]: capacity of a tree. Memory is allocated once; simulations do not allocate.
//!
//! A simulation has four phases:
//!
//! ```text
//! select     descend from the root: at a decision node the action that maximizes Q + c·P·√N/(1 + n),
//!            at a chance node the next outcome
//! expand     add the first state that is not in the tree
//! evaluate   priors and value of the new state (several leaves form a batch; virtual loss diversifies them)
//! backup     add the value to all nodes on the path
//! ```
//!
//! Differences from AlphaZero:
//! - Chance nodes. The evaluator evaluates them too, because the value of a single outcome would have a high variance.
//!   Outcomes are sampled by a low-discrepancy sequence in proportion to their probabilities.
//! - Transpositions: a state that several paths reach has one node.
//! - A forced move is not evaluated; the descent continues to the state after it.
//! - First-play urgency: an unvisited action has the Q of its parent minus a constant.
//!
//! # Example
//!
//! ```
//! use vivarium_envs::connect_four::ConnectFour;
//! use vivarium_kernels::simd;
//! use vivarium_mcts::{BatchSearch, Puct, Tree, TreeLimits, UniformEvaluator};
//!
//! // Three in a row: the player to move wins in column 4, counted from 1.
//! let game = ConnectFour::from_moves("112233").unwrap();
//! let mut tree = [Tree::new(game, Puct::default(), TreeLimits::default())?];
//! BatchSearch::new(simd::level(), 1).search(&mut tree, &mut UniformEvaluator, 200);
//! assert_eq!(tree[0].most_visited(), Some(3));
//! # Ok::<(), vivarium_mcts::SearchError>(())
//! ```

mod arena;
mod batch_search;
mod config;
mod error;
mod game;
mod noise;
mod path;
mod simulation;
mod tree;

pub use batch_search::{BatchSearch, Evaluator, Leaves, UniformEvaluator};
pub use config::{Puct, TreeLimits};
pub use error::SearchError;
pub use game::{Game, GameStatus};
pub use noise::dirichlet;
pub use simulation::{Leaf, SelectionResult};
pub use tree::{Branch, Tree};

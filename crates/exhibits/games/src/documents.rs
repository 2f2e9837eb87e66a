//! JSON documents `analysis` (result of a search) and `tree` (part of its search tree).

use super::decision_search::{DecisionSearch, RankedPlay};
use super::rules::TableGame;
use crate::protocol::{GameAnalysis, GameCandidate, GameNode, GameTree, NodeKind, TreeRequest};
use std::cmp::Reverse;
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_mcts::{Branch, GameStatus};

/// Maximum number of candidate plays in the JSON document `analysis`.
pub(super) const CANDIDATES: usize = 24;
/// Number of candidate plays in the JSON document `analysis` for which outcome probabilities are computed.
const WITH_PROBABILITIES: usize = 5;

/// Maximum number of nodes for which a view may request the children in the JSON document `tree`.
const MAX_OPEN: usize = 64;
/// Maximum number of children per node in the JSON document `tree`.
const MAX_CHILDREN: u32 = 32;

/// Returns the JSON document `analysis` with the current results of the search. `turn` is the index of the searched
/// turn, `context` the score and the doubling cube of the seat to move.
pub(super) fn analysis<G: TableGame>(
    search: &mut DecisionSearch<G>,
    turn: u32,
    context: Option<EquityContext<'_>>,
) -> GameAnalysis {
    let root = search.root();
    let ranked = search.ranked_plays(context);
    let plays = ranked.len() as u32;
    let searched = ranked.first().is_some_and(|best| best.play.visits > 0);
    let best_value = ranked.first().map(|best| search.value_after(&best.play, context)).unwrap_or_default();
    let compared = ranked.into_iter().filter_map(|RankedPlay { play, value }| Some((play, value?)));
    let candidates = compared.take(CANDIDATES).enumerate().map(|(place, (play, value))| {
        let (moves, text) = root.notation(&play.branches);
        GameCandidate {
            text,
            moves,
            branches: play.branches.iter().map(|&branch| branch as u32).collect(),
            visits: play.visits,
            prior: play.prior,
            equity: value.equity,
            lost: best_value.equity - value.equity,
            outcome_probabilities: if place < WITH_PROBABILITIES {
                value.outcome_probabilities
            } else {
                Vec::new()
            },
        }
    });
    let candidates = candidates.collect();
    GameAnalysis {
        turn,
        seat: root.player(),
        player: search.player,
        updates: search.player_network.updates,
        made: search.made(),
        wanted: search.target,
        full: search.full,
        equity: best_value.equity,
        outcome_probabilities: best_value.outcome_probabilities,
        searched,
        candidates,
        plays,
    }
}

/// Returns the JSON document `tree`: the part of the search tree that `request` selects. `turn` is the index of the
/// searched turn.
pub(super) fn tree<G: TableGame>(search: &DecisionSearch<G>, request: &TreeRequest, turn: u32) -> GameTree {
    let tree = search.tree();
    let root = search.root();
    let mut open: Vec<Vec<usize>> = vec![Vec::new()];
    let asked = request.open.iter().take(MAX_OPEN).filter(|path| !path.is_empty());
    open.extend(asked.map(|path| path.iter().map(|&branch| branch as usize).collect()));
    // Sorted by length of the path: parents come before children.
    open.sort_by_key(Vec::len);
    open.dedup();
    let most = request.branches.clamp(1, MAX_CHILDREN) as usize;

    let mut nodes = vec![GameNode {
        parent: 0,
        branch: 0,
        text: String::new(),
        kind: kind(&root),
        seat: root.player(),
        visits: tree.visits(),
        prior: 1.0,
        equity: tree.value(),
        children: visited(tree.branches()).len() as u32,
    }];
    // Path of branches from the root to each node.
    let mut paths: Vec<Vec<usize>> = vec![Vec::new()];
    for path in &open {
        let Some(parent) = paths.iter().position(|known| known == path) else { continue };
        let Some((state, branches)) = tree.lookup(path) else { continue };
        let mut children = visited(branches);
        children.sort_by_key(|child| Reverse(child.visits));
        for branch in children.into_iter().take(most) {
            let after = state.after(branch.branch);
            let text = match state.status() {
                GameStatus::Chance => G::roll_notation(branch.branch),
                GameStatus::Decision | GameStatus::Over(_) => state.notation(&[branch.branch]).1,
            };
            let path = [path.as_slice(), &[branch.branch]].concat();
            let sign = if state.player() == root.player() { 1.0 } else { -1.0 };
            nodes.push(GameNode {
                parent: parent as u32,
                branch: branch.branch as u32,
                text,
                kind: kind(&after),
                seat: after.player(),
                visits: branch.visits,
                prior: branch.prior,
                equity: branch.value.map(|value| sign * value),
                children: tree.lookup(&path).map_or(0, |(_, branches)| visited(branches).len() as u32),
            });
            paths.push(path);
        }
    }
    GameTree { turn, nodes, size: tree.nodes() as u32, capacity: search.max_nodes() }
}

fn visited(branches: impl Iterator<Item = Branch>) -> Vec<Branch> {
    branches.filter(|branch| branch.visits > 0).collect()
}

fn kind<G: TableGame>(state: &G) -> NodeKind {
    match state.status() {
        GameStatus::Decision => NodeKind::Decision,
        GameStatus::Chance => NodeKind::Chance,
        GameStatus::Over(_) => NodeKind::Over,
    }
}

//! Tests of properties that the search has for any game.

use std::collections::HashSet;
use vivarium_envs::backgammon::{BAR, Dice, PLACES, Plays, Position, Roll, State, TurnPhase};
use vivarium_envs::connect_four::ConnectFour;
use vivarium_kernels::rng::Stream;
use vivarium_kernels::simd;
use vivarium_mcts::{
    BatchSearch, Branch, Evaluator, Game, Leaves, Puct, SearchError, SelectionResult, Tree, TreeLimits,
    UniformEvaluator, dirichlet,
};

/// Evaluator with pseudorandom logits and values, which depend only on the hash of the state.
struct PseudorandomEvaluator;

impl<G: Game> Evaluator<G> for PseudorandomEvaluator {
    fn evaluate(&mut self, leaves: &Leaves<G>, logits: &mut [f32], values: &mut [f32]) {
        for (index, (state, value)) in leaves.states().iter().zip(values).enumerate() {
            let mut random = Stream::new(state.hash(), 0);
            logits[leaves.range(index)].iter_mut().for_each(|logit| *logit = random.normal());
            *value = G::MAX_VALUE * (random.uniform() - 0.5);
        }
    }
}

/// Returns `count` successive decision states of a backgammon game, each with its roll.
fn positions(count: usize) -> Vec<State> {
    let mut plays = Plays::new();
    let dice = Dice { seed: 8, game: 0 };
    let mut position = Position::START;
    let state = |turn| {
        let roll = dice.roll(turn);
        plays.generate(&position, roll);
        let state = State { position, phase: TurnPhase::Play(roll), player: (turn % 2) as u8 };
        position = plays[plays.len() / 2].after.mirrored();
        state
    };
    (1..=count as u32).map(state).collect()
}

fn tree<G: Game>(root: G) -> Tree<G> {
    Tree::new(root, Puct::default(), TreeLimits::default()).unwrap()
}

fn branches<G: Game>(tree: &Tree<G>) -> Vec<Branch> {
    tree.branches().collect()
}

#[test]
fn a_search_does_not_depend_on_other_trees() {
    let roots = positions(12);
    let mut together: Vec<_> = roots.iter().map(|&root| tree(root)).collect();
    // There are more trees than the batch capacity, so that a pass over the trees takes several batches.
    BatchSearch::new(simd::level(), 5).search(&mut together, &mut PseudorandomEvaluator, 300);
    for (root, together) in roots.into_iter().zip(&together) {
        let mut alone = [tree(root)];
        BatchSearch::new(simd::level(), 1).search(&mut alone, &mut PseudorandomEvaluator, 300);
        assert_eq!(branches(&alone[0]), branches(together));
        assert_eq!(together.visits(), 300);
    }
}

#[test]
fn one_tree_can_fill_a_batch() {
    struct Counted(Vec<usize>);
    impl Evaluator<ConnectFour> for Counted {
        fn evaluate(&mut self, leaves: &Leaves<ConnectFour>, logits: &mut [f32], values: &mut [f32]) {
            self.0.push(leaves.len());
            let distinct: HashSet<_> = leaves.states().iter().collect();
            assert_eq!(distinct.len(), leaves.len(), "a state twice in a batch");
            PseudorandomEvaluator.evaluate(leaves, logits, values);
        }
    }
    let mut evaluator = Counted(Vec::new());
    let mut one = [tree(ConnectFour::START)];
    let made = BatchSearch::new(simd::level(), 8).search(&mut one, &mut evaluator, 400);
    assert_eq!((made, one[0].visits()), (400, 400));
    let full = evaluator.0.iter().filter(|&&len| len == 8).count();
    assert!(full > 30, "{:?}", evaluator.0);
    // No virtual loss remains: the visits of the branches add up to those of the root minus one.
    assert_eq!(one[0].branches().map(|branch| branch.visits).sum::<u32>(), 399);
}

#[test]
fn chance_nodes_are_evaluated_and_forced_moves_are_not() {
    struct Looked(Vec<(State, usize)>);
    impl Evaluator<State> for Looked {
        fn evaluate(&mut self, leaves: &Leaves<State>, logits: &mut [f32], values: &mut [f32]) {
            let seen = leaves.states().iter().enumerate();
            self.0.extend(seen.map(|(index, &state)| (state, leaves.range(index).len())));
            PseudorandomEvaluator.evaluate(leaves, logits, values);
        }
    }
    // On the bar against five made points: most rolls allow no move.
    let (mut mine, mut theirs) = ([0; PLACES], [0; PLACES]);
    (mine[BAR], mine[6], mine[5]) = (1, 7, 7);
    (1..=5).for_each(|point| theirs[point] = 2);
    theirs[13] = 5;
    let position = Position::new(mine, theirs).unwrap();
    let mut trees = [tree(State { position, phase: TurnPhase::Roll, player: 0 })];
    let mut looked = Looked(Vec::new());
    BatchSearch::new(simd::level(), 1).search(&mut trees, &mut looked, 500);
    assert_eq!(looked.0.len(), 500, "each simulation ends in one evaluation");
    assert!(looked.0[0].0 == trees[0].root() && trees[0].visits() == 500);
    let waiting = looked.0.iter().filter(|(state, _)| state.phase == TurnPhase::Roll).count();
    assert!((50..450).contains(&waiting), "{waiting}");
    for (state, actions) in looked.0 {
        match state.phase {
            TurnPhase::Roll | TurnPhase::Opening => assert_eq!(actions, 0),
            TurnPhase::Play(_) | TurnPhase::SecondHalf(_) => assert!(actions > 1, "{state:?}"),
        }
    }
    // A forced move has prior 1.
    let danced = trees[0].lookup(&[Roll::new(5, 4).unwrap().index()]).unwrap().1.collect::<Vec<_>>();
    assert_eq!(danced.iter().map(|branch| branch.prior).collect::<Vec<_>>(), [1.0]);
}

#[test]
fn advance_reuses_the_subtree() {
    let mut trees = [tree(positions(1)[0])];
    BatchSearch::new(simd::level(), 1).search(&mut trees, &mut PseudorandomEvaluator, 600);
    let [tree] = &mut trees;
    let (nodes, taken) = (tree.nodes(), tree.most_visited().unwrap());
    let before = tree.branches().find(|branch| branch.branch == taken).unwrap();
    let next = Game::after(&tree.root(), taken);
    tree.advance(taken).unwrap();
    assert_eq!((tree.root(), tree.visits()), (next, before.visits));
    assert!((tree.value().unwrap() + before.value.unwrap()).abs() < 1e-6, "the other player is on roll");
    assert!(tree.nodes() < nodes);
    // Advances through 30 further branches, to states that the first search has not expanded.
    for _ in 0..30 {
        let branch = tree.branches().next().map(|branch| branch.branch).unwrap();
        let next = Game::after(&tree.root(), branch);
        tree.advance(branch).unwrap();
        assert_eq!(tree.root(), next);
        let visits = tree.visits();
        let made = BatchSearch::new(simd::level(), 1).search(
            std::slice::from_mut(tree),
            &mut PseudorandomEvaluator,
            50,
        );
        // If neither player can move, a path returns to its start.
        assert!(made == 50 && (50..55).contains(&(tree.visits() - visits)));
        let of_branches: u32 = tree.branches().map(|branch| branch.visits).sum();
        assert!(of_branches == tree.visits() || of_branches + 1 == tree.visits());
    }
}

#[test]
fn advance_path_equals_single_advances() {
    let searched = || {
        let mut trees = [tree(positions(1)[0])];
        BatchSearch::new(simd::level(), 1).search(&mut trees, &mut PseudorandomEvaluator, 600);
        let [tree] = trees;
        tree
    };
    let (mut at_once, mut one_by_one, mut path) = (searched(), searched(), Vec::new());
    // The path follows the most visited branches, and then continues below the expanded nodes.
    while path.len() < 8 {
        let branch =
            one_by_one.most_visited().or_else(|| Some(one_by_one.branches().next()?.branch)).unwrap();
        one_by_one.advance(branch).unwrap();
        path.push(branch);
        at_once = searched();
        at_once.advance_path(&path).unwrap();
        assert!(at_once.root() == one_by_one.root() && at_once.nodes() == one_by_one.nodes(), "{path:?}");
        assert_eq!(branches(&at_once), branches(&one_by_one));
    }
    assert_eq!(one_by_one.visits(), 0, "the path ends at a node that the search has not visited");
    at_once.advance_path(&[]).unwrap();
    assert!(matches!(at_once.advance_path(&[usize::MAX]), Err(SearchError::Branch { .. })));
    assert_eq!(at_once.root(), one_by_one.root());
}

#[test]
fn lookup_returns_expanded_nodes() {
    let mut trees = [tree(positions(1)[0])];
    BatchSearch::new(simd::level(), 1).search(&mut trees, &mut PseudorandomEvaluator, 500);
    let tree = &trees[0];
    let (root, all) = tree.lookup(&[]).unwrap();
    assert_eq!((root, all.collect::<Vec<_>>()), (tree.root(), branches(tree)));
    // At each node on the path of the most visited branches, the visits are the sum over its branches, plus one for its
    // own evaluation.
    let (mut path, mut visits) = (Vec::new(), tree.visits());
    while visits > 1 {
        let (_, below) = tree.lookup(&path).unwrap();
        let below: Vec<_> = below.collect();
        let sum: u32 = below.iter().map(|branch| branch.visits).sum();
        assert!(sum == visits || sum + 1 == visits, "{sum} of {visits} at {path:?}");
        let most = below.iter().max_by_key(|branch| branch.visits).unwrap();
        (visits, path) = (most.visits, [path, vec![most.branch]].concat());
    }
    assert!(path.len() > 2, "{path:?}");
    let untried = tree.branches().find(|branch| branch.visits == 0).map(|branch| branch.branch);
    assert!(untried.is_none_or(|branch| tree.lookup(&[branch]).is_none()));
    assert!(tree.lookup(&[usize::MAX]).is_none());
}

#[test]
fn transpositions_share_a_node() {
    let next = |game: ConnectFour| {
        let going = game.value().is_none();
        (0..7).filter(move |&column| going && game.is_open(column)).map(move |column| game.after(column))
    };
    // Random moves until eight cells are empty, in several columns.
    let mut random = Stream::new(3, 0);
    let (root, states) = loop {
        let mut root = ConnectFour::START;
        for _ in 0..34 {
            let open: Vec<_> = next(root).collect();
            if !open.is_empty() {
                root = open[random.below(open.len() as u32) as usize];
            }
        }
        let (mut states, mut ways) = (HashSet::from([root]), 1);
        let mut level = vec![root];
        while !level.is_empty() {
            level = level.into_iter().flat_map(next).collect();
            ways += level.len();
            states.extend(&level);
        }
        if states.len() > 50 && ways > 3 * states.len() {
            break (root, states);
        }
    };
    // With a large exploration constant every branch is visited.
    let puct = Puct { c_init: 100.0, ..Puct::default() };
    let mut trees = [Tree::new(root, puct, TreeLimits::default()).unwrap()];
    BatchSearch::new(simd::level(), 1).search(&mut trees, &mut UniformEvaluator, 20_000);
    let nodes = trees[0].nodes();
    assert!((states.len() / 2..=states.len()).contains(&nodes), "{nodes} nodes of {} states", states.len());
}

#[test]
fn a_full_tree_reports_it_and_keeps_its_results() {
    let limits = TreeLimits { nodes: 40, edges: 1000, leaves: 2 };
    let mut trees = [Tree::new(positions(1)[0], Puct::default(), limits).unwrap()];
    let made = BatchSearch::new(simd::level(), 1).search(&mut trees, &mut PseudorandomEvaluator, 1000);
    let [tree] = &mut trees;
    assert!((10..=40).contains(&made), "{made} simulations");
    assert!(tree.nodes() <= 40);
    assert_eq!(tree.visits() as usize, made);
    assert_eq!(tree.select(), SelectionResult::Full);
    assert_eq!(tree.visits() as usize, made);
    // Advancing the root frees memory.
    tree.advance(tree.most_visited().unwrap()).unwrap();
    assert!(tree.nodes() < 40);
    assert!(BatchSearch::new(simd::level(), 1).search(&mut trees, &mut PseudorandomEvaluator, 1000) > 0);
}

#[test]
fn invalid_parameters_are_rejected() {
    let refused = |puct, limits| Tree::new(ConnectFour::START, puct, limits).err().unwrap().to_string();
    let limits = TreeLimits::default();
    assert_eq!(
        refused(Puct::default(), TreeLimits { nodes: 0, ..limits }),
        "nodes is 0; allowed is 1 to 1073741824"
    );
    assert_eq!(
        refused(Puct::default(), TreeLimits { edges: 6, ..limits }),
        "edges is 6; allowed is 7 to 1073741824"
    );
    assert_eq!(
        refused(Puct { c_init: f32::NAN, ..Puct::default() }, limits),
        "c_init is NaN; allowed is 0 to 100"
    );
    let bytes = Tree::<State>::bytes(limits);
    assert!((1 << 22..1 << 24).contains(&bytes), "{bytes}");

    let mut tree = tree(ConnectFour::from_moves("111111").unwrap());
    assert_eq!(
        tree.advance(0),
        Err(SearchError::Branch { branch: 0, allowed: "1, 2, 3, 4, 5, 6".to_owned() })
    );
    let SelectionResult::Leaf(leaf) = tree.select() else { panic!("a new root is a leaf") };
    assert_eq!(tree.select(), SelectionResult::Awaiting);
    assert_eq!(tree.advance(1), Err(SearchError::Awaiting { leaves: 1 }));
    assert_eq!(tree.restart(ConnectFour::START), Err(SearchError::Awaiting { leaves: 1 }));
    tree.backup(simd::level(), leaf, &mut [0.0; 6], 0.0);
    assert_eq!(tree.advance(1), Ok(()));
    let over = ConnectFour::from_moves("1212121").unwrap();
    tree.restart(over).unwrap();
    assert_eq!(tree.select(), SelectionResult::Complete);
    assert_eq!((tree.value(), tree.most_visited()), (Some(-1.0), None));
    assert_eq!(
        tree.add_noise(0.0, 0.5, &mut Stream::new(0, 0)).unwrap_err().to_string(),
        "alpha is 0; allowed is 0.001 to 1000"
    );
}

#[test]
fn noise_has_the_dirichlet_distribution() {
    let mut random = Stream::new(1, 0);
    for alpha in [0.03f32, 0.3, 1.0, 10.0] {
        let (mut draw, mut squares) = ([0.0f32; 10], 0.0);
        let draws = 4000;
        for _ in 0..draws {
            dirichlet(alpha, &mut random, &mut draw);
            assert!((draw.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(draw.iter().all(|&number| (0.0..=1.0).contains(&number)));
            squares += f64::from(draw[0] * draw[0]);
        }
        // E[x²] = (α + 1) / (n (nα + 1)), within five standard deviations of x² ≤ x.
        let alpha = f64::from(alpha);
        let expected = (alpha + 1.0) / (10.0 * (10.0 * alpha + 1.0));
        let error = squares / f64::from(draws) - expected;
        assert!(error.abs() < 5.0 * (expected / f64::from(draws)).sqrt(), "{alpha}: off by {error}");
    }
}

#[test]
fn noise_changes_exploration_only() {
    let search = |fraction: f32| {
        let mut trees = [tree(ConnectFour::START)];
        trees[0].add_noise(0.3, fraction, &mut Stream::new(5, 0)).unwrap();
        BatchSearch::new(simd::level(), 1).search(&mut trees, &mut PseudorandomEvaluator, 300);
        branches(&trees[0])
    };
    let [none, some] = [0.0, 0.5].map(search);
    let mut plain = [tree(ConnectFour::START)];
    BatchSearch::new(simd::level(), 1).search(&mut plain, &mut PseudorandomEvaluator, 300);
    assert_eq!(none, branches(&plain[0]));
    assert!(none.iter().zip(&some).any(|(a, b)| a.visits != b.visits));
    assert!(none.iter().zip(&some).all(|(a, b)| a.prior == b.prior));
}

#[test]
fn branches_are_sampled_by_visits() {
    let mut trees = [tree(ConnectFour::START)];
    assert_eq!(trees[0].sample(1.0, &mut Stream::new(0, 0)), None);
    BatchSearch::new(simd::level(), 1).search(&mut trees, &mut PseudorandomEvaluator, 200);
    let visits: Vec<_> = trees[0].branches().map(|branch| f64::from(branch.visits)).collect();
    let mut random = Stream::new(7, 0);
    for temperature in [0.5f32, 1.0, 2.0] {
        let mut counts = [0u32; 7];
        (0..7000).for_each(|_| counts[trees[0].sample(temperature, &mut random).unwrap()] += 1);
        let weights: Vec<_> = visits.iter().map(|visits| visits.powf(1.0 / f64::from(temperature))).collect();
        for (&count, weight) in counts.iter().zip(&weights) {
            let expected = 7000.0 * weight / weights.iter().sum::<f64>();
            let error = (f64::from(count) - expected).abs();
            assert!(error <= 5.0 * expected.sqrt() + 1e-9, "{temperature}: {count} for {expected}");
        }
    }
    let most = trees[0].most_visited();
    assert!((0..10).all(|_| trees[0].sample(0.0, &mut random) == most));
}

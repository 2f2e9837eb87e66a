//! States of the doubling cube in the rest of a game: value and owner, and the doubles between them.

use super::super::equity::EquityContext;
use super::super::model::{DoublingModel, Owner, Stake};

/// Equities of one player, by state of the doubling cube.
pub type Equities<const STATES: usize> = [f32; STATES];

/// States of the doubling cube that doubles can reach from a doubling decision. The first state is the one before the decision.
///
/// All values are equities normalized to the doubling cube of the decision, as in
/// [`DoublingDecision`](super::super::DoublingDecision). For money, a state with a doubled cube has the equities of the state
/// before, times 2; three states are enough. In a match, each value of the doubling cube is a state of its own, until no player
/// gains from a double.
pub struct CubeStates<'a> {
    stake: Stake<'a>,
    states: Vec<CubeState>,
    /// Values of losing and winning the doubling cube of the decision.
    scale: [f64; 2],
}

/// Value and owner of the doubling cube.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CubeState {
    cube: i32,
    /// From the view of the player who decides.
    owner: Owner,
}

/// Rules of a player in all states of the doubling cube, from the player's view.
pub struct CubeRules<const STATES: usize> {
    /// Equity of a win with a single game and with a gammon.
    win: [Equities<STATES>; 2],
    /// State after a double, factor from the equities of that state, and equity if the opponent passes. In a state without a
    /// double, the pass is worth more than any equity, and the state is its own.
    doubled: [usize; STATES],
    factor: [f32; STATES],
    pass: [f32; STATES],
}

impl<'a> CubeStates<'a> {
    pub fn new(context: EquityContext<'a>) -> Self {
        let stake = context.stake;
        // Equities for money are computed per value of the doubling cube.
        let cube = if matches!(stake, Stake::Money { .. }) { 1 } else { context.cube };
        let scale = [-cube, cube].map(|points| stake.value_of_points(points));
        let mut states = vec![CubeState { cube, owner: context.owner }];
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            for player in 0..2 {
                if let Some(doubled) =
                    state.doubled(stake, player).filter(|doubled| !states.contains(doubled))
                {
                    states.push(doubled);
                }
            }
            at += 1;
        }
        Self { stake, states, scale }
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns the rules of player 0, who decides, or of player 1.
    pub fn rules<const STATES: usize>(&self, player: usize) -> CubeRules<STATES> {
        let mut rules = CubeRules {
            win: [[0.0; STATES]; 2],
            doubled: std::array::from_fn(|state| state),
            factor: [1.0; STATES],
            pass: [f32::INFINITY; STATES],
        };
        for (at, state) in self.states.iter().enumerate() {
            let is_single = self.stake.is_single(state.owner);
            let won = |points: i32| self.of_player(player, self.stake.value_of_points(sign(player) * points));
            rules.win[0][at] = won(state.cube);
            rules.win[1][at] = won(if is_single { state.cube } else { 2 * state.cube });
            if let Some(doubled) = state.doubled(self.stake, player) {
                rules.doubled[at] = self.states.iter().position(|other| *other == doubled).unwrap_or(at);
                rules.factor[at] = if matches!(self.stake, Stake::Money { .. }) { 2.0 } else { 1.0 };
                rules.pass[at] = won(state.cube);
            }
        }
        rules
    }

    /// Returns the owner of the doubling cube in each state, from the view of a player; [`Owner::Center`] after the last state.
    pub fn owners<const STATES: usize>(&self, player: usize) -> [Owner; STATES] {
        let mut owners = [Owner::Center; STATES];
        for (owner, state) in owners.iter_mut().zip(&self.states) {
            *owner = if player == 0 { state.owner } else { state.owner.flipped() };
        }
        owners
    }

    /// Returns the equities of a player on roll by Janowski's formula, from the player's winning probability without gammons.
    pub fn janowski<const STATES: usize>(&self, player: usize, win: f64, cube_life: f64) -> Equities<STATES> {
        let win = if player == 0 { win } else { 1.0 - win };
        let single = [1.0, 0.0, 0.0];
        let model = DoublingModel { stake: self.stake, win, shares: [single; 2], cube_life };
        let mut equities = [0.0; STATES];
        for (equity, state) in equities.iter_mut().zip(&self.states) {
            *equity = self.of_player(player, model.value(state.cube, state.owner));
        }
        equities
    }

    /// Returns the normalized equity of a player from a value of player 0.
    fn of_player(&self, player: usize, value: f64) -> f32 {
        let [lost, won] = self.scale;
        (f64::from(sign(player)) * (2.0 * (value - lost) / (won - lost) - 1.0)) as f32
    }
}

impl CubeState {
    /// Returns the state after a double; `None` if the player may not double or gains nothing.
    fn doubled(self, stake: Stake<'_>, player: usize) -> Option<Self> {
        let (other, owner, stake) = match player {
            0 => (Owner::Theirs, self.owner, stake),
            _ => (Owner::Mine, self.owner.flipped(), stake.flipped()),
        };
        let cube = if matches!(stake, Stake::Money { .. }) { self.cube } else { 2 * self.cube };
        (owner.may_double() && stake.gains_from_doubling(self.cube)).then_some(Self { cube, owner: other })
    }
}

/// Returns 1 for player 0 and −1 for player 1.
fn sign(player: usize) -> i32 {
    1 - 2 * player as i32
}

impl<const STATES: usize> CubeRules<STATES> {
    /// Returns the equities of a win.
    pub fn win(&self, is_gammon: bool) -> &Equities<STATES> {
        &self.win[usize::from(is_gammon)]
    }

    /// Returns the equities before the decision to double, from `held`, the equities without a double. The opponent replies
    /// best.
    #[inline]
    pub fn before_double(&self, held: &Equities<STATES>) -> Equities<STATES> {
        std::array::from_fn(|state| held[state].max(self.double_take(held, state).min(self.pass[state])))
    }

    /// Returns the equity after a double and a take, from the equities without a double.
    #[inline]
    pub fn double_take(&self, held: &Equities<STATES>, state: usize) -> f32 {
        self.factor[state] * held[self.doubled[state]]
    }
}

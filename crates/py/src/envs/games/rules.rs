//! Interface of a game or puzzle.

/// Settings of the games of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameSettings {
    /// Number of random quarter turns that scramble a cube.
    pub(crate) scramble_length: u32,
    /// Whether the stickers of a cube are observed as one-hot vectors.
    pub(crate) one_hot: bool,
}

/// Key of the random numbers of one episode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EpisodeKey {
    /// Seed of the environment.
    pub(crate) seed: u64,
    /// Index of the environment's episode, counted from 0.
    pub(crate) episode: u32,
}

/// Result of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlayResult {
    /// Reward of the player who acted.
    pub(crate) reward: f32,
    /// Whether the game is over.
    pub(crate) terminated: bool,
}

/// State and rules of one game or puzzle, for one or two players. The player to move acts.
pub(crate) trait GameRules: Copy + Send + Sync + 'static {
    /// Name of the game, such as `connect-four`.
    const NAME: &'static str;
    /// Number of actions. An action is an index from 0 to `ACTIONS` − 1.
    const ACTIONS: usize;
    /// Number of players: 1 or 2.
    const PLAYERS: u8;
    /// Default time limit in steps; `None` for no limit.
    const STEP_LIMIT: Option<u32>;
    /// Default number of random turns of a scramble; `None` if the game is not a cube.
    const SCRAMBLE_LENGTH: Option<u32> = None;
    /// Largest reward of a player. An action that loses the game because it is illegal has the reward
    /// −`LARGEST_REWARD`.
    const LARGEST_REWARD: f32;

    /// Returns the shape of an observation, and the largest value of its elements.
    fn observation_space(settings: &GameSettings) -> (Vec<usize>, u8);

    /// Begins an episode in a state in which the game is not over.
    fn begin(settings: &GameSettings, key: EpisodeKey) -> Self;

    /// Applies a legal action of the player to move.
    fn play(&mut self, action: usize) -> PlayResult;

    /// Returns the names of the actions; an empty list if the actions have no names.
    fn action_names() -> Vec<String> {
        Vec::new()
    }

    /// Returns the player to move: 0 or 1.
    fn player(&self) -> u8 {
        0
    }

    /// Writes the mask of legal actions to `mask`, `[ACTIONS]`: 1 for a legal action, else 0. The game must not be
    /// over.
    fn write_legal(&self, mask: &mut [i8]) {
        mask.fill(1);
    }

    /// Writes the observation from the view of `player` to `row`.
    fn write_observation(&self, settings: &GameSettings, player: u8, row: &mut [u8]);
}

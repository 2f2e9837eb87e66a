//! Curriculum over levels of difficulty (Bengio et al. 2009, ["Curriculum
//! learning"](https://doi.org/10.1145/1553374.1553380)).

use super::config::DqnConfig;
use vivarium_kernels::rng;

/// State of a curriculum. Episodes have a level of difficulty, and only the easiest levels are open at first. The
/// next level opens when the success rate at the hardest open level reaches a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Curriculum {
    /// Hardest open level of difficulty, counted from 1; 0 if the problem has no levels.
    pub open: u32,
    /// Number of episodes at the hardest open level since the measurement of the success rate was started.
    pub episodes: u32,
    /// Number of successful episodes at the hardest open level since the measurement of the success rate was started.
    pub successes: u32,
    levels: u32,
}

impl Curriculum {
    /// Creates the curriculum of a new run of a problem with `levels` levels of difficulty: opens level 1, or all
    /// levels if the curriculum is disabled.
    pub fn new(config: &DqnConfig, levels: u32) -> Self {
        let open = if config.curriculum_threshold > 0.0 { levels.min(1) } else { levels };
        Self { open, episodes: 0, successes: 0, levels }
    }

    /// Draws the level of difficulty of an episode: the hardest open level with probability ½, otherwise a uniformly
    /// random open level. `seed`, `env` (index of the environment) and `episode` (index of its episode) determine the
    /// random choice.
    pub fn level(&self, seed: u64, env: u32, episode: u32) -> u32 {
        let [coin, any] = rng::block(seed, env, episode);
        match self.open {
            0 => 0,
            open if coin & 1 == 0 => open,
            open => 1 + ((u64::from(any) * u64::from(open)) >> 32) as u32,
        }
    }

    /// Records whether an episode at difficulty `level` was a success. After every `curriculum_episodes` episodes at
    /// the hardest open level, opens the next level if the success rate reaches the threshold, and restarts the
    /// measurement.
    pub fn record(&mut self, config: &DqnConfig, level: u32, success: bool) {
        if level != self.open || self.open == self.levels {
            return;
        }
        self.episodes += 1;
        self.successes += u32::from(success);
        if self.episodes >= config.curriculum_episodes {
            let rate = self.successes as f32 / self.episodes as f32;
            self.open += u32::from(rate >= config.curriculum_threshold);
            (self.episodes, self.successes) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_opens_when_the_previous_one_is_solved() {
        let config = DqnConfig { curriculum_threshold: 0.75, curriculum_episodes: 4, ..Default::default() };
        let mut curriculum = Curriculum::new(&config, 3);
        assert_eq!(curriculum.open, 1);
        let mut four = |level, successes| {
            (0..4).for_each(|n| curriculum.record(&config, level, n < successes));
            curriculum.open
        };
        assert_eq!(four(1, 2), 1);
        assert_eq!(four(1, 3), 2);
        // Episodes at easier levels do not count, and no level follows the last one.
        assert_eq!(four(1, 4), 2);
        assert_eq!([four(2, 4), four(3, 4), four(3, 4)], [3, 3, 3]);
        let none = DqnConfig { curriculum_threshold: 0.0, ..config.clone() };
        assert_eq!(Curriculum::new(&none, 3).open, 3);
        assert_eq!(Curriculum::new(&config, 0).open, 0);
    }

    #[test]
    fn half_of_the_episodes_have_the_hardest_level_and_all_levels_occur() {
        let config = DqnConfig { curriculum_threshold: 0.0, ..Default::default() };
        let curriculum = Curriculum::new(&config, 5);
        let mut counts = [0; 6];
        (0..10_000).for_each(|episode| counts[curriculum.level(1, 2, episode) as usize] += 1);
        assert_eq!(counts[0], 0);
        assert!(counts[1..5].iter().all(|&count| (900..1100).contains(&count)), "{counts:?}");
        assert!((5_800..6_200).contains(&counts[5]), "{counts:?}");
        assert_eq!(Curriculum::new(&config, 0).level(1, 2, 3), 0);
    }
}

//! Tests of the learners' configs: defaults are valid, and every field is described.

use vivarium_agents::alphazero::AlphaZeroConfig;
use vivarium_agents::cube3::Cube3Config;
use vivarium_agents::dqn::DqnConfig;
use vivarium_agents::ppo::PpoConfig;
use vivarium_config::assert_described;

#[test]
fn defaults_are_allowed_and_every_field_is_described_once() {
    assert_described::<PpoConfig>();
    PpoConfig::default().check().unwrap();
    assert_described::<DqnConfig>();
    DqnConfig::default().check().unwrap();
    assert_described::<AlphaZeroConfig>();
    AlphaZeroConfig::default().check().unwrap();
    assert_described::<Cube3Config>();
    Cube3Config::default().check().unwrap();
}

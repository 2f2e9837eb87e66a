//! Validation of configs: accepted values, error messages and renamed fields.

use proptest::prelude::*;
use serde_json::{Value, json};
use vivarium_exhibits::{REGISTRY, info};
use vivarium_lab::info::RenamedField;
use vivarium_lab::registry::LARGEST_SEED;
use vivarium_lab::renamed_fields::{RENAMED_FIELDS, RENAMED_PRESETS, RENAMED_VALUES};
use vivarium_lab::{LabError, checkpoint, config};

fn refused(name: &str, given: Value) -> (String, String, String) {
    match REGISTRY.configure(name, &given) {
        Err(LabError::Invalid { field, value, allowed }) => (field, value, allowed),
        other => panic!("{given} gave {other:?}"),
    }
}

#[test]
fn seeds_above_the_largest_exact_integer_are_rejected() {
    assert!(REGISTRY.create("cartpole", &json!({}), LARGEST_SEED).is_ok());
    let error = REGISTRY.create("cartpole", &json!({}), 1 << 53).err().unwrap().to_string();
    assert!(error.contains("seed = 9007199254740992") && error.contains("9007199254740991"), "{error}");
}

#[test]
fn every_default_and_preset_is_a_complete_valid_config() {
    for name in REGISTRY.names() {
        let info = vivarium_exhibits::info(name).unwrap();
        assert_eq!(info.name, name);
        assert_eq!(REGISTRY.configure(name, &json!({})).unwrap(), info.defaults);
        assert_eq!(info.presets[0].config, json!({}), "{name}: the first preset is the default");
        for preset in &info.presets {
            let config = REGISTRY.configure(name, &json!({"preset": preset.name})).unwrap();
            assert_eq!(REGISTRY.configure(name, &config).unwrap(), config);
            assert_eq!(config::difference(&config, &info.defaults), preset.config, "{name} {}", preset.name);
            assert!(preset.help.ends_with('.'), "{}", preset.help);
        }
        for metric in &info.metrics {
            assert!(metric.help.ends_with('.') && !metric.label.is_empty(), "{}", metric.name);
        }
        for field in &info.fields {
            assert_eq!(field.check(&field.default).as_ref(), Ok(&field.default), "{}", field.path);
            assert!(field.help.ends_with('.') && !field.label.is_empty(), "{}", field.path);
        }
    }
}

/// Checks that each family creates the experiment with the requested name. A name that the family does not contain must
/// give an error, not another experiment.
#[test]
fn every_name_creates_its_own_experiment_and_no_other() {
    for family in REGISTRY.families {
        for name in family.names() {
            assert_eq!(family.create(name, &json!({}), 1).unwrap().name(), name);
        }
        for name in ["frozen-cake", "cartpole", "language"] {
            if !family.names().contains(&name) {
                let error = family.configure(name, &json!({})).unwrap_err().to_string();
                assert!(error.contains(name) && error.contains(family.names()[0]), "{error}");
                assert!(family.create(name, &json!({}), 1).is_err());
            }
        }
    }
}

#[test]
fn given_fields_win_over_the_preset_and_the_preset_over_the_defaults() {
    let given = json!({"preset": "moon", "world": {"force": 7}});
    let config = REGISTRY.configure("cartpole", &given).unwrap();
    assert_eq!(config["world"]["gravity"], json!(1.62));
    assert_eq!(config["world"]["force"], json!(7.0));
    assert_eq!(config["ppo"]["discount"], json!(0.99));
}

#[test]
fn messages_name_the_field_the_value_and_what_is_allowed() {
    let out_of_range = refused("cartpole", json!({"world": {"gravity": -3}}));
    assert_eq!((out_of_range.0.as_str(), out_of_range.1.as_str()), ("world.gravity", "-3"));
    assert!(out_of_range.2.contains("a number from 0 to"), "{}", out_of_range.2);

    let wrong_type = refused("cartpole", json!({"ppo": {"epochs": "four"}}));
    assert_eq!((wrong_type.0.as_str(), wrong_type.1.as_str()), ("ppo.epochs", "\"four\""));
    assert!(wrong_type.2.contains("a whole number from 1 to"), "{}", wrong_type.2);

    let fraction = refused("cartpole", json!({"ppo": {"epochs": 2.5}}));
    assert_eq!(fraction.1, "2.5");

    let unknown = refused("cartpole", json!({"world": {"gravitty": 3}}));
    assert_eq!(unknown.0, "world.gravitty");
    assert!(unknown.2.contains("did you mean world.gravity?"), "{}", unknown.2);
    let without_section = refused("cartpole", json!({"gravity": 3}));
    assert!(without_section.2.contains("did you mean world.gravity?"), "{}", without_section.2);

    let section = refused("cartpole", json!({"world": 3}));
    assert!(section.2.contains("must be a JSON object"), "{}", section.2);

    let choice = refused("pendulum", json!({"ppo": {"activation": "sine"}}));
    assert!(choice.2.contains("tanh, relu"), "{}", choice.2);

    let list = refused("pendulum", json!({"ppo": {"hidden": [64, 0]}}));
    assert_eq!((list.0.as_str(), list.1.as_str()), ("ppo.hidden", "[64,0]"));

    // JavaScript serializes NaN as null.
    assert_eq!(refused("cartpole", json!({"world": {"gravity": null}})).1, "null");

    let preset = refused("cartpole", json!({"preset": "mon"}));
    assert!(preset.0 == "preset" && preset.2.contains("moon"), "{preset:?}");

    let together = refused("cartpole", json!({"ppo": {"num_envs": 1, "horizon": 8, "minibatch": 9}}));
    assert_eq!(together.0, "ppo.minibatch");

    let memory = refused("cartpole", json!({"ppo": {"hidden": [4096, 4096]}}));
    assert_eq!(memory.0, "ppo.hidden");

    let experiment = refused("cartpol", json!({}));
    assert!(experiment.2.contains("did you mean cartpole?"), "{}", experiment.2);
}

#[test]
fn numbers_come_back_as_the_learner_takes_them() {
    let given = json!({"ppo": {"learning_rate": 0.218_248_315_030_282_86, "discount": 0.9}});
    let config = REGISTRY.configure("cartpole", &given).unwrap();
    assert_eq!(config["ppo"]["learning_rate"], json!(0.21824831));
    assert_eq!(config["ppo"]["discount"], json!(0.9));
    let text = config.to_string();
    assert_eq!(config::parse(&text).unwrap(), config);
}

#[test]
fn a_long_value_is_shown_short() {
    let (_, value, _) = refused("cartpole", json!({"world": {"gravity": "x".repeat(10_000)}}));
    assert!(value.chars().count() <= 60, "{value}");
}

#[test]
fn set_accepts_json_or_a_bare_string() {
    assert_eq!(config::assignment("world.gravity=12").unwrap(), ("world.gravity".into(), json!(12)));
    assert_eq!(
        config::assignment("ppo.activation = relu").unwrap(),
        ("ppo.activation".into(), json!("relu"))
    );
    assert_eq!(config::assignment("ppo.hidden=[8, 8]").unwrap().1, json!([8, 8]));
    assert!(config::assignment("gravity").is_err());
    assert!(config::assignment("=3").is_err());

    let mut given = json!({});
    config::set(&mut given, "world.gravity", json!(12)).unwrap();
    config::set(&mut given, "preset", json!("moon")).unwrap();
    assert_eq!(given, json!({"world": {"gravity": 12}, "preset": "moon"}));
    let before = given.clone();
    for path in ["", ".", "world.", "world..gravity", "world.gravity.deep", "a.b.c.d.e"] {
        assert!(config::set(&mut given, path, json!(1)).is_err(), "{path}");
        assert_eq!(given, before);
    }
}

#[test]
fn text_that_is_not_json_is_rejected_with_line_and_column() {
    let error = config::parse("{\"world\": {\"gravity\": 1e999}}").unwrap_err().to_string();
    assert!(error.contains("line 1"), "{error}");
    assert!(config::parse(&"[".repeat(100_000)).is_err());
}

/// Generates arbitrary JSON values, nested up to three levels.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("world|ppo|preset|gravity|lanes|.{0,6}", inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Generates a config of the experiment `name` in which up to four known fields have arbitrary values.
fn nearly_right(name: &'static str) -> impl Strategy<Value = Value> {
    let paths: Vec<String> =
        info(name).unwrap().fields.into_iter().map(|field| field.path.to_owned()).collect();
    let numbers =
        prop_oneof![(-10.0..10.0).prop_map(Value::from), (0..5000).prop_map(Value::from), anything()];
    prop::collection::vec((prop::sample::select(paths), numbers), 0..5).prop_map(|changes| {
        let mut given = json!({});
        for (path, value) in changes {
            // A path through an earlier value is rejected and changes nothing.
            let _ = config::set(&mut given, &path, value);
        }
        given
    })
}

proptest! {
    #[test]
    fn no_config_panics_and_accepted_configs_are_valid(
        name in prop::sample::select(REGISTRY.names().collect::<Vec<_>>()),
        given in prop_oneof![anything(), nearly_right("cartpole"), nearly_right("pendulum")],
    ) {
        match REGISTRY.configure(name, &given) {
            Ok(config) => prop_assert_eq!(REGISTRY.configure(name, &config), Ok(config)),
            Err(error) => {
                let named = matches!(error, LabError::Invalid { .. });
                prop_assert!(named, "{error}");
            }
        }
    }

    #[test]
    fn no_text_panics(text in ".{0,40}") {
        let _ = config::parse(&text);
        if let Ok((path, value)) = config::assignment(&text) {
            let mut given = json!({});
            let _ = config::set(&mut given, &path, value);
            let _ = REGISTRY.configure("cartpole", &given);
        }
        let _ = REGISTRY.configure(&text, &json!({}));
    }
}

#[test]
fn every_present_path_is_a_field() {
    let known: Vec<_> = REGISTRY.names().flat_map(|name| info(name).unwrap().renamed_fields).collect();
    for (former, present) in RENAMED_FIELDS {
        let section = format!("{former}.");
        let leads = |known: &RenamedField| known.former == former || known.former.starts_with(&section);
        assert!(known.iter().any(leads), "{present} is no field");
    }
}

#[test]
fn former_values_of_choice_fields_configure_the_same_run() {
    for (path, former, current) in RENAMED_VALUES {
        let has = |name: &&str| info(name).unwrap().renamed_values.iter().any(|known| known.path == path);
        let name = REGISTRY.names().find(has).unwrap_or_else(|| panic!("{path} is no field"));
        // Both values of `task.start` need boards of 3×3 cells, as in the preset `life`.
        let config = |value: &str| {
            let mut given = json!({ "preset": "life" });
            config::set(&mut given, path, json!(value)).unwrap();
            REGISTRY.configure(name, &given).unwrap()
        };
        assert_eq!(config(former), config(current));
    }
}

#[test]
fn the_error_for_a_checkpoint_of_an_unknown_experiment_lists_the_experiments() {
    let bytes = REGISTRY.create("cube2", &json!({}), 1).unwrap().save();
    let (mut header, tensors) = checkpoint::read(&bytes).unwrap();
    header.experiment = "chess".into();
    let file = checkpoint::write(&header, &tensors.into_vec());
    let error = REGISTRY.open(&file).map(drop).unwrap_err().to_string();
    assert!(error.contains("the experiments are cartpole"), "{error}");
}

#[test]
fn every_present_name_is_a_preset_and_the_former_one_opens_it() {
    for (former, present) in RENAMED_PRESETS {
        let has = |name: &&str| info(name).unwrap().presets.iter().any(|preset| preset.name == present);
        let name = REGISTRY.names().find(has).unwrap_or_else(|| panic!("{present} is no preset"));
        let config = |preset: &str| REGISTRY.configure(name, &json!({ "preset": preset })).unwrap();
        assert_eq!(config(former), config(present));
    }
}

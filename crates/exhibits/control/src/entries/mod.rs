//! Configs and descriptions of the control experiments. Each source file of environments in the table of `vivarium_envs` has a
//! file of the same name here.

pub(crate) mod describe;
pub(crate) mod dqn;
pub(crate) mod ppo;

macro_rules! modules {
    ({} $($file:ident: $($world:ident),+;)+) => {
        $(mod $file;)+
    };
}
vivarium_envs::for_each_world!([modules]);

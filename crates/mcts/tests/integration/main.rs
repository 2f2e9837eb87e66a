//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod bearoff;
mod connect_four;
mod tree;
#[path = "../../../envs/tests/shared/two_sided.rs"]
mod two_sided;

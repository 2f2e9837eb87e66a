//! Integration tests in one program, to compile and link once.

mod bearoff;
mod connect_four;
mod tree;

//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod checkpoint;

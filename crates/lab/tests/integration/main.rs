//! Tests of the public interface, in one test binary to compile and link once.

mod checkpoint;

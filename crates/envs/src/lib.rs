//! The worlds' rules, nothing about learning: classic control.

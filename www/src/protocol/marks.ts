// Generated from crates/exhibits/games by `UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits`; a test fails when it is out of date.

/** Smallest equity losses in points of the marks of errors, in descending order. */
export const marks = [
  { loss: 0.12, mark: '??' },
  { loss: 0.06, mark: '?' },
  { loss: 0.03, mark: '?!' },
] as const

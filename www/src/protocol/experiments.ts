// Generated from the crates of the exhibits by `UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits`; a test fails when it is out
// of date.

/** Name and family of each experiment, in display order. */
export const experiments = [
  { name: 'cartpole', family: 'control' },
  { name: 'mountain-car', family: 'control' },
  { name: 'pendulum', family: 'control' },
  { name: 'acrobot', family: 'control' },
  { name: 'frozen-lake', family: 'control' },
  { name: 'frozen-lake-8x8', family: 'control' },
  { name: 'logic-ca', family: 'logic_ca' },
  { name: 'backgammon', family: 'games' },
  { name: 'connect-four', family: 'games' },
  { name: 'cube2', family: 'cube' },
  { name: 'cube3', family: 'cube' },
  { name: 'language', family: 'language' },
] as const

/** Beginnings that the built-in encyclopedia knows how to go on from. */
export const examples: readonly string[] = [
  'The capital of Portugal is',
  'Iron is',
  'The Danube',
  'The largest planet',
  'People in Japan pay with',
]

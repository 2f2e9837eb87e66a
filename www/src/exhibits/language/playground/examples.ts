/** Example prompts for the built-in encyclopedia. */
export const examples: readonly string[] = [
  'The capital of Portugal is',
  'Iron is',
  'The Danube',
  'The largest planet',
  'People in Japan pay with',
]

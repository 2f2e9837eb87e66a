/** Settings of a language model that trains and answers at once, for links. */
export const smallModel = [
  'encyclopedia.bytes=60000',
  'learner.vocabulary=300',
  'learner.context=32',
  'learner.layers=1',
  'learner.heads=2',
  'learner.width=32',
  'learner.batch=4',
  'evaluation.every=20',
  'evaluation.windows=4',
  'evaluation.questions=40',
].join('&')

import { expect, test } from 'vitest'
import { Lab } from '../../state/lab.svelte'
import { besideChoiceOf } from './beside-choice.svelte'

test('the choices of the form last as long as the lab', () => {
  const lab = new Lab()
  const choice = besideChoiceOf(lab)
  expect([choice.first, choice.second, choice.settings]).toEqual([lab.engine, lab.engine, undefined])
  choice.second = 'gpu'
  choice.settings = 'moon'
  const reopened = besideChoiceOf(lab)
  expect([reopened.first, reopened.second, reopened.settings]).toEqual([lab.engine, 'gpu', 'moon'])
})

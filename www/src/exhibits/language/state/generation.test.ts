import { expect, test, vi } from 'vitest'
import { Lab } from '../../../state/lab.svelte'
import { generationOf } from './generation.svelte'
import { languageOf } from './language.svelte'

test('another run has no requested text and no error, although its texts have the same numbers', async () => {
  const lab = new Lab()
  const [language, generation] = [languageOf(lab), generationOf(lab)]
  const trial = vi.spyOn(language, 'trial').mockResolvedValue(null)
  const draft = { id: 1 } as never
  language.draft = draft
  await generation.generate('Once')
  expect(generation.pending).toBe(true)
  ;(lab as unknown as { show(frame: null): void }).show(null)
  language.draft = draft
  expect(generation.pending).toBe(false)
  trial.mockResolvedValue('too long')
  await generation.generate('Once')
  ;(lab as unknown as { show(frame: null): void }).show(null)
  expect(generation.problem).toBeNull()
})

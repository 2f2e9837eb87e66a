import { describe, expect, test } from 'vitest'
import { guideOf } from '../../../tests/fixtures/guides'
import { termOf } from '../glossary'
import { familyOfWorld } from '../worlds'
import { firstTerms } from './first-terms'

describe('the terms to begin with', () => {
  test('are ten, each in one sentence, with its entry in the glossary', () => {
    expect(firstTerms.map(({ name }) => name)).toEqual([
      ...['Agent', 'Environment', 'Episode', 'Return', 'Policy', 'Value', 'Network', 'Loss', 'Training step'],
      'Evaluation',
    ])
    for (const { name, definition, slug } of firstTerms) {
      expect([name, definition]).toEqual([name, expect.stringMatching(/^[^.]+\.$/)])
      expect([name, termOf(slug)?.slug]).toEqual([name, slug])
    }
  })

  test('are seen in steps of guides that exist', async () => {
    for (const { name, seen } of firstTerms) {
      const guide = await guideOf(familyOfWorld(seen.world)!, seen.world)
      expect([name, guide[seen.step - 1] !== undefined]).toEqual([name, true])
    }
  })
})

import { expect, test } from 'vitest'
import { heroLine } from './hero'

test('the home page says whether the run trains, is paused or is solved', () => {
  const line = (running: 'running' | 'starting' | 'paused', steps: number, seconds?: number): string =>
    heroLine({
      running,
      progress: { steps, updates: 0, episodes: 0, total_steps: null },
      solved: seconds === undefined ? null : { steps, seconds },
    })
  expect(line('running', 4096)).toMatch(/is being trained now/)
  expect(line('starting', 0)).toMatch(/is being trained now/)
  expect(line('paused', 1_200_000)).toMatch(/paused after 1\.20\u00a0M steps/)
  expect(line('paused', 0)).toMatch(/press Train/)
  expect(line('running', 66_000, 7.4)).toMatch(/was trained .* after 7\.4\u00a0s/)
})

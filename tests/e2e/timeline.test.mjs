// Tests of the timeline: snapshots of the run, the display of one, and the return to the present.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { inWindow, number, steps, until } from './exhibit.mjs'

describe('the timeline', () => {
  const games = '#/connect-four?seed=1&network.width=32&network.blocks=1&speed=max'
  for (const where of ['#/cartpole', '#/cube2', '#/logic-ca?seed=1', games])
    inWindow(`shows snapshots of ${where.replace(/\?.*/, '')}`, where, {}, async (visitor) => {
      const { at, page } = visitor
      const timeline = at('timeline')
      await timeline.waitFor()
      if (where === games) await at('play-newest').check({ force: true })
      await until(async () => (await number(visitor, 'timeline', 'snapshots')) >= 3, 'three snapshots')
      const workers = page.workers().length
      await at('timeline-at').fill('0')
      await until(
        async () =>
          (await timeline.getAttribute('data-value')) !== '' &&
          (await timeline.getAttribute('data-busy')) === 'false',
        'the first snapshot',
      )
      assert.ok(page.workers().length > workers, 'a second session shows the snapshot')
      // The position on the board is evaluated by the network of that moment.
      if (where === games) await at('standing-trained').getByText('before training').waitFor()
      const first = await number(visitor, 'timeline')
      // Training continues meanwhile.
      const before = await steps(visitor)
      await until(async () => (await steps(visitor)) > before, 'training to continue')
      await at('timeline-at').press('ArrowRight')
      await until(async () => (await number(visitor, 'timeline')) > first, 'the next snapshot')
      await at('timeline-present').click()
      await until(async () => (await timeline.getAttribute('data-value')) === '', 'the present')
      if (where === games) await at('standing-trained').waitFor({ state: 'detached' })
    })
})

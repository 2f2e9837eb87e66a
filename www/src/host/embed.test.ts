import { expect, test } from 'vitest'
import { embedAddress, embedCode, fullAddress } from './embed'

test('the addresses of the embedded and the full page lead to each other, under any path', () => {
  for (const page of ['https://a.org/', 'https://a.org/vivarium/', 'https://a.org/vivarium/index.html']) {
    const address = embedAddress('#/cartpole?seed=2', `${page}?threads=1#/pendulum`)
    expect(address).toBe(`${page.replace('index.html', '')}embed/#/cartpole?seed=2`)
    expect(fullAddress('#/cartpole', address)).toBe(`${page.replace('index.html', '')}#/cartpole`)
  }
})

test('the frame is higher in a narrow column', () => {
  expect(embedCode('https://a.org/', 'A')).toMatch(
    /style="[^"]*width: 100%; aspect-ratio: .*min-height: max\(520px, calc\(1020px - 60vw\)\)"/,
  )
})

test('the code of a frame escapes its attributes', () => {
  const code = embedCode('https://a.org/embed/#/language?data="x"&seed=2', 'A "model" & more')
  expect(code).toContain('src="https://a.org/embed/#/language?data=&quot;x&quot;&amp;seed=2"')
  expect(code).toContain('title="A &quot;model&quot; &amp; more"')
})

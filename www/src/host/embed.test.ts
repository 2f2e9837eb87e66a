import { expect, test } from 'vitest'
import { embedAddress, embedCode, frameAddress, frameStyle, fullAddress } from './embed'

test('the addresses of the embedded and the full page lead to each other, under any path', () => {
  for (const page of ['https://a.org/', 'https://a.org/vivarium/', 'https://a.org/vivarium/index.html']) {
    const address = embedAddress('#/cartpole?seed=2', `${page}?threads=1#/pendulum`)
    expect(address).toBe(`${page.replace('index.html', '')}embed/#/cartpole?seed=2`)
    const own = frameAddress('#/cartpole', page)
    expect(own).toBe(`${page.replace('index.html', '')}frame/#/cartpole`)
    expect(fullAddress('', own)).toBe(page.replace('index.html', ''))
    expect(fullAddress('#/cartpole', address)).toBe(`${page.replace('index.html', '')}#/cartpole`)
  }
})

test('a frame has at least the height of its content, and a picture with a curve more in a narrow column', () => {
  const style = 'border: 0; width: 100%; aspect-ratio: 16 / 9; min-height: '
  expect(frameStyle(480, true)).toBe(`${style}max(480px, calc(1020px - 60vw))`)
  expect(frameStyle(200, false)).toBe(`${style}200px`)
  expect(embedCode('https://a.org/', 'A', frameStyle(200, false))).toContain(`style="${style}200px"`)
})

test('the code of a frame escapes its attributes', () => {
  const code = embedCode('https://a.org/embed/#/language?data="x"&seed=2', 'A "model" & more', 'border: 0')
  expect(code).toContain('src="https://a.org/embed/#/language?data=&quot;x&quot;&amp;seed=2"')
  expect(code).toContain('title="A &quot;model&quot; &amp; more"')
  expect(code).not.toContain('figure')
  expect(embedCode('https://a.org/', 'A', 'border: 0', 'Error < 5 % & falling')).toMatch(
    /^<figure style="margin: 0"><iframe .*<\/iframe><figcaption>Error &lt; 5 % &amp; falling<\/figcaption><\/figure>$/,
  )
})

// The first picture of the README: CartPole with its learning curve, and four other exhibits below, recorded as on a phone.
import sharp from 'sharp'
import { record, spread } from './record.mjs'
import { completeSentences, home, scenes } from './scenes.mjs'

const width = 880
const gap = 12
/** Side of a lower panel, and height of a caption below a panel. */
const side = (width - 3 * gap) / 4
const caption = 30
const frameCount = 40
const phone = { width: 390, height: 844 }

const sceneOf = (name) => ({
  ...scenes.find((scene) => scene.name === name),
  size: phone,
  region: 'main .box',
  margin: 0,
})
const cartpole = { ...home, size: { width: 1040, height: 760 }, region: 'main > .box' }
const lower = [
  { scene: sceneOf('backgammon'), title: 'Backgammon', learner: 'AlphaZero' },
  { scene: { ...sceneOf('language'), play: completeSentences }, title: 'Language', learner: 'GPT' },
  { scene: sceneOf('cube3'), title: 'Cube 3×3×3', learner: 'beam search' },
  { scene: sceneOf('logic-ca'), title: 'Logic automaton', learner: 'soft gates' },
]

/** Draws the captions at their places, in the font and the colors of the page. */
async function background(chrome, address, colorScheme, height, captions) {
  const page = await chrome.newPage({
    viewport: { width, height },
    colorScheme,
    javaScriptEnabled: false,
    bypassCSP: true,
  })
  await page.goto(address)
  const draw = ({ x, y, title, learner }) =>
    `<p style="position: absolute; left: ${x}px; top: ${y}px; margin: 5px 2px; font-size: 14px">
      <b style="font-weight: 600">${title}</b> <span style="color: var(--muted)">${learner}</span></p>`
  await page.evaluate((html) => {
    // The stylesheet is linked at the end of the body.
    document.head.append(...document.body.querySelectorAll('link'))
    document.body.innerHTML = html
  }, captions.map(draw).join(''))
  await page.evaluate(() => document.fonts.ready)
  const png = await page.screenshot()
  await page.close()
  return png
}

/** Scales a frame to a width. The top of a frame that is higher than `height` is kept. */
const scaled = (frame, width, height) =>
  sharp(frame).resize({ width, height, position: 'top' }).png().toBuffer()

/** Composes the frames of the first picture from one list of frames for each panel, CartPole first. */
export async function compose(chrome, address, theme, recorded) {
  const panels = await Promise.all(
    recorded.map((frames, i) =>
      Promise.all(spread(frames, frameCount).map((frame) => scaled(frame, ...(i ? [side, side] : [width])))),
    ),
  )
  const { height } = await sharp(panels[0][0]).metadata()
  const top = height + caption + gap
  const x = (i) => i * (side + gap)
  const captions = [
    { x: 0, y: height, title: 'CartPole', learner: 'PPO' },
    ...lower.map((panel, i) => ({ x: x(i), y: top + side, ...panel })),
  ]
  const ground = await background(chrome, address, theme, top + side + caption, captions)
  const place = (input, i) => (i ? { input, left: x(i - 1), top } : { input, left: 0, top: 0 })
  return Promise.all(
    panels[0].map((_, at) =>
      sharp(ground)
        .composite(panels.map((frames, i) => place(frames[at], i)))
        .png()
        .toBuffer(),
    ),
  )
}

/** Records the five panels in both themes. Returns the frames of the hero by theme. */
export async function composeHero(chrome, address) {
  const recorded = []
  for (const scene of [cartpole, ...lower.map(({ scene }) => scene)])
    recorded.push((await record(chrome, address, scene, ['dark', 'light'])).frames)
  const inTheme = (theme) =>
    compose(
      chrome,
      address,
      theme,
      recorded.map((frames) => frames[theme]),
    )
  return { dark: await inTheme('dark'), light: await inTheme('light') }
}

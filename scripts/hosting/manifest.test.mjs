import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { worldCard } from '../../www/src/worlds'
import { root } from '../run.mjs'
import { icons, shortcuts, webManifest } from './manifest.mjs'

describe('the manifest', () => {
  const manifest = webManifest(icons.map(({ file }) => file))

  test('has what browsers require to install the page', () => {
    expect(manifest.short_name.length).toBeLessThanOrEqual(12)
    expect(manifest.display).toBe('standalone')
    const sizes = manifest.icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`)
    expect(sizes).toEqual(['any 192x192', 'any 512x512', 'maskable 512x512'])
  })

  test('works under any path', () => {
    const at = (url) => new URL(url, 'https://example.org/a/b/manifest.webmanifest').href
    const urls = [manifest.start_url, manifest.scope, ...manifest.shortcuts.map(({ url }) => url)]
    for (const url of urls) expect(at(url).replace(/#.*/, '')).toBe('https://example.org/a/b/')
  })

  test('names exhibits by their titles', () => {
    const entries = /** @type {[keyof typeof shortcuts, string][]} */ (Object.entries(shortcuts))
    for (const [name, title] of entries) expect(worldCard(name).title).toBe(title)
  })

  test('has the colors of the page before its first paint', () => {
    for (const file of ['index.html', 'www/head.html'])
      expect(readFileSync(join(root, file), 'utf8')).toContain(manifest.background_color)
  })
})

describe.each(icons)('the icon $file', ({ file, size, purpose }) => {
  test('is a PNG of the stated size, opaque if it is maskable', async () => {
    const icon = sharp(join(root, file))
    expect(await icon.metadata()).toMatchObject({ format: 'png', width: size, height: size })
    expect((await icon.stats()).isOpaque).toBe(purpose === 'maskable')
  })
})

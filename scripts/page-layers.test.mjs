import { expect, test } from 'vitest'
import { importsOf, wrongImports } from './page-layers.mjs'

const layers = ['lib', 'state', 'exhibits/shared', 'exhibits/*', 'main.ts']
const wrong = (file, target) => wrongImports(new Map([[file, [target]]]), layers)

test('imports point down, and families do not know each other', () => {
  expect(wrong('state/lab.ts', 'lib/files.ts')).toEqual([])
  expect(wrong('state/lab.ts', 'state/route.ts')).toEqual([])
  expect(wrong('main.ts', 'state/lab.ts')).toEqual([])
  expect(wrong('lib/files.ts', 'state/lab.ts')).toEqual([
    'www/src/lib/files.ts may not import from www/src/state',
  ])
  expect(wrong('exhibits/games/World.svelte', 'exhibits/shared/GlassBox.svelte')).toEqual([])
  expect(wrong('exhibits/games/World.svelte', 'exhibits/cube/World.svelte')).toHaveLength(1)
  expect(wrong('other/a.ts', 'lib/files.ts')[0]).toContain('has no place')
})

test('the folders of a family have no import cycles', () => {
  const imports = new Map([
    ['exhibits/cube/World.svelte', ['exhibits/cube/net/net.ts']],
    ['exhibits/cube/net/net.ts', ['exhibits/cube/model/turns.ts']],
  ])
  expect(wrongImports(imports, layers)).toEqual([])
  imports.set('exhibits/cube/model/turns.ts', ['exhibits/cube/World.svelte'])
  expect(wrongImports(imports, layers)).toEqual([
    'folders of www/src import each other: exhibits/cube, exhibits/cube/model, exhibits/cube/net',
  ])
})

test('imports are found however they are written', () => {
  const text = `import a from './a'
    import type { B } from '../b/b.svelte'
    import { useState } from 'svelte'
    import './c.css'
    const d = () => import('./d.svelte')
    export * from './e'`
  const files = ['x/a.ts', 'b/b.svelte.ts', 'x/d.svelte', 'x/e.ts']
  expect(importsOf('x/me.ts', text, (file) => files.includes(file))).toEqual(files)
})

// Tests of the hosting plugins.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import { describe, expect, test } from 'vitest'
import { storageKey } from '../../www/src/lib/storage'
import { root } from '../run.mjs'
import { headerRules, headersOf, parseHeaders, writeHeaders } from './headers.mjs'
import { chooseLicenses, licenseTexts } from './licenses.mjs'
import { packageOf, readCrate } from './notices.mjs'
import { inlineHashes, policy, withHeadTags } from './policy.mjs'
import { offlineFiles } from './offline.mjs'
import { filesIn, preloadFiles, preloadScript, withPreload } from './preload.mjs'
import { hosting, withSharedParts } from './plugin.mjs'
import { pageAddress, release, sourceAddress, webAddress, withAddress } from './source.mjs'

describe('the policy', () => {
  const page = '<script>alert(1)</script><script src="a.js"></script><style>p{}</style>'

  test('allows the inline pieces of the pages by their hashes, each once', () => {
    // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
    const script = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"
    expect(inlineHashes(page)).toEqual({ script: [script], style: [expect.stringMatching(/^'sha256-/)] })
    expect(policy([page, page]).split(script)).toHaveLength(2)
    expect(policy([page])).not.toMatch(/unsafe-inline|'unsafe-eval'/)
  })

  test('stands in the head before everything it applies to', () => {
    const html = '<head><meta charset="utf-8" /><script></script></head>'
    const tag = '<meta http-equiv="Content-Security-Policy">'
    expect(withHeadTags(html, [tag])).toMatch(/charset[^<]*<meta http-equiv[^<]*<script>/)
    expect(() => withHeadTags('<head></head>', [tag])).toThrow(/charset/)
  })
})

describe('the file of headers', () => {
  const rules = headerRules("default-src 'none'", ['/', '/embed/', '/frame/', '/service-worker.js'])

  test('reads back as it was written', () => {
    expect(parseHeaders(writeHeaders(rules))).toEqual(rules)
    expect(() => parseHeaders('/*\n  no colon')).toThrow(/no colon/)
  })

  test('gives each path every header once', () => {
    for (const path of ['/', '/embed/', '/frame/', '/service-worker.js', '/assets/a.js']) {
      const headers = headersOf(rules, path)
      expect(headers['Cross-Origin-Embedder-Policy']).toBe('require-corp')
      const [frames, resources] = path === '/embed/' ? ['*', 'cross-origin'] : ["'self'", 'same-origin']
      expect(headers['Content-Security-Policy']).toBe(`default-src 'none'; frame-ancestors ${frames}`)
      expect(headers['Cross-Origin-Resource-Policy']).toBe(resources)
      // A frame of the page itself must not be isolated from the page.
      expect(headers['Document-Isolation-Policy']).toBe(
        path === '/embed/' ? 'isolate-and-require-corp' : undefined,
      )
      expect(Object.values(headers).join()).not.toContain('no-cache, ')
    }
    expect(headersOf(rules, '/assets/a.js')['Cache-Control']).toContain('immutable')
    expect(headersOf(rules, '/')['Cache-Control']).toBe('no-cache')
    expect(headersOf(rules, '/other')['Cross-Origin-Embedder-Policy']).toBe('require-corp')
    expect(headersOf(rules, '/other')['Cache-Control']).toBeUndefined()
  })
})

describe('the script of early requests', async () => {
  const chunk = (name, sources, imports = [], styles = []) => ({
    fileName: `assets/${name}.js`,
    moduleIds: sources.map((source) => `/root/www/src/${source}`),
    imports: imports.map((name) => `assets/${name}.js`),
    viteMetadata: { importedCss: new Set(styles) },
  })
  const page = filesIn([
    chunk('index', ['main.ts'], ['svelte'], ['assets/index.css']),
    chunk('svelte', []),
    chunk('landing', ['app/Landing.svelte'], ['svelte', 'kit']),
    chunk('kit', [], ['svelte']),
    chunk('experiments', ['protocol/experiments.json?of=control']),
    chunk('automata', ['protocol/experiments.json?of=logic-ca']),
    chunk('layout', ['exhibits/shared/Exhibit.svelte'], ['kit']),
    chunk('control', ['exhibits/control/exhibit.ts'], ['layout', 'index'], ['assets/control.css']),
    chunk('logic', ['exhibits/logic-ca/exhibit.ts']),
  ])
  const worker = filesIn([
    chunk('worker', ['engine/worker/worker.ts']),
    chunk('glue', ['wasm/control/threads-relaxed/vivarium.js'], ['pool']),
    chunk('gpu', ['wasm/control/gpu/vivarium.js']),
    chunk('pool', ['engine/worker/pool-hook.ts']),
    {
      fileName: 'assets/control.wasm',
      originalFileNames: ['www/src/wasm/control/threads-relaxed/vivarium_bg.wasm'],
    },
  ])
  const names = (...names) => names.map((name) => `assets/${name}.js`)
  const files = preloadFiles(page, worker)
  const script = await preloadScript(files)

  test('knows the files that a page needs besides the entry script', () => {
    const module = { scripts: names('worker', 'glue', 'pool'), wasm: 'assets/control.wasm' }
    expect(files).toEqual({
      landing: names('experiments', 'landing', 'kit'),
      families: {
        control: {
          exhibit: [...names('experiments', 'layout', 'kit'), 'assets/control.css', ...names('control')],
          modules: { 'threads-relaxed': module },
        },
        'logic-ca': { exhibit: names('automata', 'layout', 'kit', 'logic'), modules: {} },
      },
    })
    expect(() => preloadFiles(page, filesIn([]))).toThrow(/worker\.ts/)
  })

  /** Runs the script; returns the names of the requested files. */
  function requestedAt(hash, scope = {}) {
    const requested = []
    runInNewContext(script, {
      location: { hash, search: '' },
      crossOriginIsolated: true,
      SharedArrayBuffer,
      URLSearchParams,
      Uint8Array,
      performance: { getEntriesByType: () => [{ nextHopProtocol: 'h2' }] },
      console: { warn: () => {} },
      navigator: { hardwareConcurrency: 2 },
      WebAssembly: { validate: () => true, compileStreaming: async () => ({}) },
      fetch: (name) => void requested.push(name),
      document: { createElement: () => ({}), head: { append: ({ href }) => void requested.push(href) } },
      ...scope,
    })
    return requested.sort()
  }
  const module = [...names('worker', 'glue', 'pool'), 'assets/control.wasm']
  const exhibit = [...names('layout', 'kit', 'control', 'experiments'), 'assets/control.css']

  test('requests the files of the page that the address names', () => {
    for (const hash of ['#/cartpole', '#/cartpole?seed=2', '#/frozen-lake/', '#pendulum'])
      expect(requestedAt(hash)).toEqual([...exhibit, ...module].sort())
    for (const hash of ['', '#/']) expect(requestedAt(hash)).toEqual([...files.landing, ...module].sort())
    for (const hash of ['#/bench', '#/learn/control', '#/unknown']) expect(requestedAt(hash)).toEqual([])
  })

  test('requests no module that was not built or that the page may not use', () => {
    expect(requestedAt('#/cartpole', { WebAssembly: { validate: () => false } })).toEqual(exhibit.sort())
    expect(requestedAt('#/cartpole', { crossOriginIsolated: false })).toEqual(exhibit.sort())
    expect(requestedAt('#/logic-ca')).toEqual(names('layout', 'kit', 'logic', 'automata').sort())
  })

  test('requests stylesheets as the page does', () => {
    const links = []
    const append = (link) => void links.push({ ...link })
    requestedAt('#/cartpole', { document: { createElement: () => ({}), head: { append } } })
    expect(links.filter(({ as }) => as === 'style')).toEqual([
      { rel: 'preload', as: 'style', crossOrigin: '', href: 'assets/control.css' },
    ])
  })

  test('never throws', () => {
    expect(requestedAt('#/cartpole', { WebAssembly: {} })).toEqual([])
  })

  test('follows the entry script and the requests of the stylesheets, which the placeholder does not wait for', () => {
    const styles = ['a', 'b'].map((name) => `<link rel="stylesheet" crossorigin href="${name}.css">`).join('')
    const tags = `<script type="module" src="a.js"></script>${styles}`
    const html = withPreload(`<head>${tags}</head><body><p>placeholder</p></body>`, 'run()')
    const order = [
      '"module"',
      '<link rel="preload" as="style" crossorigin href="a.css">',
      '<link rel="preload" as="style" crossorigin href="b.css">',
      '<script>run()',
      '<p>',
      '<link rel="stylesheet" crossorigin href="a.css">',
      '<link rel="stylesheet" crossorigin href="b.css">',
    ]
    const places = order.map((part) => html.indexOf(part))
    expect(Math.min(...places)).toBeGreaterThan(0)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(html.split('"stylesheet"')).toHaveLength(3)
    expect(() => withPreload('<head></head>', '')).toThrow(/stylesheet/)
  })
})

describe('the files for offline use', () => {
  const chunk = (name, sources, { imports = [], later = [], assets = [] } = {}) => ({
    fileName: `${name}.js`,
    moduleIds: sources.map((source) => `/root/www/src/${source}`),
    imports: imports.map((name) => `${name}.js`),
    dynamicImports: later.map((name) => `${name}.js`),
    viteMetadata: { importedAssets: new Set(assets) },
  })
  const network = (name) => ({
    fileName: `${name}.safetensors`,
    originalFileNames: [`www/src/assets/networks/${name}.safetensors`],
  })
  const pages = ['Landing', 'Learn', 'Glossary', 'teach/Teach', 'Bench'].map((name) => `app/${name}.svelte`)
  const page = filesIn([
    chunk('index', ['main.ts'], { later: ['pages', 'control', 'cube'], assets: ['font.woff2', 'worker.js'] }),
    chunk('pages', [
      ...pages,
      'kit/HelpDetails.svelte',
      'shell/EngineReport.svelte',
      'shell/OfflineList.svelte',
      'protocol/experiments.json?of=cube',
      'state/storage/file-writer.ts',
    ]),
    chunk('layout', ['exhibits/shared/Exhibit.svelte'], { imports: ['index'], later: ['cube2', 'end'] }),
    chunk('end', []),
    chunk('control', ['exhibits/control/exhibit.ts'], { imports: ['layout'], later: ['guide'] }),
    chunk('guide', []),
    chunk('cube', ['exhibits/cube/exhibit.ts'], { imports: ['layout'] }),
    chunk('cube2', [], { assets: ['cube2.safetensors'] }),
    chunk('article', ['exhibits/cube/learn/Article.svelte'], { imports: ['pages'] }),
    network('cube2'),
    { fileName: 'style.css' },
    { fileName: 'manifest.webmanifest' },
    { fileName: 'icon.png', originalFileNames: ['www/src/assets/icons/icon.png'] },
    chunk('scroll', ['../../node_modules/compute-scroll-into-view/dist/index.js']),
  ])
  const worker = filesIn([
    chunk('worker', ['engine/worker/worker.ts']),
    chunk('glue', ['wasm/cube/threads-relaxed/vivarium.js'], { imports: ['pool'], assets: ['cube.wasm'] }),
    chunk('pool', []),
  ])
  const others = [filesIn([chunk('writer', [])]), filesIn([chunk('tools', ['engine/tools/worker.ts'])])]
  const sizes = new Map()
  const files = offlineFiles(page, worker, others, (name) => sizes.set(name, sizes.size + 1).size)

  test('of every page are separate from the files of a family', () => {
    const common = ['./', 'index.js', 'font.woff2', 'worker.js', 'style.css', 'pages.js', 'scroll.js']
    expect([...files.common].sort()).toEqual([...common, 'icon.png', 'manifest.webmanifest'].sort())
    expect(files.tools).toEqual(['tools.js'])
    const shared = ['layout.js', 'cube2.js', 'end.js']
    expect(files.families).toEqual({
      control: { scripts: expect.toSatisfy(sameAs([...shared, 'control.js', 'guide.js'])), modules: {} },
      cube: {
        scripts: expect.toSatisfy(sameAs([...shared, 'cube.js', 'article.js'])),
        modules: { 'threads-relaxed': ['glue.js', 'cube.wasm', 'pool.js'] },
      },
    })
    expect(files.networks).toEqual({ cube2: 'cube2.safetensors' })
  })

  test('have sizes', () => {
    const { common, tools, families, networks } = files
    const named = [
      ...common,
      ...tools,
      ...Object.values(networks),
      ...Object.values(families).flatMap(({ scripts, modules }) => [
        ...scripts,
        ...Object.values(modules).flat(),
      ]),
    ]
    expect(Object.keys(files.sizes).sort()).toEqual([...new Set(named)].sort())
  })
})

/** Returns a function that returns whether a list has these elements in any order. */
const sameAs = (elements) => (list) => list.toSorted().join() === elements.toSorted().join()

describe('a build fails', () => {
  /** Builds a page with these files, by name. */
  function builds(files) {
    const folder = mkdtempSync(join(tmpdir(), 'vivarium-build-'))
    writeFileSync(join(folder, 'index.html'), '<script type="module" src="/main.js"></script>')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return build({ root: folder, configFile: false, logLevel: 'silent', plugins: [hosting().page] })
  }

  test('with the error of the source file', async () => {
    await expect(builds({ 'main.js': 'const = 1' })).rejects.toThrow('main.js')
  })

  test('if the page loads a test', async () => {
    const files = { 'main.js': 'import(`./${location.hash}.js`)', 'main.test.js': 'test()', 'a.js': '' }
    await expect(builds(files)).rejects.toThrow('main.test.js is a test')
  })
})

describe('the address of the source', () => {
  test.each([
    ['https://github.com/owner/name.git', 'https://github.com/owner/name'],
    ['git+https://github.com/owner/name.git', 'https://github.com/owner/name'],
    ['https://user:secret@example.org/owner/name', 'https://example.org/owner/name'],
    ['git@github.com:owner/name.git', 'https://github.com/owner/name'],
    ['ssh://git@example.org:2222/owner/name', 'https://example.org/owner/name'],
    ['owner/name', 'https://github.com/owner/name'],
    ['/srv/git/name', null],
    ['../name', null],
    ['file:///srv/git/name', null],
    ['', null],
    [undefined, null],
  ])('of %s is %s', (repository, address) => expect(webAddress(repository)).toBe(address))

  test('is the first that is known', () => {
    const manifest = { repository: { url: 'https://example.org/a' } }
    const env = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'owner/b' }
    const origin = () => 'https://example.org/c'
    expect(sourceAddress({ manifest, env, origin })).toBe('https://example.org/a')
    expect(sourceAddress({ manifest: {}, env, origin })).toBe('https://github.com/owner/b')
    expect(sourceAddress({ manifest: {}, env: {}, origin })).toBe('https://example.org/c')
    expect(sourceAddress({ manifest: {}, env: {}, origin: () => null })).toBeNull()
  })
})

describe('the address of the page', () => {
  const html = '<meta property="og:image" content="./assets/poster.jpg">'

  test.each([
    ['https://example.org/a/', 'https://example.org/a/'],
    ['https://example.org/a', 'https://example.org/a/'],
    ['https://example.org', 'https://example.org/'],
    ['', null],
    [undefined, null],
  ])('of %s is %s', (address, expected) =>
    expect(pageAddress({ VIVARIUM_PAGE_ADDRESS: address })).toBe(expected),
  )

  test('has to be a URL', () =>
    expect(() => pageAddress({ VIVARIUM_PAGE_ADDRESS: 'example.org' })).toThrow(/“example\.org”, not a URL/))

  test('makes the URLs of the link preview absolute', () => {
    expect(withAddress(html, 'https://example.org/a/').split(/\n\s*/)).toEqual([
      '<meta property="og:image" content="https://example.org/a/assets/poster.jpg" />',
      '<meta property="og:url" content="https://example.org/a/" />',
    ])
    expect(withAddress(html, null)).toBe(html)
    expect(() => withAddress('<head></head>', null)).toThrow(/og:image/)
  })
})

test('a release has a version, and the commit if git knows it', () => {
  const manifest = { version: '1.2.0' }
  expect(release({ manifest, commit: () => '6729cffd38' })).toBe('1.2.0 (commit 6729cffd38)')
  expect(release({ manifest, commit: () => null })).toBe('1.2.0')
})

describe('licenses', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'vivarium-license-'))

  test('are chosen from SPDX expressions', () => {
    expect(chooseLicenses('Apache-2.0 OR MIT')).toEqual(['MIT'])
    expect(chooseLicenses('Apache-2.0/MIT')).toEqual(['MIT'])
    expect(chooseLicenses('(MIT OR Apache-2.0) AND Unicode-3.0')).toEqual(['MIT', 'Unicode-3.0'])
    expect(() => chooseLicenses('GPL-3.0-only')).toThrow(/GPL-3\.0-only/)
  })

  test('are the text in the package, else the standard one, else an error', () => {
    const own = folder()
    writeFileSync(join(own, 'LICENSE'), readFileSync(join(root, 'LICENSE-MIT')))
    const text = (expression, folder) => licenseTexts({ name: 'a', expression, folder })[0].text
    expect(text('MIT', own)).toContain('The Vivarium founders')
    expect(text('MIT', folder())).toContain('Copyright (c) the authors of a')
    expect(text('Apache-2.0', folder())).toContain('Version 2.0, January 2004')
    expect(text('Zlib', folder())).toContain("provided 'as-is'")
    expect(() => text('ISC', own)).toThrow(/a comes without the text of its license ISC/)
  })

  test('know a crate by its line and a package by its file', () => {
    const serde = { name: 'serde', version: '1.0.229', from: null, expression: 'MIT OR Apache-2.0' }
    expect(readCrate('serde v1.0.229|MIT OR Apache-2.0')).toEqual(serde)
    expect(readCrate('own v0.1.0 (/path/own)|MIT').from).toBe('/path/own')
    expect(() => readCrate('error: no such crate')).toThrow(/no such crate/)
    const svelte = join(root, 'node_modules/svelte')
    expect(packageOf(join(svelte, 'src/index.js'))).toBe(svelte)
    expect(packageOf(join(root, 'www/src/main.ts'))).toBeNull()
  })
})

const htmlOf = (file) => withSharedParts(readFileSync(join(root, file), 'utf8'))

test.each(['embed', 'frame'])(
  'the embedded page %s/ has its own title and the rest of the page',
  (folder) => {
    const [page, embedded] = ['index.html', `${folder}/index.html`].map(htmlOf)
    expect(embedded).toMatch(
      /<html lang="en" data-embed data-loading>[^]*<title>Vivarium<\/title>[^]*content="noindex"/,
    )
    const shared = /<meta name="color-scheme"[^]*$/
    expect(embedded.match(shared)[0]).toBe(page.match(shared)[0])
    expect(embedded.match(/<\/html>/g)).toHaveLength(1)
  },
)

describe('names in storage', () => {
  test('belong to the path that a copy of the page is served under', () => {
    expect(storageKey('theme', '/a/b/')).toBe('vivarium:/a/b/theme')
    expect(storageKey('theme', '/a/b/index.html')).toBe('vivarium:/a/b/theme')
    expect(storageKey('theme', '/a/b/embed/')).toBe('vivarium:/a/b/theme')
    expect(storageKey('theme', '/a/b/frame/')).toBe('vivarium:/a/b/theme')
    expect(storageKey('theme', '/a/unembed/')).toBe('vivarium:/a/unembed/theme')
    expect(storageKey('theme', '/')).not.toBe(storageKey('theme', '/a/'))
  })

  test.each(['index.html', 'embed/index.html', 'frame/index.html', 'notices.html'])(
    'are the same in the inline script of %s',
    (page) => {
      const script = htmlOf(page).match(/<script>([\s\S]*?)<\/script>/)[1]
      for (const pathname of ['/', '/a/b/', `/a/b/${page}`]) {
        const document = { documentElement: { dataset: {} } }
        const stored = { [storageKey('theme', pathname)]: 'light' }
        const localStorage = { getItem: (key) => stored[key] ?? null }
        runInNewContext(script, { location: { pathname }, localStorage, document })
        expect(document.documentElement.dataset.theme).toBe('light')
      }
    },
  )
})

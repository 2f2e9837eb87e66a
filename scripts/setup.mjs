// Sets the machine up: whatever is missing is named and then installed; what is there costs nothing.
// `--tests` adds what only the tests need.
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { adapters, vulkanPackages } from './adapters.mjs'
import { browser } from './browser.mjs'
import { fail, isMain, must, output, root, run, tools, which } from './run.mjs'
import { debianPackages, linked, pinned, wasmToolchain } from './toolchain.mjs'

const say = (text) => console.log(text)

/** Installs Debian packages where this user may; whether they are there afterwards. */
async function apt(packages) {
  const root = process.getuid?.() === 0
  const sudo = !root && which('sudo') && output('sudo', ['-n', 'true']) !== null
  if (!which('apt-get') || !(root || sudo)) return false
  const prefix = root ? [] : ['sudo', '-n']
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const [program, ...rest] = [...prefix, 'apt-get', ...args]
    if ((await run(program, rest, { env })).code !== 0) return false
  }
  return true
}

async function npmPackages() {
  const installed = join(root, 'node_modules/.package-lock.json')
  const wanted = join(root, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  say('Installing the npm packages of package-lock.json into node_modules …')
  await must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
}

/** Debian's compiler links wasm with `/usr/bin/rust-lld`, a link into a package that nothing of it depends on. */
async function debianLinker() {
  const link = '/usr/bin/rust-lld'
  if (existsSync(link)) return
  let linker = 'lld'
  try {
    linker = basename(readlinkSync(link))
  } catch {
    // No link at all: the compiler's own packages are older or newer than those known here.
  }
  say(`Installing the Debian package ${linker}, which links the wasm modules …`)
  if (!(await apt([linker])) || !existsSync(link)) {
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

/** The plain wasm target beside one's own compiler, if rustup can give it. */
async function wasmTarget() {
  if (!which('rustup')) return
  const targets = output('rustup', ['target', 'list', '--installed']) ?? ''
  if (targets.includes('wasm32-unknown-unknown')) return
  say('Adding the wasm target to your own compiler (rustup) …')
  // Only for the command typed by hand, so a failure is no matter.
  await run('rustup', ['target', 'add', 'wasm32-unknown-unknown'], { keep: true, show: false })
}

/** A program from crates.io, of exactly this version if one is given, into the target folder. */
async function cargoTool(program, crate, version) {
  const present = which(program) && output(program, ['--version'])
  if (present && (!version || present.split(' ')[1] === version)) return
  const what = version ? `${crate} ${version}` : crate
  say(`Installing ${what} into ${tools} (about two minutes on two cores) …`)
  const pick = version ? ['--version', version] : []
  const install = ['install', crate, ...pick, '--root', tools]
  if ((await run('cargo', [...install, '--locked'])).code === 0) return
  // A registry that lags behind the tool's own lock file can still give newer or older dependencies.
  if ((await run('cargo', install)).code === 0) return
  fail(`${what} could not be installed. Install it with\n    cargo install ${crate} ${pick.join(' ')}`)
}

function lockedVersion(crate) {
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8')
  return lock.match(new RegExp(`name = "${crate}"\\nversion = "(.+)"`))?.[1]
}

async function testBrowser() {
  if (browser()) return
  say('Installing the Debian packages chromium chromium-driver, for the tests …')
  await apt(['chromium', 'chromium-driver'])
  if (browser()) return
  fail(
    'The browser tests need Chromium and chromedriver. Install them with\n' +
      '    sudo apt-get install chromium chromium-driver\n' +
      'or set CHROME and CHROMEDRIVER to where they are.',
  )
}

/** A GPU in software, which the tests of the GPU engine run on; the second one they run on comes with Chromium. */
async function softwareGpu() {
  const missing = () => adapters()[0].env === null
  if (!missing()) return
  say(`Installing the Debian packages ${vulkanPackages.join(' ')}, a GPU in software for the tests …`)
  await apt(vulkanPackages)
  if (missing()) fail(`The tests of the GPU engine need an adapter. ${adapters()[0].missing}`)
}

/** Programs that the tests hold ours against: the Debian package each comes with, and what for. */
const witnesses = [
  { name: 'iverilog', does: 'simulates exported circuits' },
  { name: 'gnubg', does: 'judges plays of backgammon' },
]
async function witness({ name, does }) {
  if (which(name)) return
  say(`Installing the Debian package ${name}, which ${does} in the tests …`)
  await apt([name])
  if (which(name)) return
  fail(`The tests need ${name}, which ${does}. Install it with\n    sudo apt-get install ${name}`)
}

/** Everything that the page needs, and with `tests` what the tests need as well. */
export async function setup({ tests = false } = {}) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.version} is too old: 20.19 or newer.`)
  if (!which('cargo')) fail('Rust is missing. Install it from https://rustup.rs and run this again.')
  await npmPackages()
  await wasmCompiler()
  await cargoTool('wasm-bindgen', 'wasm-bindgen-cli', lockedVersion('wasm-bindgen'))
  if (!tests) return
  await wasmTarget()
  await testBrowser()
  await softwareGpu()
  for (const program of witnesses) await witness(program)
}

if (isMain(import.meta.url)) {
  await setup({ tests: process.argv.includes('--tests') })
  console.log('Everything is set up.')
}

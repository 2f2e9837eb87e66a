// Tests of the Python package: builds the wheel, installs it into a separate Python environment, and runs pytest and
// stubtest.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, root, target, which } from '../run.mjs'
import { check, note, runner } from './results.mjs'

const MINIMUM = [3, 10]
const windows = process.platform === 'win32'

/** Returns whether the version text of a Python program, such as `3.11`, is new enough. */
export function isSupported(version) {
  const [major, minor] = (version ?? '').split('.').map(Number)
  return major === MINIMUM[0] && minor >= MINIMUM[1]
}

/** Returns the first Python program that is new enough, or `null`. */
function findPython() {
  const code = 'import sys, venv, ensurepip; print(f"{sys.version_info[0]}.{sys.version_info[1]}")'
  const isUsable = (program) => which(program) && isSupported(output(program, ['-c', code]))
  return ['python3', 'python', 'python3.13', 'python3.12', 'python3.11', 'python3.10'].find(isUsable) ?? null
}

/**
 * Creates the environment with the packages of the files `requirements`, unless they are installed. `python` is the environment's
 * Python. Returns whether the environment exists.
 */
async function prepareEnvironment(program, folder, environment, python, requirements) {
  const stamp = join(environment, 'requirements.txt')
  const wanted = requirements.map((file) => readFileSync(file, 'utf8')).join('')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true
  rmSync(environment, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const commands = [
    [program, ['-m', 'venv', environment]],
    [python, ['-m', 'pip', 'install', '--quiet', ...requirements.flatMap((file) => ['--requirement', file])]],
  ]
  for (const [command, args] of commands)
    if (!(await check(`Python: ${args[1]}`, command, args))) return false
  writeFileSync(stamp, wanted)
  return true
}

/** Returns the counts in the last line of pytest, such as `146 passed, 1 skipped in 9.75s`. */
export function pytestCount(text) {
  const last = text.match(/^(?=.*\b(?:passed|failed|errors?|skipped)\b).* in [\d.]+s.*$/gm)?.at(-1) ?? ''
  const number = (what) => Number(last.match(new RegExp(`(\\d+) ${what}`))?.[1] ?? 0)
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(number)
  return { passed, failed: failed + number('errors?'), skipped }
}

/** Runs the tests of the Python package. They are skipped if Python is missing. */
export const pythonPackage = () => testPackage('Python package', 'python', ['requirements.txt'])

/** Tests of the Python package with the optional packages that are too large for the gate, such as Ray. */
export const pythonFull = () =>
  testPackage('Python package with all optional packages', 'python-full', [
    'requirements.txt',
    'requirements-full.txt',
  ])

/** Tests the package in the folder `name` of the build folder, with the packages of the files `requirements`. */
async function testPackage(title, name, requirements) {
  const folder = join(target, name)
  const environment = join(folder, 'environment')
  const inEnvironment = (file) => join(environment, windows ? 'Scripts' : 'bin', file)
  const python = inEnvironment(windows ? 'python.exe' : 'python')
  const files = requirements.map((file) => join(root, 'crates/py/tests', file))
  const program = findPython()
  if (!program) {
    const needed = `Python ${MINIMUM.join('.')} or newer with the modules venv and ensurepip`
    console.log(`\n── ${title}\n${needed} is missing, so its tests are skipped.`)
    return note({ name: `${title}, without ${needed}`, skipped: 1 })
  }
  if (!(await prepareEnvironment(program, folder, environment, python, files))) return
  // The wheel has the same profile and compiler wrapper as the native tests, so that both share compiled crates.
  const wheels = join(folder, 'wheels')
  rmSync(wheels, { recursive: true, force: true })
  const build = ['build', '--quiet', '--profile', 'dev', '--out', wheels, '--interpreter', python]
  const env = { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver' }
  if (!(await check('wheel of the Python package', inEnvironment('maturin'), build, { env }))) return
  const wheel = readdirSync(wheels)
    .filter((name) => name.endsWith('.whl'))
    .map((name) => join(wheels, name))
  const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--force-reinstall', ...wheel]
  if (!(await check('installation of the wheel', python, install))) return
  const pytest = {
    program: python,
    args: ['-m', 'pytest', '-q', '-rs', '-p', 'no:cacheprovider'],
    env: {
      HYPOTHESIS_STORAGE_DIRECTORY: join(folder, 'hypothesis'),
      // Files that the tests of the program `vivarium` export.
      VIVARIUM_EXPORTS: join(target, 'tmp/exports'),
    },
  }
  await runner(`tests of the ${title}`, [pytest], pytestCount)
  // The tests run in another folder, so that they import the installed package and not the source folder.
  const stubtest = { cwd: folder, env: { MYPY_CACHE_DIR: join(folder, 'mypy') } }
  await check('type stubs of the Python package', python, ['-m', 'mypy.stubtest', 'vivarium_ml'], stubtest)
}

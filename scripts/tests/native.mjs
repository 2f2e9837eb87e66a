// Native tests of the crates: on the CPU, and of the GPU engine on software adapters.
import { dirname, join, relative } from 'node:path'
import { adapters } from '../adapters.mjs'
import { output, root, run } from '../run.mjs'
import { missingPrograms } from './programs.mjs'
import { check, note, rustCount, runner } from './results.mjs'

/**
 * Returns the cargo arguments for all packages with their feature `gpu`. All cargo calls use the same features, so that
 * no dependency is compiled twice.
 */
function everything() {
  const { packages } = JSON.parse(output('cargo', ['metadata', '--no-deps', '--format-version=1']))
  const withGpu = packages.filter(({ features }) => 'gpu' in features)
  return ['--workspace', '--features', withGpu.map(({ name }) => `${name}/gpu`).join(',')]
}

/**
 * Environment in which cargo uses clippy-driver as the compiler: one compilation yields both programs and lints. All
 * cargo calls that build programs use it, because another compiler would trigger a rebuild.
 */
const env = { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver' }

/** Builds all targets that clippy checks. Returns the test programs, or none if the build fails. */
async function build() {
  const what = ['--lib', '--bins', '--tests', '--examples', '--no-run', '--message-format=json']
  const began = Date.now()
  const options = { env, keep: true, show: false }
  const { code, text, stdout } = await run('cargo', ['test', '-q', ...everything(), ...what], options)
  const seconds = Math.round((Date.now() - began) / 1000)
  const isMessage = (line) => line.startsWith('{')
  const messages = stdout
    .split('\n')
    .filter(isMessage)
    .map((line) => JSON.parse(line))
  const found = messages.filter(({ reason }) => reason === 'compiler-message').map(({ message }) => message)
  for (const { rendered } of found) console.log(rendered)
  const isClean = code === 0 && found.length === 0
  note({ name: 'clippy', passed: isClean ? 1 : 0, failed: isClean ? 0 : 1 })
  note({ name: 'building the tests', passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, seconds })
  if (code !== 0) {
    const lines = text.split('\n').filter((line) => !isMessage(line))
    console.log(lines.join('\n'))
    return []
  }
  return messages
    .filter(({ executable, profile, target }) => executable && profile.test && target.kind[0] !== 'example')
    .map(({ executable, manifest_path, target }) => {
      const cwd = dirname(manifest_path)
      const [folder, name] = [relative(join(root, 'crates'), cwd), target.name]
      return { program: executable, args: ['-q'], cwd, title: `${folder}/${name}`, folder, name }
    })
    .sort((a, b) => (a.title < b.title ? -1 : 1))
}

let built
/** Returns the test programs; each runs in its package's folder. */
const programs = () => (built ??= build())
/** Returns whether a program tests the GPU engine. */
const isEngine = ({ folder }) => folder === 'gpu'
const learnsOnGpu = (program) => !isEngine(program) && program.name === 'gpu'

/**
 * Runs `cargo doc` with warnings as errors: no broken link, no missing text. It checks the crates again, and compiles nothing that the tests
 * use, so it needs no lints.
 */
export const documentation = () =>
  check('documentation', 'cargo', ['doc', '-q', ...everything(), '--no-deps'], {
    env: { RUSTDOCFLAGS: '-D warnings' },
  })

/** Runs the tests that need no GPU. */
export async function rust(setup) {
  await programs()
  await setup.all
  const onCpu = (await programs()).filter((program) => !isEngine(program) && !learnsOnGpu(program))
  const skip = missingPrograms().flatMap(({ tests }) => tests.flatMap((name) => ['--skip', name]))
  const withSkips = onCpu.map((program) => ({ ...program, args: [...program.args, ...skip] }))
  await runner('tests on the processor', withSkips, rustCount)
  for (const { name, tests } of missingPrograms())
    note({ name: `tests with ${name}, which is not installed`, skipped: tests.length })
  const examples = { program: 'cargo', args: ['test', '-q', ...everything(), '--doc'], env }
  await runner('examples in the documentation', [examples], rustCount)
  await documentation()
}

/**
 * Runs the GPU tests on one adapter: the engine, and on the first adapter the learners as well. The browser tests run
 * the learners on the other adapter.
 */
async function onAdapter({ name, env, missing }, index) {
  if (!env) {
    console.log(`\n── gpu on ${name}\n${missing}`)
    return note({ name: `gpu on ${name}`, failed: 1 })
  }
  const on = (chosen) => chosen.map((program) => ({ ...program, env }))
  await runner(`gpu on ${name}`, on((await programs()).filter(isEngine)), rustCount)
  if (index > 0) return
  await runner(`learners on ${name}`, on((await programs()).filter(learnsOnGpu)), rustCount)
}

/** Runs the GPU tests on all adapters. */
export async function gpu(setup) {
  await Promise.all([programs(), setup.all])
  await Promise.all(adapters().map(onAdapter))
}

/** Builds the native program with the features of the tests; up to date if the tests were built. */
export function nativeProgram() {
  const ofItsTests = ['test', '-q', ...everything(), '--test', 'integration', '--no-run']
  return check('native program for the tests', 'cargo', ofItsTests, { env })
}

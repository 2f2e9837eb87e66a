// The tests of the crates, natively: on the processor, and of the GPU engine on adapters that need no GPU.
import { dirname, join, relative } from 'node:path'
import { adapters } from '../adapters.mjs'
import { output, root, run } from '../run.mjs'
import { check, note, rustCount, runner } from './results.mjs'

/**
 * All packages, with their feature `gpu`. What they stand on is compiled with the features that all packages of one call of
 * cargo ask for together: where every call is for the same ones, nothing is compiled twice.
 */
function everything() {
  const { packages } = JSON.parse(output('cargo', ['metadata', '--no-deps', '--format-version=1']))
  const withGpu = packages.filter(({ features }) => 'gpu' in features)
  return ['--workspace', '--features', withGpu.map(({ name }) => `${name}/gpu`).join(',')]
}

/**
 * The compiler with clippy's lints in it: one compilation gives the programs and what there is to say of the code. Every call
 * of cargo here has it, for what another compiler made would be compiled again.
 */
const env = { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver' }

/** Builds the programs that hold the tests, and all else that clippy reads; none where that fails. */
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
/** The programs that hold the tests: each runs in the folder of its package. */
const programs = () => (built ??= build())
/** Whether a program tests the GPU engine, or a learner on it. */
const isEngine = ({ folder }) => folder === 'gpu'
const learnsOnGpu = (program) => !isEngine(program) && program.name === 'gpu'

/** What needs no GPU. */
export async function rust(setup) {
  await programs()
  await setup.all
  const onCpu = (await programs()).filter((program) => !isEngine(program) && !learnsOnGpu(program))
  await runner('tests on the processor', onCpu, rustCount)
  const doc = { program: 'cargo', args: ['test', '-q', ...everything(), '--doc'], env }
  await runner('examples in the documentation', [doc], rustCount)
}

/**
 * What is computed on a GPU, on one adapter: the engine, and on the first one the learners that stand on it, too. The tests in a
 * browser have the learners on the other one.
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

/** What is computed on a GPU, on all adapters. */
export async function gpu(setup) {
  await Promise.all([programs(), setup.all])
  await Promise.all(adapters().map(onAdapter))
}

/** Builds the native program, with the features that it has beside tests of its own: it is there where those were built. */
export function nativeProgram() {
  const ofItsTests = ['test', '-q', ...everything(), '--test', 'integration', '--no-run']
  return check('native program for the tests', 'cargo', ofItsTests, { env })
}

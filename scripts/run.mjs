// Finds and runs other programs.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path of the repository's root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Cargo's target folder, and the folder for tools that the setup installs. */
export const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target')
export const tools = join(target, 'tools')

const windows = process.platform === 'win32'
/** Folder of programs installed by cargo. */
const cargoPrograms = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'bin')
// Debian's folder for games, which PATH may lack.
const games = '/usr/games'
const own = [join(tools, 'bin'), join(tools, 'python/bin'), join(root, 'node_modules', '.bin')]
const path = [...own, process.env.PATH ?? '', cargoPrograms, games]
process.env.PATH = path.join(delimiter)

/** Returns the full path of a program, or `null`. */
export function which(program) {
  const names = windows ? [`${program}.exe`, `${program}.cmd`] : [program]
  for (const folder of process.env.PATH.split(delimiter)) {
    for (const name of names) {
      const file = join(folder, name)
      try {
        accessSync(file, constants.X_OK)
        return file
      } catch {
        // Not in this folder: continue with the next folder.
      }
    }
  }
  return null
}

/** Returns a program's standard output, or `null` if it is missing or fails. */
export function output(program, args, env = {}) {
  const options = { cwd: root, env: { ...process.env, ...env }, shell: windows, maxBuffer: 1 << 26 }
  const { status, stdout } = spawnSync(program, args, { ...options, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Exit code of a program that `stopAll` has ended, as `timeout` has it. */
const STOPPED = 124
/** Time for which a program's output is awaited after its end, ms: a process that it has left behind may keep the pipe open. */
const LAST_OUTPUT = 10_000
/** Running programs, each as the function that ends it. */
const running = new Set()
let hasStopped = false

/** Ends all programs that `run` has started, with their output so far; further programs do not start. */
export function stopAll() {
  hasStopped = true
  for (const stop of running) stop()
}

/**
 * Runs a program and shows its output. Resolves to the exit code and, with `keep`, to the whole output (`text`) and the standard
 * output alone (`stdout`).
 */
export function run(program, args, { env = {}, cwd = root, keep = false, show = true } = {}) {
  if (hasStopped) return Promise.resolve({ code: STOPPED, text: 'Not started.\n', stdout: '' })
  return new Promise((resolve) => {
    const out = keep ? 'pipe' : 'inherit'
    const options = { cwd, env: { ...process.env, ...env }, shell: windows }
    const child = spawn(program, args, { ...options, stdio: ['ignore', out, out] })
    let text = ''
    let stdout = ''
    const stop = () => {
      child.kill()
      setTimeout(() => child.kill('SIGKILL'), LAST_OUTPUT).unref()
    }
    const done = (code) => {
      if (!running.delete(stop)) return
      const isStopped = hasStopped && code !== 0
      if (isStopped) text += `\n${program} was stopped.\n`
      resolve({ code: isStopped ? STOPPED : code, text, stdout })
    }
    running.add(stop)
    const collect = (stream) => (chunk) => {
      text += chunk
      if (stream === process.stdout) stdout += chunk
      if (show) stream.write(chunk)
    }
    child.stdout?.setEncoding('utf8').on('data', collect(process.stdout))
    child.stderr?.setEncoding('utf8').on('data', collect(process.stderr))
    child.on('error', (error) => {
      text += `${program}: ${error.message}\n`
      done(127)
    })
    child.on('exit', (code) => setTimeout(() => done(code ?? 1), LAST_OUTPUT).unref())
    child.on('close', (code) => done(code ?? 1))
  })
}

/** Runs a program like `run`; a failure ends the script. */
export async function must(program, args, options) {
  const { code, text } = await run(program, args, options)
  if (code !== 0) fail(`${program} ${args.join(' ')} failed (exit code ${code}).`)
  return text
}

/** Prints an error message and ends the script. */
export function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

/** Returns whether a script was started directly rather than imported. */
export const isMain = (url) => process.argv[1] === fileURLToPath(url)

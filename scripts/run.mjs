// Running other programs: shown or quiet, and finding them.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Where cargo puts what it builds, and where tools are installed that the machine lacks. */
export const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target')
export const tools = join(target, 'tools')

const windows = process.platform === 'win32'
/** Where cargo puts the programs that it installs. */
const cargoPrograms = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'bin')
// Debian keeps games in a folder of their own, which not everybody's path has.
const games = '/usr/games'
const own = [join(tools, 'bin'), join(root, 'node_modules', '.bin')]
const path = [...own, process.env.PATH ?? '', cargoPrograms, games]
process.env.PATH = path.join(delimiter)

/** The full path of a program, or `null`. */
export function which(program) {
  const names = windows ? [`${program}.exe`, `${program}.cmd`] : [program]
  for (const folder of process.env.PATH.split(delimiter)) {
    for (const name of names) {
      const file = join(folder, name)
      try {
        accessSync(file, constants.X_OK)
        return file
      } catch {
        // The next folder.
      }
    }
  }
  return null
}

/** What a program prints, or `null` where it is missing or fails. */
export function output(program, args, env = {}) {
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env }, shell: windows }
  const { status, stdout } = spawnSync(program, args, options)
  return status === 0 ? stdout.trim() : null
}

/**
 * Runs a program and shows what it prints; gives back its exit code and, with `keep`, everything printed, and what of it was
 * printed on the standard output.
 */
export function run(program, args, { env = {}, cwd = root, keep = false, show = true } = {}) {
  return new Promise((done) => {
    const stdio = keep ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit']
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio, shell: windows })
    let text = ''
    let stdout = ''
    const collect = (stream) => (chunk) => {
      text += chunk
      if (stream === process.stdout) stdout += chunk
      if (show) stream.write(chunk)
    }
    child.stdout?.setEncoding('utf8').on('data', collect(process.stdout))
    child.stderr?.setEncoding('utf8').on('data', collect(process.stderr))
    child.on('error', (error) => done({ code: 127, text: `${text}${program}: ${error.message}\n`, stdout }))
    child.on('close', (code) => done({ code: code ?? 1, text, stdout }))
  })
}

/** Like `run`, but a failure ends the script. */
export async function must(program, args, options) {
  const { code, text } = await run(program, args, options)
  if (code !== 0) fail(`${program} ${args.join(' ')} failed (exit code ${code}).`)
  return text
}

/** Ends the script with a message for a person. */
export function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

/** Whether a script was started by itself, not imported by another. */
export const isMain = (url) => process.argv[1] === fileURLToPath(url)

/** The command line that runs the page's experiment with the native program. */
import type { Engine } from '../engine/page/session'
import type { Setting } from './config'

export function commandLine(
  name: string,
  seed: number,
  settings: readonly Setting[],
  engine: Engine = 'cpu',
): string {
  const where = engine === 'cpu' ? '' : ` --engine ${engine}`
  const sets = settings.map(({ path, value }) => ` --set ${quoted(`${path}=${argument(value)}`)}`)
  return `cargo run --release -- train ${name} --seed ${seed}${where}${sets.join('')}`
}

function argument(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Quotes a word for the shell if necessary. */
function quoted(word: string): string {
  return /^[\w.=,:/@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** The line that runs the page's experiment natively. */
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

/** In single quotes where a shell would read something else into it. */
function quoted(word: string): string {
  return /^[\w.=,:/@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

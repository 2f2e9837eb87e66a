/** The command line that runs the page's experiment with the native program. */
import type { Engine, ExperimentInfo } from '../engine/page/session'
import { differences, usedFields, type Config } from './config'

/** Returns the command with the changed settings that the config uses; the program refuses settings without effect. */
export function commandLine(
  { name, fields, defaults }: Pick<ExperimentInfo, 'name' | 'fields' | 'defaults'>,
  seed: number,
  config: Config,
  engine: Engine = 'cpu',
): string {
  const settings = differences(usedFields(fields, [config]), config, defaults)
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

/** Text files of the user: supported formats, validation, name of the corpus, suitable preset. */
import { digest } from '../../../lib/files'
import { bytes as size } from '../../../lib/format'
import type { UserFile } from '../../../state/saving'

/** Text file; the name of a file from a folder includes its path. */
export type TextFile = UserFile

/** Corpus of the user: one or several text files. */
export interface OwnText {
  /** Name, the value of the config field `data`. */
  name: string
  files: TextFile[]
}

const readable =
  /\.(txt|text|md|markdown|rst|tex|org|csv|tsv|json|jsonl|xml|html?|srt|log|c|h|cpp|cc|py|rs|js|mjs|ts|svelte|java|go|rb|css|toml|ya?ml|sh|sql|lean|hs|ml)$/i
/** Description of the supported files, for display. */
export const allowed = 'Supported: UTF-8 text files such as .txt and .md, source code, MediaWiki dumps (.xml)'

/** Returns whether a file name has a supported extension or none. */
export const isText = (name: string): boolean => readable.test(name) || !/\.[^./]{1,12}$/.test(name)

/** Files of a model in a folder of the library transformers. */
const modelNames = {
  config: 'config.json',
  weights: 'model.safetensors',
  tokenizer: 'tokenizer.json',
} as const

/** Files of a GPT-2 model. */
export type ModelFiles = Readonly<Record<keyof typeof modelNames, TextFile>>

/** Returns the files of a model, which are in one folder; null if no folder of `files` has a model. */
export function modelFiles(files: readonly TextFile[]): ModelFiles | null {
  const named = new Map(files.map((file) => [file.name, file]))
  for (const [name, weights] of named) {
    const folder = name.slice(0, name.lastIndexOf('/') + 1)
    if (name !== folder + modelNames.weights) continue
    const [config, tokenizer] = [modelNames.config, modelNames.tokenizer].map((file) =>
      named.get(folder + file),
    )
    if (config && tokenizer) return { config, weights, tokenizer }
  }
  return null
}

/** Returns the display name of several files. */
export function nameOf(files: readonly TextFile[]): string {
  const [first] = files
  if (!first) return ''
  const folders = new Set(files.map(({ name }) => (name.includes('/') ? name.split('/')[0]! : null)))
  const [folder] = folders
  if (folders.size === 1 && folder) return folder
  return files.length === 1 ? first.name : `${first.name} and ${files.length - 1} more`
}

/** Combines the supported files into one corpus, or returns the problem. `most` is the maximum size in bytes. */
export async function textOf(
  files: readonly TextFile[],
  most: number,
): Promise<OwnText | { problem: string }> {
  const read = files.filter(({ name }) => isText(name))
  if (read.length === 0) {
    const what =
      files.length === 1 ? `${files[0]!.name} is not a text file.` : 'None of these files is a text file.'
    return { problem: `${what} ${allowed}, at most ${size(most)} in total.` }
  }
  const whole = lengthOf(read)
  if (whole === 0) return { problem: `${nameOf(read)} is empty. ${allowed}.` }
  if (whole > most) {
    return {
      problem: `${nameOf(read)} has ${size(whole)} (limit ${size(most)} in the page); the native program has no limit.`,
    }
  }
  for (const file of read) {
    const wrong = await wrongByte(file)
    if (wrong !== null) {
      return {
        problem: `${file.name} is not UTF-8: invalid byte near ${wrong.toLocaleString('en')}. ${allowed}.`,
      }
    }
  }
  return { name: nameOf(read), files: [...read] }
}

/**
 * Returns a text that the user has pasted, as a file. The name identifies the text and has no words of the text, because
 * links to the run include the name.
 */
export function pastedText(text: string): TextFile {
  const { length } = new TextEncoder().encode(text)
  const name = `pasted text, ${length.toLocaleString('en')} bytes, ${digest(text)}`
  return new File([text], name, { type: 'text/plain' })
}

/**
 * Returns the minimum length in bytes of a corpus, for one window with any tokenizer. A token has at least one byte, a
 * window has context + 1 tokens, and a tenth of the corpus is held out.
 */
export const leastLength = (context: number): number => Math.ceil(((context + 1) * 10) / 9)

/** Returns the problem of a corpus that is shorter than {@link leastLength}; null if it is long enough. */
export function tooShort({ name, files }: OwnText, context: number): string | null {
  const length = lengthOf(files)
  const needed = leastLength(context)
  if (length >= needed) return null
  const has = `${length} ${length === 1 ? 'byte' : 'bytes'}`
  return `${name} has ${has}; at least ${needed.toLocaleString('en')} are needed.`
}

/** Returns the total size of files in bytes. */
export const lengthOf = (files: readonly TextFile[]): number => files.reduce((sum, { size }) => sum + size, 0)

/** Returns the approximate offset of the first invalid UTF-8 byte; null for valid UTF-8. */
async function wrongByte(file: TextFile): Promise<number | null> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const step = 1 << 20
  for (let from = 0; from < bytes.length || from === 0; from += step) {
    const part = bytes.subarray(from, from + step)
    try {
      decoder.decode(part, { stream: from + step < bytes.length })
    } catch {
      // The previous part can end inside a character.
      let begin = from
      while (begin > 0 && (bytes[begin]! & 0xc0) === 0x80) begin--
      return begin + firstWrong(bytes.subarray(begin, from + step))
    }
  }
  return null
}

/** Returns the offset of the first invalid UTF-8 byte of a part, by bisection. */
function firstWrong(part: Uint8Array): number {
  let [good, bad] = [0, part.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(part.subarray(0, middle), { stream: true })
      good = middle
    } catch {
      bad = middle
    }
  }
  return good
}

/** Returns the preset for a corpus of `length` bytes; on a phone, the smallest preset. */
export function presetFor(length: number, phone: boolean): string {
  if (phone) return 'tiny'
  // BPE needs more text than a character vocabulary.
  if (length < 3_000_000) return 'shakespeare-char'
  return length < 30_000_000 ? 'encyclopedia' : 'wiki-small'
}

/** Text of a person's own: which files can be read, what they are called together, and what learns from them. */
import { bytes as size } from '../../../lib/format'
import type { BroughtFile } from '../../../state/saving'

/** A file of a text; what is dropped with a folder has a path as well. */
export type TextFile = BroughtFile

/** A text that a person brought. */
export interface OwnText {
  /** What it is called, as in the config's field `data`. */
  name: string
  files: TextFile[]
}

const readable =
  /\.(txt|text|md|markdown|rst|tex|org|csv|tsv|json|jsonl|xml|html?|srt|log|c|h|cpp|cc|py|rs|js|mjs|ts|svelte|java|go|rb|css|toml|ya?ml|sh|sql|lean|hs|ml)$/i
/** As it is said to a person. */
export const allowed = 'Text files in UTF-8 such as .txt and .md, source code, or a MediaWiki dump (.xml)'

/** Whether a file is one to read; what has no ending may be one. */
export const isText = (name: string): boolean => readable.test(name) || !/\.[^./]{1,12}$/.test(name)

/** What files are called together. */
export function nameOf(files: readonly TextFile[]): string {
  const [first] = files
  if (!first) return ''
  const folders = new Set(files.map(({ name }) => (name.includes('/') ? name.split('/')[0]! : null)))
  const [folder] = folders
  if (folders.size === 1 && folder) return folder
  return files.length === 1 ? first.name : `${first.name} and ${files.length - 1} more`
}

/**
 * The files of those that were brought which can be read, as one text; else what is wrong with them.
 * `most` is the largest text that a page takes, in bytes.
 */
export async function textOf(
  files: readonly TextFile[],
  most: number,
): Promise<OwnText | { problem: string }> {
  const read = files.filter(({ name }) => isText(name))
  if (read.length === 0) {
    const what = files.length === 1 ? `${files[0]!.name} is no text.` : 'There is no text among these files.'
    return { problem: `${what} ${allowed}, of at most ${size(most)} together.` }
  }
  const whole = lengthOf(read)
  if (whole === 0) return { problem: `${nameOf(read)} is empty. ${allowed}.` }
  if (whole > most) {
    return {
      problem: `${nameOf(read)} has ${size(whole)}, and a page holds a text of at most ${size(most)}. The native program takes any size.`,
    }
  }
  for (const file of read) {
    const wrong = await wrongByte(file)
    if (wrong !== null) {
      return {
        problem: `${file.name} is not UTF-8, as byte ${wrong.toLocaleString('en')} or one near it shows. ${allowed}.`,
      }
    }
  }
  return { name: nameOf(read), files: [...read] }
}

/**
 * What is wrong with a text that cannot fill a window, however it is cut into tokens; null where nothing is.
 * A token has at least a byte, a window takes one token more than the context, and a tenth of the text is held out.
 */
export function tooShort({ name, files }: OwnText, context: number): string | null {
  const length = lengthOf(files)
  const least = Math.ceil(((context + 1) * 10) / 9)
  if (length >= least) return null
  const has = `${length} ${length === 1 ? 'byte' : 'bytes'}`
  return `${name} has ${has}; it takes at least ${least.toLocaleString('en')}.`
}

/** Bytes of files together. */
export const lengthOf = (files: readonly TextFile[]): number => files.reduce((sum, { size }) => sum + size, 0)

/** About where a file stops being UTF-8, to a thousand bytes; null where all of it is. */
async function wrongByte(file: TextFile): Promise<number | null> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const step = 1 << 20
  for (let from = 0; from < bytes.length || from === 0; from += step) {
    const part = bytes.subarray(from, from + step)
    try {
      decoder.decode(part, { stream: from + step < bytes.length })
    } catch {
      // The part before may have ended inside a character.
      let begin = from
      while (begin > 0 && (bytes[begin]! & 0xc0) === 0x80) begin--
      return begin + firstWrong(bytes.subarray(begin, from + step))
    }
  }
  return null
}

/** The first byte of a part that cannot belong to UTF-8, found by halving. */
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

/** The preset that fits a text of so many bytes; a phone takes the smallest. */
export function presetFor(length: number, phone: boolean): string {
  if (phone) return 'tiny'
  // A vocabulary is learned from much text; in little of it, characters do better.
  if (length < 3_000_000) return 'shakespeare-char'
  return length < 30_000_000 ? 'encyclopedia' : 'wiki-small'
}

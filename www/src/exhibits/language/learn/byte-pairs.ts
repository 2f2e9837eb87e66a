/** Byte-pair encoding of a short text (Sennrich et al. 2016). Characters take the place of bytes. */

export interface Merge {
  pair: readonly [string, string]
  /** Number of occurrences of the pair in the text. */
  count: number
}

/** Splits a text into words, each with the space before it. Merges stay within a word. */
export const wordsOf = (text: string): string[] => text.match(/ ?[^\s]+|\s/g) ?? []

/** Merges each occurrence of a pair, from left to right. */
function mergePair(tokens: readonly string[], [left, right]: Merge['pair']): string[] {
  const merged: string[] = []
  for (let i = 0; i < tokens.length; i++) {
    const joined = tokens[i] === left && tokens[i + 1] === right
    merged.push(joined ? left + right : tokens[i]!)
    if (joined) i++
  }
  return merged
}

/** Returns the most frequent pair of adjacent tokens that occurs at least twice; ties go to the first one in the text. */
function mostFrequent(words: readonly string[][]): Merge | null {
  const counts = new Map<string, Merge>()
  for (const word of words)
    for (let i = 0; i + 1 < word.length; i++) {
      const pair = [word[i]!, word[i + 1]!] as const
      const key = pair.join('\0')
      counts.set(key, { pair, count: (counts.get(key)?.count ?? 0) + 1 })
    }
  let best: Merge | null = null
  for (const merge of counts.values()) if (merge.count >= 2 && merge.count > (best?.count ?? 0)) best = merge
  return best
}

/** Learns up to `most` merges from a text: each merges the most frequent pair of adjacent tokens. */
export function learnMerges(text: string, most: number): Merge[] {
  let words = wordsOf(text).map((word) => [...word])
  const merges: Merge[] = []
  while (merges.length < most) {
    const next = mostFrequent(words)
    if (!next) break
    merges.push(next)
    words = words.map((word) => mergePair(word, next.pair))
  }
  return merges
}

/** Returns the tokens of a text: its characters, with the merges applied in order. */
export const encode = (text: string, merges: readonly Merge[]): string[] =>
  wordsOf(text).flatMap((word) =>
    merges.reduce((tokens, { pair }) => mergePair(tokens, pair), [...word] as string[]),
  )

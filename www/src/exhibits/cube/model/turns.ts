/** Face turns in standard notation. */

/** Faces in sticker order; also the colors of the solved cube. */
export const faces = ['U', 'R', 'F', 'D', 'L', 'B'] as const

export type Face = (typeof faces)[number]

export type Size = 2 | 3

export interface Turn {
  face: Face
  /** Clockwise quarter turns viewed from outside: 1, 2 or 3. */
  quarters: number
}

const endings = ['', '', '2', "'"]

export function isFace(letter: string | undefined): letter is Face {
  return faces.some((face) => face === letter)
}

/** Parses a turn in the notation of the protocol, such as `R2`; null if invalid. */
export function readTurn(text: string): Turn | null {
  const face = text[0]
  const quarters = endings.indexOf(text.slice(1))
  return isFace(face) && quarters >= 0 ? { face, quarters: Math.max(1, quarters) } : null
}

/** Returns a turn by any number of quarters; null for a multiple of 4. */
export function turnOf(face: Face, quarters: number): Turn | null {
  const some = ((quarters % 4) + 4) % 4
  return some === 0 ? null : { face, quarters: some }
}

export function writeTurn({ face, quarters }: Turn): string {
  return face + endings[quarters]
}

/** Returns the inverse turn. */
export function inverse({ face, quarters }: Turn): Turn {
  return { face, quarters: 4 - quarters }
}

export function opposite(face: Face): Face {
  return faces[(faces.indexOf(face) + 3) % 6]!
}

/** Describes a turn in words, for screen readers. */
export function spoken({ face, quarters }: Turn): string {
  const name = { U: 'up', R: 'right', F: 'front', D: 'down', L: 'left', B: 'back' }[face]
  return `${name} ${['', 'clockwise', 'half turn', 'counter-clockwise'][quarters]}`
}

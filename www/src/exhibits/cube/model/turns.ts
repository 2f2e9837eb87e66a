/** Turns of faces, as people write them. */

/** Faces in the order in which stickers are listed; also the colors that they have when solved. */
export const faces = ['U', 'R', 'F', 'D', 'L', 'B'] as const

export type Face = (typeof faces)[number]

export type Size = 2 | 3

export interface Turn {
  face: Face
  /** Quarters clockwise as seen from outside: 1, 2 or 3. */
  quarters: number
}

const endings = ['', '', '2', "'"]

export function isFace(letter: string | undefined): letter is Face {
  return faces.some((face) => face === letter)
}

/** A turn as the lab writes it, such as `R2`; null for what is none. */
export function readTurn(text: string): Turn | null {
  const face = text[0]
  const quarters = endings.indexOf(text.slice(1))
  return isFace(face) && quarters >= 0 ? { face, quarters: Math.max(1, quarters) } : null
}

/** A turn by any number of quarters, which may come to nothing. */
export function turnOf(face: Face, quarters: number): Turn | null {
  const some = ((quarters % 4) + 4) % 4
  return some === 0 ? null : { face, quarters: some }
}

export function writeTurn({ face, quarters }: Turn): string {
  return face + endings[quarters]
}

/** The turn that takes one back. */
export function inverse({ face, quarters }: Turn): Turn {
  return { face, quarters: 4 - quarters }
}

export function opposite(face: Face): Face {
  return faces[(faces.indexOf(face) + 3) % 6]!
}

/** A turn in words, for those who do not see the arrow. */
export function spoken({ face, quarters }: Turn): string {
  const name = { U: 'up', R: 'right', F: 'front', D: 'down', L: 'left', B: 'back' }[face]
  return `${name} ${['', 'clockwise', 'half way round', 'counter-clockwise'][quarters]}`
}

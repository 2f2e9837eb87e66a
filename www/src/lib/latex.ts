/** Text for LaTeX. */

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

/** Escapes a text for LaTeX. BibTeX counts braces although they are escaped, so that they have names. */
export const latex = (text: string): string =>
  text.replace(/[\\{}~^&%$#_]/g, (character) => escapes[character] ?? `\\${character}`)

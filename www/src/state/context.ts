/** The lab that a component belongs to: it is handed down, so that a page can have several. */
import { createContext } from 'svelte'
import type { Lab } from './lab.svelte'

export const [useLab, provideLab] = createContext<Lab>()

/**
 * A part of a lab that is made at its first use. Each lab has its own, which lives as long as the lab: what an exhibit knows
 * of a run outlasts a visit to another one. Returns two functions: the first returns the part to a component of the lab, as
 * `useLab` does the lab; the second returns it to anyone who has the lab.
 */
export function partOf<T>(make: (lab: Lab) => T): [use: () => T, of: (lab: Lab) => T] {
  const parts = new WeakMap<Lab, T>()
  const of = (lab: Lab): T => {
    const part = parts.get(lab) ?? make(lab)
    parts.set(lab, part)
    return part
  }
  return [() => of(useLab()), of]
}

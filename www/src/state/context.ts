/** The lab of a component, passed by Svelte context, so that a page can have several labs. */
import { createContext } from 'svelte'
import type { Lab } from './lab.svelte'

export const [useLab, provideLab] = createContext<Lab>()

/**
 * Defines a part of a lab: state that is created on first use and lives as long as the lab, so that an exhibit keeps
 * its state across visits. Returns two functions: the first for components (like `useLab`), the second for code with a
 * reference to the lab.
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

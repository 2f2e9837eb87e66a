// The families whose GPU module was built: `npm start` builds one module for each family, `npm run build` all of them.
import { folderOf, type Family } from '../shared/family'

const built = import.meta.glob('../../wasm/*/gpu/package.json', { eager: true, import: 'type' })

/** Returns the reason why a family has no GPU module; empty if it has a GPU module. */
export function withoutGpu(family: Family): string {
  return `../../wasm/${folderOf(family)}/gpu/package.json` in built
    ? ''
    : 'This build of the page has no GPU modules; `npm run build` includes them.'
}

// Vite plugin: `protocol/experiments.json?of=<family>` contains the experiments of one family, named by its folder.
import { readFileSync } from 'node:fs'

export const experimentsOf = () => ({
  name: 'vivarium-experiments-of',
  enforce: 'pre',
  load(id) {
    const [, file, folder] =
      /^(.*\/protocol\/experiments\.json)\?of=(.*)$/.exec(id.replaceAll('\\', '/')) ?? []
    if (!file) return null
    this.addWatchFile(file)
    const all = JSON.parse(readFileSync(file, 'utf8'))
    const own = all.filter(({ world }) => world.kind.replaceAll('_', '-') === folder)
    if (own.length === 0) throw new Error(`experiments.json has no family ${folder}`)
    return { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(own))})`, moduleType: 'js' }
  },
})

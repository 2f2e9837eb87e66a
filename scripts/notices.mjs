// Writes crates/cli/notices.txt: the licenses of all Rust crates in the program `vivarium`, on every released platform. `--check`
// fails if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crates, own, standardLibrary } from './hosting/notices.mjs'
import { licenseTexts } from './hosting/licenses.mjs'
import { fail, must, root } from './run.mjs'

const file = join(root, 'crates/cli/notices.txt')

/** Platforms of the released programs: `targets` in dist-workspace.toml. */
const platforms = [
  ...readFileSync(join(root, 'dist-workspace.toml'), 'utf8').matchAll(/^ {2}"([\w-]+)",$/gm),
].map(([, name]) => name)

/** Returns the text of the notices. Packages with the same license text share it. */
function notices() {
  const found = platforms.flatMap((platform) => crates('vivarium-cli', ['--target', platform]))
  const packages = [
    standardLibrary,
    ...new Map(found.map((one) => [`${one.name} ${one.version}`, one])).values(),
  ]
  const heading = ({ name, version, expression }) => `${name} ${version}`.trim() + ` (${expression})`
  const byText = new Map([[own.texts.map(({ text }) => text).join('\n\n'), [heading(own)]]])
  for (const one of packages) {
    for (const { text } of licenseTexts(one)) {
      const plain = text.replaceAll('\r\n', '\n').replace(/[ \t]+$/gm, '')
      byText.set(plain, [...(byText.get(plain) ?? []), heading(one)])
    }
  }
  const sections = [...byText].map(([text, headings]) => `${headings.join('\n')}\n\n${text}\n`)
  return [
    'Licenses of the program vivarium and of the Rust crates that it contains on any platform.\n',
    ...sections,
  ].join(`\n${'='.repeat(80)}\n\n`)
}

await must('cargo', ['fetch', '--locked', '--quiet'])
const text = notices()
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text)
  fail('crates/cli/notices.txt is out of date; regenerate it with `node scripts/notices.mjs`.')

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run, stopAll } from '../run.mjs'

const quietly = { keep: true, show: false }

test('stopped programs end with their output so far, and no further program starts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stop-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const begun = join(folder, 'begun')
  const program = `console.log('begun'); fs.writeFileSync(process.argv[1], ''); setInterval(() => {}, 1000)`
  const hanging = run('node', ['-e', program, begun], quietly)
  await vi.waitFor(() => expect(existsSync(begun)).toBe(true), 60_000)
  stopAll()
  const { code, stdout } = await hanging
  expect(code).toBe(124)
  expect(stdout).toBe('begun\n')
  expect(await run('node', ['-e', ''], quietly)).toMatchObject({ code: 124, text: 'Not started.\n' })
})

import { expect, it } from 'vitest'
import { freshDisks } from '../../../../tests/fixtures/file-system'
import { writeSynchronously } from './sync-write'

const present = freshDisks()

const text = (content: string) => new TextEncoder().encode(content)

async function written(path: string[]): Promise<Record<string, string>> {
  let folder = await navigator.storage.getDirectory()
  for (const segment of path) folder = await folder.getDirectoryHandle(segment)
  const found: Record<string, string> = {}
  for await (const [name, entry] of folder.entries())
    found[name] = await (await (entry as FileSystemFileHandle).getFile()).text()
  return found
}

it('replaces a file, and leaves it unchanged if the storage is full', async () => {
  const root = await navigator.storage.getDirectory()
  await (await root.getDirectoryHandle('runs', { create: true })).getDirectoryHandle('a', { create: true })
  const path = ['runs', 'a']
  await writeSynchronously(root, { path, name: 'page.json', bytes: text('first and longer') })
  await writeSynchronously(root, { path, name: 'page.json', bytes: text('second') })
  expect(await written(path)).toEqual({ 'page.json': 'second' })
  present.disk.full = true
  const failing = writeSynchronously(root, { path, name: 'page.json', bytes: text('third') })
  await expect(failing).rejects.toMatchObject({ name: 'QuotaExceededError' })
  expect(await written(path)).toEqual({ 'page.json': 'second' })
})

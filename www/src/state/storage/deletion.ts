/** Deletion of a saved run, which can be undone. */
import { copySnapshots, snapshotsInMemory, StoredSnapshots } from './snapshots'
import * as store from './store'
import type { Run } from './store'

/** Deletes a run with its files and snapshots. Returns a function that stores all of them again. */
export async function deleteRun({ id, when }: Run): Promise<() => Promise<void>> {
  const saved = await store.read(id)
  const stored = await store.attachmentOf(id)
  const attachment = stored && (await store.inMemory(stored))
  const snapshots = await snapshotsInMemory(id)
  await store.remove(id)
  return async () => {
    await store.write(id, { ...saved, about: { ...saved.about, when } })
    if (attachment) await store.attach(id, attachment)
    await copySnapshots(snapshots, new StoredSnapshots(id))
  }
}

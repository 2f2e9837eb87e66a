/** What was dropped, with the files of folders. */
import type { TextFile } from './bring'

/** A folder is read so deep, and no more files than this: whoever drops their whole disk means something else. */
const mostFiles = 20_000

/** The files that were dropped; those of folders have their paths as names. */
export async function droppedFiles(dropped: DataTransfer): Promise<TextFile[]> {
  // The list is gone once the event is over: entries are taken out first.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const plain = [...dropped.files]
  if (!entries.some((entry) => entry?.isDirectory)) return plain
  const files: TextFile[] = []
  for (const entry of entries) if (entry) await collect(entry, files)
  return files
}

async function collect(entry: FileSystemEntry, files: TextFile[]): Promise<void> {
  if (files.length >= mostFiles) return
  if (entry.isFile) {
    const file = await new Promise<File>((give, refuse) => (entry as FileSystemFileEntry).file(give, refuse))
    files.push(withPath(file, entry.fullPath.replace(/^\//, '')))
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  for (;;) {
    // A browser gives a folder's entries a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((give, refuse) => reader.readEntries(give, refuse))
    if (some.length === 0) return
    for (const inner of some.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (!inner.name.startsWith('.')) await collect(inner, files)
    }
  }
}

/** A file under another name. */
export const withPath = (file: File, name: string): TextFile => ({
  name: name || file.name,
  size: file.size,
  arrayBuffer: () => file.arrayBuffer(),
})

/** Files of a drop event, including the files in dropped folders. */
import type { TextFile } from './textFiles'

/** Maximum number of files of a drop. */
const mostFiles = 20_000

/** Returns the dropped files, including files in folders. The name of a file in a folder includes the path. */
export async function droppedFiles(dropped: DataTransfer): Promise<TextFile[]> {
  // The item list is cleared after the event, so the entries are copied synchronously.
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
    // readEntries returns up to 100 entries per call.
    const some = await new Promise<FileSystemEntry[]>((give, refuse) => reader.readEntries(give, refuse))
    if (some.length === 0) return
    for (const inner of some.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (!inner.name.startsWith('.')) await collect(inner, files)
    }
  }
}

/** Returns a file under another name. */
export const withPath = (file: File, name: string): TextFile => ({
  name: name || file.name,
  size: file.size,
  arrayBuffer: () => file.arrayBuffer(),
})

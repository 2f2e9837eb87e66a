/** Writing of files through synchronous access handles, which browsers provide in workers only. */

/** A request to the file writer. */
export interface WriteRequest {
  id: number
  /** Folders from the root of the origin private file system. */
  path: string[]
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** The response; `problem` is null if the file was written. */
export interface WriteResponse {
  id: number
  problem: { name: string; message: string } | null
}

/** Methods of file handles that are missing in TypeScript's type library for windows. */
interface SyncFileHandle {
  createSyncAccessHandle(): Promise<{
    truncate(size: number): void
    write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number
    flush(): void
    close(): void
  }>
  move(folder: FileSystemDirectoryHandle, name: string): Promise<void>
}

/** Writes a file atomically: the bytes are written to another file, which then replaces the file. */
export async function writeSynchronously(
  root: FileSystemDirectoryHandle,
  { path, name, bytes }: Pick<WriteRequest, 'path' | 'name' | 'bytes'>,
): Promise<void> {
  let folder = root
  for (const segment of path) folder = await folder.getDirectoryHandle(segment)
  const partial = `${name}.part`
  const handle: unknown = await folder.getFileHandle(partial, { create: true })
  const file = handle as SyncFileHandle
  const access = await file.createSyncAccessHandle()
  try {
    access.truncate(0)
    if (access.write(bytes, { at: 0 }) < bytes.length)
      throw new DOMException('The file was not written completely.', 'QuotaExceededError')
    access.flush()
    access.close()
  } catch (problem) {
    access.close()
    await folder.removeEntry(partial).catch(() => {})
    throw problem
  }
  await file.move(folder, name)
}

/** Checkpoint files: download, header and names. */

export function download(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  mime = 'application/octet-stream',
): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: mime }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the file after `click` has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The fields of a checkpoint's header that the page reads, unchecked. */
export interface CheckpointHeader {
  experiment?: unknown
  config?: unknown
  seed?: unknown
  steps?: unknown
}

/** Returns the header of a checkpoint; null if the bytes are not a checkpoint. */
export function checkpointHeader(bytes: Uint8Array): CheckpointHeader | null {
  try {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
    const text = new TextDecoder().decode(bytes.subarray(8, 8 + length))
    const header = JSON.parse(text) as { __metadata__: { vivarium: string } }
    return JSON.parse(header.__metadata__.vivarium)
  } catch {
    return null
  }
}

/**
 * Returns the number of steps in a checkpoint's header, or null without a header. A checkpoint holds the state after
 * the last complete update, so the number may be lower than the steps done.
 */
export function stepsIn(bytes: Uint8Array): number | null {
  const steps = checkpointHeader(bytes)?.steps
  return typeof steps === 'number' ? steps : null
}

/** Returns a file name without extension, such as `cartpole-moon-seed3-262144`. */
export function runName(name: string, settings: string, seed: number, steps: number): string {
  return `${name}-${settings}-seed${seed}-${steps}`
}

/** Returns a file name such as `cartpole-moon-seed3-262144.safetensors`. */
export function checkpointName(name: string, settings: string, seed: number, steps: number): string {
  return `${runName(name, settings, seed, steps)}.safetensors`
}

/** Returns a canvas as a PNG file. */
export async function png(canvas: HTMLCanvasElement): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!blob) throw new Error('The browser could not encode the picture as PNG; its memory may be full.')
  return new Uint8Array(await blob.arrayBuffer())
}

/** Returns a hash of four hexadecimal characters (FNV-1a). */
export function digest(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(4, '0')
}

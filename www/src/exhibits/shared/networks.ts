/** Pretrained networks shipped with the page. */

/** URLs of the network files by exhibit name. */
const files = import.meta.glob<string>('../../assets/networks/*.safetensors', {
  query: '?url',
  import: 'default',
})

const find = (world: string) => files[`../../assets/networks/${world}.safetensors`]

/** Problem of a network that could not be fetched. */
export const unreachable = {
  message: 'The pretrained network could not be downloaded.',
  hint: 'Try again in a moment.',
}

export const isShipped = (world: string): boolean => find(world) !== undefined

/** Fetches the pretrained network of an exhibit. Returns null if there is none or the host is unreachable. */
export async function network(world: string): Promise<Uint8Array | null> {
  try {
    const where = await find(world)?.()
    const file = where === undefined ? null : await fetch(where)
    return file?.ok ? new Uint8Array(await file.arrayBuffer()) : null
  } catch {
    // Training works without the host.
    return null
  }
}

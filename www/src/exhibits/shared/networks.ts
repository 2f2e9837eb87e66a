/** Networks that come with the page, trained before. */

/** The URLs of the network files, by the names of the worlds. */
const files = import.meta.glob<string>('../../assets/networks/*.safetensors', {
  query: '?url',
  import: 'default',
})

const find = (world: string) => files[`../../assets/networks/${world}.safetensors`]

export const isShipped = (world: string): boolean => find(world) !== undefined

/** The file of a world's network; null where there is none, or the host of the page cannot be reached any more. */
export async function network(world: string): Promise<Uint8Array | null> {
  try {
    const where = await find(world)?.()
    const file = where === undefined ? null : await fetch(where)
    return file?.ok ? new Uint8Array(await file.arrayBuffer()) : null
  } catch {
    // A page that was opened and then lost its host still trains.
    return null
  }
}

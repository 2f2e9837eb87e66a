// The browser's information about the GPU, before a device is opened.

/** A GPU's adapter, as far as a page may know it. */
export interface Adapter {
  /** Why there is none for this page; empty where there is one. */
  missing: string
  /** It is a program that imitates a GPU. */
  software: boolean
}

/** The parts of WebGPU that are asked. */
interface WebGpuAdapter {
  info?: {
    vendor: string
    architecture: string
    device: string
    description: string
    isFallbackAdapter?: boolean
  }
  /** Where it stood before it moved to `info`. */
  isFallbackAdapter?: boolean
}

const webgpu = () =>
  (navigator as { gpu?: { requestAdapter(wish?: object): Promise<WebGpuAdapter | null> } }).gpu

/** Asks the browser; one that does not answer has none. */
export function findAdapter(): Promise<Adapter> {
  const late = new Promise<Adapter>((done) =>
    setTimeout(() => done(none('The browser did not say whether there is a GPU.')), patience),
  )
  return Promise.race([ask(), late])
}

// The browser may have to start its GPU process first, or has it busy with another page.
const patience = 60_000

const none = (missing: string): Adapter => ({ missing, software: false })

async function ask(): Promise<Adapter> {
  const gpu = webgpu()
  if (gpu === undefined)
    return none(
      globalThis.isSecureContext === false
        ? 'A browser offers WebGPU only to pages that come over https.'
        : 'This browser has no WebGPU.',
    )
  try {
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
    if (adapter === null) return none('This browser has WebGPU, but offers no adapter.')
    return { missing: '', software: isSoftware(adapter) }
  } catch (error) {
    const said = error instanceof Error ? error.message : error
    return none(`This browser has WebGPU, but its adapter does not open: ${said}.`)
  }
}

/** Whether an adapter says of itself that it is a program. */
export function isSoftware({ info, isFallbackAdapter }: WebGpuAdapter): boolean {
  if (isFallbackAdapter || info?.isFallbackAdapter) return true
  const { vendor = '', architecture = '', device = '', description = '' } = info ?? {}
  const said = [vendor, architecture, device, description].join(' ')
  return /swiftshader|llvmpipe|lavapipe|basic render|software/i.test(said)
}

/** The adapter's name; empty where the browser hides it. */
export async function adapterName(): Promise<string> {
  const adapter = await webgpu()?.requestAdapter({ powerPreference: 'high-performance' })
  const { vendor = '', architecture = '', device = '', description = '' } = adapter?.info ?? {}
  return description || device || [vendor, architecture].filter(Boolean).join(' ')
}

import { describe, expect, it } from 'vitest'
import { isSoftware } from './adapter'

const named = (vendor: string, architecture: string, description = '', device = '') => ({
  info: { vendor, architecture, device, description },
})

describe('an adapter', () => {
  it.each([
    named('google', 'swiftshader'),
    named('mesa', '', 'llvmpipe (LLVM 19.1.7, 256 bits)'),
    named('microsoft', '', '', 'Microsoft Basic Render Driver'),
    { info: { ...named('', '').info, isFallbackAdapter: true } },
    { ...named('', ''), isFallbackAdapter: true },
  ])('that is a software renderer is recognized: %o', (adapter) => {
    expect(isSoftware(adapter)).toBe(true)
  })

  it.each([named('nvidia', 'blackwell'), named('apple', 'metal-3'), named('', ''), {}])(
    'without such a description counts as a GPU: %o',
    (adapter) => {
      expect(isSoftware(adapter)).toBe(false)
    },
  )
})

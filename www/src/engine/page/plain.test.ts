import { expect, test } from 'vitest'
import { plain } from './plain'

test('a reactive proxy becomes cloneable data', () => {
  const bytes = Uint8Array.of(1, 2)
  const value = { kind: 'open', list: [1, null, { deep: true }], bytes }
  const proxied = new Proxy(value, { get: (target, key) => Reflect.get(target, key) })
  expect(() => structuredClone(proxied)).toThrow()
  const copy = plain(proxied)
  expect(structuredClone(copy)).toEqual(value)
  expect(copy.bytes).toBe(bytes)
  expect(copy.list).not.toBe(value.list)
})

test.each([null, undefined, 0, '', true])('%j is unchanged', (value) => expect(plain(value)).toBe(value))

test('a compiled module is not copied', () => {
  const module = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
  expect(plain({ module }).module).toBe(module)
})

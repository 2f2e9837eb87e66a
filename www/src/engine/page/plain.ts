/**
 * Copies a value for `postMessage`, which rejects reactive proxies. Typed arrays and compiled modules are not copied.
 */
export function plain<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (value instanceof WebAssembly.Module) return value
  if (Array.isArray(value)) return value.map(plain) as T
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)])) as T
}

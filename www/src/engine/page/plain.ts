/**
 * A copy that can be sent to a worker: what the page hands over may be a reactive proxy, which cannot. Arrays of numbers
 * are the same ones.
 */
export function plain<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return value.map(plain) as T
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)])) as T
}

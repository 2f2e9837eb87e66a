import { expect, test } from 'vitest'
import { isLocalHost } from './address'

test.each(['localhost', 'vivarium.localhost', '127.0.0.1', '127.1.2.3', '[::1]', ''])(
  'only this computer can open %s',
  (hostname) => expect(isLocalHost(hostname)).toBe(true),
)

test.each(['example.org', 'localhost.example.org', '192.168.1.5', '127.example.org'])(
  'others can open %s',
  (hostname) => expect(isLocalHost(hostname)).toBe(false),
)

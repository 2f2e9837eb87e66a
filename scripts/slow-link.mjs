// A TCP relay that simulates a slow connection to a local host: limited download rate, and latency in both directions.
import { connect, createServer } from 'node:net'

/** Bytes of one packet: the unit in which connections share the link. */
const packet = 1460

/**
 * Starts a relay to the port `to`. All connections share `bitsPerSecond` downward, packet by packet in turn; upward there is no
 * limit. A connection is open after one round trip. TCP slow start, packet loss and TLS are not simulated.
 *
 * Returns the `port`, the number of bytes `received` by the browser so far, and `close`.
 */
export async function slowLink(to, { bitsPerSecond, roundTrip }) {
  const bytesPerMs = bitsPerSecond / 8000
  /** Connections with queued data; each has a `queue` of packets and a function `deliver`. */
  const sending = new Set()
  let received = 0
  let timer = null
  /** Time until which the link is busy, ms. */
  let busyUntil = 0

  /** Packets in transit, in the order of their arrival. */
  const traveling = []

  /**
   * Sends queued packets of all connections in turn, until the link is busy beyond the next timer. Delivers the packets
   * that have arrived.
   */
  function transmit() {
    timer = null
    const now = performance.now()
    busyUntil = Math.max(busyUntil, now)
    while (sending.size && busyUntil < now + 2) {
      const [connection] = sending
      // Moves the connection to the end of the round-robin order.
      sending.delete(connection)
      const bytes = connection.queue.shift()
      if (connection.queue.length) sending.add(connection)
      busyUntil += bytes.length / bytesPerMs
      traveling.push({ connection, bytes, arrival: busyUntil + roundTrip / 2 })
    }
    while (traveling.length && traveling[0].arrival <= now) {
      const { connection, bytes } = traveling.shift()
      connection.deliver(bytes)
    }
    if (sending.size || traveling.length) timer = setTimeout(transmit, 1)
  }

  const server = createServer((client) => {
    const host = connect(to, '127.0.0.1')
    const queue = []
    let open = true
    const deliver = (bytes) => {
      if (!open) return
      received += bytes.length
      client.write(bytes)
    }
    const connection = { queue, deliver }
    const drop = () => {
      open = false
      client.destroy()
      host.destroy()
    }
    for (const socket of [client, host]) socket.setNoDelay().on('error', drop).on('close', drop)
    const opened = performance.now() + roundTrip
    client.on('data', (bytes) => {
      const wait = Math.max(0, opened - performance.now()) + roundTrip / 2
      setTimeout(() => open && host.write(bytes), wait)
    })
    host.on('data', (bytes) => {
      for (let at = 0; at < bytes.length; at += packet) queue.push(bytes.subarray(at, at + packet))
      sending.add(connection)
      timer ??= setTimeout(transmit, 0)
    })
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { port, received: () => received, close: () => new Promise((done) => server.close(done)) }
}

/** Names of gates that stay the same while training changes the circuit, so that a drawing can follow the gates. */
import { places, type Netlist } from './netlist'

/**
 * Returns a name for each gate, [gates]. The name consists of the index of the trained gate and the first channel that
 * the gate depends on, because the channels share the perceive gates. For a gate of a circuit from a file it is a hash
 * of the computed function.
 */
export function stableNames(net: Netlist): string[] {
  const channel = new Int32Array(net.inputs + net.gates).fill(net.channels)
  const hash = new Int32Array(net.inputs + net.gates)
  for (let i = 0; i < net.inputs; i++) {
    channel[i] = Math.floor(i / places)
    hash[i] = i + 1
  }
  const taken = new Map<string, number>()
  return Array.from({ length: net.gates }, (_, g) => {
    const value = net.inputs + g
    const [a, b] = [net.a[g]!, net.b[g]!]
    hash[value] = net.functions[g]! + 17
    for (const read of [a, b]) {
      if (read >= 0) channel[value] = Math.min(channel[value]!, channel[read]!)
      hash[value] = Math.imul(hash[value]! ^ (read < 0 ? 0 : hash[read]!), 0x9e3779b1) ^ (hash[value]! >>> 15)
    }
    const trained = net.trainedGates[g]!
    const name = trained >= 0 ? `${trained}.${channel[value]}` : `#${hash[value]}`
    const count = taken.get(name) ?? 0
    taken.set(name, count + 1)
    return count === 0 ? name : `${name}+${count}`
  })
}

/** Paths of the config fields that the exhibit uses. */
import { get, type Config } from '../../state/config'

const paths = {
  target: 'task.target',
  drawing: 'task.drawing',
  width: 'task.width',
  height: 'task.height',
  border: 'task.border',
  start: 'task.start',
  steps: 'task.steps',
  fireRate: 'task.fire_rate',
  channels: 'circuit.channels',
  epochs: 'learning.epochs',
} as const

export type FieldName = keyof typeof paths

export const path = (name: FieldName): string => paths[name]

export function number(config: Config, name: FieldName): number {
  return Number(get(config, paths[name]) ?? 0)
}

export function text(config: Config, name: FieldName): string {
  return String(get(config, paths[name]) ?? '')
}

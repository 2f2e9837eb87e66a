// What the lab and the page say to each other, until it is generated from the Rust types.
export interface Progress {
  steps: number
  updates: number
  episodes: number
  total_steps: number | null
}
export interface MetricRow {
  steps: number
  values: [string, number][]
  notice?: string
}
export interface MetricInfo {
  name: string
  label: string
  unit: string
  help: string
}
export interface ViewRequest {
  herd: number
  focus: number
  map: MapRequest | null
}
export interface MapRequest {
  x: number
  y: number
  size: number
}
export type Command =
  | { kind: 'set'; path: string; value: unknown }
  | { kind: 'push'; member: number | null; force: number }
  | { kind: 'reset_herd' }
export type Reply = { kind: 'done' }
export interface Evaluation {
  mean: number
  std: number
  min: number
  max: number
  terminated: number
  length: number
  episodes: number
}
export interface ExperimentInfo {
  name: string
  title: string
  summary: string
  dimensions: DimensionInfo[]
  action: ActionInfo
  step_seconds: number
  max_steps: number
  solved: number
  worst: number
  fields: FieldInfo[]
  presets: PresetInfo[]
  metrics: MetricInfo[]
  defaults: Record<string, unknown>
}
export interface DimensionInfo {
  name: string
  label: string
  unit: string
  low: number
  high: number
  angle: boolean
}
export type ActionInfo =
  | { type: 'discrete'; labels: string[] }
  | { type: 'continuous'; label: string; unit: string; low: number; high: number }
export interface FieldInfo {
  path: string
  label: string
  unit: string
  help: string
  live: boolean
  kind: FieldKind
  default: unknown
}
export type FieldKind =
  | { type: 'number'; low: number; high: number; logarithmic: boolean }
  | { type: 'integer'; low: number; high: number; logarithmic: boolean }
  | { type: 'flag' }
  | { type: 'choice'; options: string[] }
  | { type: 'integers'; shortest: number; longest: number; low: number; high: number }
export interface PresetInfo {
  name: string
  label: string
  help: string
  config: Record<string, unknown>
}

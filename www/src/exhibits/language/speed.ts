import { speedStopsOf } from '../shared/speed'

export const speedStops = speedStopsOf([1000, 3000, 10_000, 30_000], 'tokens')

import { speedStopsOf } from '../../shared/speed'

export const speedStops = speedStopsOf([10, 30, 100, 300, 1000], 'moves')

import { speedStopsOf } from '../../frame/speed'

export const speedStops = speedStopsOf([10, 30, 100, 300, 1000], 'moves')

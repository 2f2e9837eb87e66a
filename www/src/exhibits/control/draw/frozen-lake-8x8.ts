/** FrozenLake 8×8: the scene of FrozenLake. */
export { scene } from './frozen-lake'

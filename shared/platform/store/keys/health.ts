import { type Key, singleKey } from './key.ts'

/** The row that a check of health asks to change. It is never stored, so nothing is ever written. */
export const healthKey: Key = singleKey('HEALTH')

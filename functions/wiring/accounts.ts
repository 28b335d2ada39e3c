import { clock } from '../../shared/kernel/time/clock.ts'
import { config } from './platform/config.ts'
import { store } from './platform/store.ts'

/** The dependencies of accounts, sessions and roles. */
export const accounts = { store, config, clock }

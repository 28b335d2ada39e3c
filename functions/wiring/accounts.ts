import { clock } from '../../shared/kernel/clock.ts'
import { config } from './config.ts'
import { store } from './store.ts'

/** The dependencies of accounts, sessions and roles. */
export const accounts = { store, config, clock }

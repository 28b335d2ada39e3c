import { clock } from '../../shared/kernel/clock.ts'
import { config } from './config.ts'
import { store } from './store.ts'

/** What accounts, sessions and roles work with. */
export const accounts = { store, config, clock }

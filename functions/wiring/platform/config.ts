import { clock } from '../../../shared/kernel/time/clock.ts'
import { createConfig } from '../../../shared/platform/store/config.ts'
import { store } from './store.ts'

export const config = createConfig(store, clock)

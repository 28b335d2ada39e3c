import { clock } from '../../../shared/kernel/time/clock.ts'
import { createPresence } from '../../../shared/records/presence/presence.ts'
import { store } from '../platform/store.ts'
import { recordReads } from './record-reads.ts'

/** Who looks at records. */
export const presence = createPresence({ store, clock, reads: recordReads })

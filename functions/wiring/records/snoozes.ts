import { clock } from '../../../shared/kernel/time/clock.ts'
import { createSnoozes } from '../../../shared/records/snoozes/snoozes.ts'
import { store } from '../platform/store.ts'

/** What users snoozed. */
export const snoozes = createSnoozes({ store, clock })

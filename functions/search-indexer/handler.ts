import { findTenant } from '../../shared/auth/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { ChangeEvent } from '../../shared/queue/change-feed/change-event.ts'
import { onQueueBatch } from '../../shared/queue/on-queue-batch.ts'
import { indexChanges } from '../../shared/search/service.ts'
import { store } from '../wiring/store.ts'
import { tables } from '../wiring/tables.ts'

const dependencies = { store, tables, clock, findTenant: (id: number) => findTenant(store, id) }

/** Updates search postings and value counters of changed records. */
export const handler = onQueueBatch(ChangeEvent, (changes) => indexChanges(dependencies, changes))

import type { ReplyDependencies } from '../../../shared/automation/replies/dependencies.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { fileUrl } from '../messages/record-links.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'
import { tables } from '../tables/tables.ts'
import { rowAccess } from './row-access.ts'

/** Replies to people outside. */
export const replies: ReplyDependencies = { store, clock, config, tables, access: rowAccess, fileUrl }

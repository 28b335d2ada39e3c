import { createRecordReads } from '../../../shared/records/records/read/record-reads.ts'
import { store } from '../platform/store.ts'
import { tables } from '../tables/tables.ts'
import { rowAccess } from './row-access.ts'

/** Reads single records as callers may see them. */
export const recordReads = createRecordReads({ store, tables, access: rowAccess })

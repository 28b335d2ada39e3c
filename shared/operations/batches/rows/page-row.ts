import type { TenantRef } from '../../../kernel/tenancy.ts'
import { batchPageKey } from '../../../platform/store/keys/batches.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { batchKeptSeconds } from '../../../platform/store/rows/batch-entry-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { packJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import type { BatchCancelled, Kept, RecordFailure, ReturnedRecord } from '../schema.ts'

/** A record of a batch. An undo also says what is to be undone. */
export interface BatchRecord {
  readonly id: number
  /** Another table than that of the batch: references to a deleted record were cleared there. */
  readonly model?: string
  readonly action?: 'create' | 'update' | 'delete'
  /** The first version that the batch to be undone made. */
  readonly version?: number
}

/** What there is to say of the records of a page. */
export interface PageReport {
  readonly failures: readonly RecordFailure[]
  readonly kept: readonly Kept[]
  /** Left out before reports had them. */
  readonly cancelled?: readonly BatchCancelled[]
  readonly returned?: readonly ReturnedRecord[]
}

/** Few enough to be done in a part of the time of a request, also with slow hooks. */
export const recordsPerPage = 50

/** The row of a page; its expiry is no earlier than that of its batch. */
export const pageItem = (
  tenant: TenantRef,
  batchId: number,
  page: number,
  records: readonly BatchRecord[],
  nowMs: number,
): Item & Key => ({
  ...batchPageKey(tenant, batchId, page),
  kind: 'batch_page',
  v: 1,
  records: packJson(records),
  expires_at: Math.floor(nowMs / 1000) + batchKeptSeconds + 24 * 60 * 60,
})

export const readPageRecords = (item: Item | undefined): readonly BatchRecord[] =>
  (item && readPackedJson<BatchRecord[]>(item, 'records')) ?? []

export const readPageReport = (item: Item): PageReport =>
  readPackedJson<PageReport>(item, 'report') ?? { failures: [], kept: [] }

/** Keeps what there is to say of a page. */
export const reportPage = (tenant: TenantRef, batchId: number, page: number, report: PageReport): Write => ({
  update: batchPageKey(tenant, batchId, page),
  change: { expression: 'SET report = :report', values: { ':report': packJson(report) as string } },
})

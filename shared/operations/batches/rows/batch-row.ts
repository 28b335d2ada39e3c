import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { allBatchesPartition, batchesOfUserPartition, batchKey } from '../../../platform/store/keys/batches.ts'
import { idText, type Key } from '../../../platform/store/keys/key.ts'
import { batchKeptSeconds } from '../../../platform/store/rows/batch-entry-row.ts'
import { batchSlots, slotEntry } from '../../../platform/store/slots.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { packJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import { and, equals, exists } from '../../../platform/store/writes/conditions.ts'
import type { BatchKind, BatchStatus, ToldOfMerge } from '../schema.ts'

/** What a batch does to each of its records. */
export type Work =
  | { readonly set: Readonly<Record<string, unknown>> }
  | { readonly delete: true }
  | { readonly macro: number }
  /** The ids of an import's rows are consecutive. */
  | { readonly imported: { readonly firstId: number; readonly total: number } }
  | { readonly undoes: number }
  | MergeWork
  /** An undo of an unmerge is a merge. */
  | (MergeWork & { readonly undoes: number })
  | { readonly undoes: number; readonly unmerge: MergedPair }

/** A record, and the one that it becomes part of. */
export interface MergedPair {
  readonly from: number
  readonly into: number
}

export interface MergeWork {
  readonly merge: MergedPair
  /** What it moves and fills, as it was when the merge began. */
  readonly told: ToldOfMerge
}

/** How many records came to what. */
export interface Tally {
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  readonly kept: number
  /** Of how many there is something else to tell: processes that end, and what came back. */
  readonly told?: number
}

export interface Batch extends Tally {
  readonly id: number
  readonly kind: BatchKind
  readonly model: string
  readonly status: BatchStatus
  readonly userId: number
  readonly work: Work
  readonly matched: number
  /** Its records are in so many pages, of which those before `nextPage` are done. */
  readonly pages: number
  readonly nextPage: number
  /** The job that works on it when its request has no time to. */
  readonly jobId?: number
  /** The last undo of it. */
  readonly undoneBy?: number
  /** Of an unmerge: the last repeat of it. */
  readonly continuedBy?: number
  /** Nothing is written: it only says what would happen. */
  readonly isDryRun: boolean
  /** Why it failed as a whole. */
  readonly problem?: string
  readonly createdAt: string
  readonly endedAt?: string
}

/** A batch, and whether all of it is done. */
export type Reached = Batch & { readonly isDone: boolean }

const dryRunKeptSeconds = 24 * 60 * 60

/** The row of a new batch. A dry run is in no list. */
export const batchItem = (tenant: TenantRef, batch: Batch): Item & Key => ({
  ...batchKey(tenant, batch.id),
  kind: 'batch',
  v: 1,
  batch_kind: batch.kind,
  model: batch.model,
  status: batch.status,
  user_id: batch.userId,
  work: packJson(batch.work),
  matched: batch.matched,
  changed: batch.changed,
  unchanged: batch.unchanged,
  failed: batch.failed,
  kept: batch.kept,
  pages: batch.pages,
  next_page: batch.nextPage,
  ...(batch.jobId !== undefined && { job_id: batch.jobId }),
  created_at: batch.createdAt,
  ...(batch.isDryRun
    ? { dry_run: true }
    : {
        ...slotEntry(batchSlots.all, allBatchesPartition(tenant), idText(batch.id)),
        ...slotEntry(batchSlots.ofUser, batchesOfUserPartition(tenant, batch.userId), idText(batch.id)),
      }),
  expires_at: Math.floor(Date.parse(batch.createdAt) / 1000) + (batch.isDryRun ? dryRunKeptSeconds : batchKeptSeconds),
})

/** Reads the row of a batch; undefined when there is none, or its time is over. */
export function readBatch(item: Item | null | undefined, nowMs: number): Batch | undefined {
  if (!item || Number(item.expires_at) * 1000 < nowMs) return undefined
  return {
    id: Number(item.sk),
    kind: item.batch_kind as BatchKind,
    model: String(item.model),
    status: item.status as BatchStatus,
    userId: Number(item.user_id),
    work: readPackedJson<Work>(item, 'work') as Work,
    matched: Number(item.matched),
    changed: Number(item.changed),
    unchanged: Number(item.unchanged),
    failed: Number(item.failed),
    kept: Number(item.kept),
    told: Number(item.told ?? 0),
    pages: Number(item.pages),
    nextPage: Number(item.next_page),
    isDryRun: item.dry_run === true,
    createdAt: String(item.created_at),
    ...(item.job_id !== undefined && { jobId: Number(item.job_id) }),
    ...(item.undone_by !== undefined && { undoneBy: Number(item.undone_by) }),
    ...(item.continued_by !== undefined && { continuedBy: Number(item.continued_by) }),
    ...(item.problem !== undefined && { problem: String(item.problem) }),
    ...(item.ended_at !== undefined && { endedAt: String(item.ended_at) }),
  }
}

/** Adds what the next page came to, on condition that nobody has done that page. */
export const advanceBatch = (tenant: TenantRef, { id, nextPage }: Batch, tally: Tally): Write => ({
  update: batchKey(tenant, id),
  change: {
    expression:
      'SET next_page = :next, changed = changed + :changed, unchanged = unchanged + :unchanged, failed = failed + :failed, kept = kept + :kept, told = if_not_exists(told, :none) + :told',
    values: {
      ':next': nextPage + 1,
      ':changed': tally.changed,
      ':unchanged': tally.unchanged,
      ':failed': tally.failed,
      ':kept': tally.kept,
      ':told': tally.told ?? 0,
      ':none': 0,
    },
  },
  if: and(equals('next_page', nextPage), equals('status', 'running')),
})

/** Adds what a merge changed beside its two records, once all of it is done; on condition that nobody has ended it. */
export const countMerge = (
  tenant: TenantRef,
  id: number,
  { changed, failed }: Pick<Tally, 'changed' | 'failed'>,
): Write => ({
  update: batchKey(tenant, id),
  change: {
    expression: 'SET changed = :changed, failed = :failed, matched = :matched',
    values: { ':changed': changed, ':failed': failed, ':matched': changed + failed },
  },
  if: equals('status', 'running'),
})

/** Ends a batch that runs. */
export const endBatch = (
  tenant: TenantRef,
  id: number,
  nowMs: number,
  status: Exclude<BatchStatus, 'running'> = 'done',
  problem?: string,
): Extract<Write, { update: Key }> => ({
  update: batchKey(tenant, id),
  change: {
    expression: `SET #status = :status, ended_at = :at${problem === undefined ? '' : ', problem = :problem'}`,
    names: { '#status': 'status' },
    values: { ':status': status, ':at': isoTime(nowMs), ...(problem !== undefined && { ':problem': problem }) },
  },
  if: equals('status', 'running'),
})

/** Notes the undo in the batch that it undoes. */
export const noteUndo = (tenant: TenantRef, id: number, undoneBy: number): Write => ({
  update: batchKey(tenant, id),
  change: { expression: 'SET undone_by = :undo', values: { ':undo': undoneBy } },
  if: exists,
})

/** Notes the repeat of an unmerge in the batch of the first. */
export const noteRepeat = (tenant: TenantRef, id: number, continuedBy: number): Write => ({
  update: batchKey(tenant, id),
  change: { expression: 'SET continued_by = :by', values: { ':by': continuedBy } },
  if: exists,
})

import { gzipSync } from 'node:zlib'
import type { Key } from '../../../platform/store/keys/key.ts'
import type { Condition, Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { gzipJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import { and, below, equals, exists, isNew, lacks, or } from '../../../platform/store/writes/conditions.ts'
import type { ImportMode } from '../../import-mappings/schema.ts'
import type { ImportAnswer, RowFailure } from '../schema.ts'
import { truncateFailures, type WrittenRow } from './outcomes/row-outcome.ts'

/**
 * The progress of an import. It advances in the transaction that stores the rows, so each row is stored exactly once
 * however often the import is retried (docs/decisions/0008). The record of a row has the id `firstId + row`.
 */
export interface ImportProgress {
  readonly key: Key
  readonly model: string
  /** The hash of the rows, to compare a repeat with the same idempotency key; undefined without a key. */
  readonly bodyHash?: string
  readonly total: number
  readonly firstId: number
  /** Every row before this one was stored or refused. */
  readonly nextRow: number
  readonly failures: readonly RowFailure[]
  /** Rows whose records there were. */
  readonly written?: readonly WrittenRow[]
  readonly mode?: ImportMode
  /** The job that resumes the import, and the number of records created before it. */
  readonly job?: { readonly id: number; readonly created: number }
  readonly expiresAt: number
  /** The batch of the import, for its undo. */
  readonly batchId?: number
}

export const progressItem = ({
  key,
  model,
  bodyHash,
  total,
  firstId,
  nextRow,
  expiresAt,
  batchId,
  mode,
}: Omit<ImportProgress, 'failures' | 'job'>): Item & Key => ({
  ...key,
  kind: 'import',
  v: 1,
  model,
  body_hash: bodyHash,
  total,
  first_id: firstId,
  next_row: nextRow,
  expires_at: expiresAt,
  batch_id: batchId,
  mode,
})

/** Reads the progress of an import; undefined when there is none or it has expired. */
export function readProgress(key: Key, item: Item | undefined, nowMs: number): ImportProgress | undefined {
  if (!item || Number(item.expires_at) * 1000 < nowMs) return undefined
  const failures = Object.keys(item).flatMap((name) =>
    /^f\d+$/.test(name) ? (readPackedJson<RowFailure[]>(item, name) ?? []) : [],
  )
  const written = Object.keys(item).flatMap((name) =>
    /^w\d+$/.test(name) ? (readPackedJson<PackedRow[]>(item, name) ?? []).map(unpackRow) : [],
  )
  return {
    key,
    model: String(item.model),
    ...(item.body_hash !== undefined && { bodyHash: String(item.body_hash) }),
    total: Number(item.total),
    firstId: Number(item.first_id),
    nextRow: Number(item.next_row),
    failures: failures.sort((a, b) => a.row - b.row),
    ...(item.job_id !== undefined && { job: { id: Number(item.job_id), created: Number(item.created) } }),
    expiresAt: Number(item.expires_at),
    ...(item.mode !== undefined && { mode: item.mode as ImportMode, written }),
    ...(item.batch_id !== undefined && { batchId: Number(item.batch_id) }),
  }
}

/** The condition that a key has no progress, or one that `readProgress` calls expired, to the millisecond. */
export const isFree = (nowMs: number): Condition => or(isNew, below('expires_at', Math.ceil(nowMs / 1000)))

/** A written row as it is stored: its number, the id of its record, and whether that was changed. */
type PackedRow = readonly [row: number, id: number, isChanged: 0 | 1]

const unpackRow = ([row, id, isChanged]: PackedRow): WrittenRow => ({
  row,
  id,
  as: isChanged ? 'updated' : 'unchanged',
})

/** Advances the import to row `to`, on condition that its progress is unchanged. */
export function advance(
  { key, nextRow }: ImportProgress,
  to: number,
  failures: readonly RowFailure[],
  written: readonly WrittenRow[] = [],
): Write {
  const fails = failures.length > 0
  const writes = written.length > 0
  return {
    update: key,
    change: {
      expression: `SET next_row = :to${fails ? ', #failures = :failures' : ''}${writes ? ', #written = :written' : ''}`,
      ...((fails || writes) && {
        names: { ...(fails && { '#failures': `f${nextRow}` }), ...(writes && { '#written': `w${nextRow}` }) },
      }),
      values: {
        ':to': to,
        ...(fails && { ':failures': pack(failures, to - nextRow - written.length) }),
        ...(writes && {
          ':written': gzipJson(written.map(({ row, id, as }): PackedRow => [row, id, as === 'updated' ? 1 : 0])),
        }),
      },
    },
    if: equals('next_row', nextRow),
  }
}

/** Stores the job that resumes the import, and extends the row's expiry. */
export const handOver = (
  { key }: ImportProgress,
  jobId: number,
  created: number,
  expiresAt: number,
): Extract<Write, { update: Key }> => ({
  update: key,
  change: {
    expression: 'SET job_id = :job, created = :created, expires_at = :until',
    values: { ':job': jobId, ':created': created, ':until': expiresAt },
  },
  if: and(exists, lacks('job_id')),
})

export const createdSoFar = ({ nextRow, failures, written = [] }: ImportProgress): number =>
  nextRow - failures.length - written.length

/** What the import answers. `times`: how many times its failures are in one answer. */
export function importAnswer(
  {
    total,
    firstId,
    failures,
    mode,
    written = [],
  }: Pick<ImportProgress, 'total' | 'firstId' | 'failures' | 'mode' | 'written'>,
  times = 1,
): ImportAnswer {
  const ids = Array.from({ length: total }, (_, row): number | null => firstId + row)
  for (const { row } of failures) ids[row] = null
  for (const { row, id } of written) ids[row] = id
  const updated = written.filter(({ as }) => as === 'updated').length
  return {
    total,
    created: total - failures.length - written.length,
    ...(mode !== undefined && mode !== 'create' && { updated, unchanged: written.length - updated }),
    failed: failures.length,
    ids,
    errors: truncateFailures(failures, times),
  }
}

/** The failures of 5,000 rows must fit into one item of 400 KB. */
const bytesPerRow = 60

/** The failures as JSON, compressed if that is needed to fit; if still too large, without the errors by field. */
function pack(failures: readonly RowFailure[], rows: number): string | Uint8Array {
  const limit = Math.max(300, rows * bytesPerRow)
  const text = JSON.stringify(failures)
  if (Buffer.byteLength(text) <= limit) return text
  const packed = gzipSync(text)
  return packed.length <= limit
    ? packed
    : gzipJson(failures.map(({ row, message }) => ({ row, errors: null, message: message.slice(0, 40) })))
}

/**
 * A table's stream: a log in storage. Each record is written in one batch with its change. Memory holds positions
 * only. Records are kept until they are trimmed, whatever their age.
 */
import { hash } from 'node:crypto'
import type { Outage } from '../../runtime/storage/outage.ts'
import type { Op, Storage } from '../../runtime/storage/storage.ts'
import { type Item, itemSizeBytes } from '../items/attribute-value.ts'
import type { StreamViewType, Table } from '../tables/table.ts'
import type { Change } from '../write/plan-write.ts'

/** A record as in Lambda's event. */
export interface StreamRecord {
  eventID: string
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
  eventVersion: '1.1'
  eventSource: 'aws:dynamodb'
  awsRegion: string
  eventSourceARN: string
  dynamodb: {
    /** seconds */
    ApproximateCreationDateTime: number
    Keys: Item
    NewImage?: Item
    OldImage?: Item
    SequenceNumber: string
    SizeBytes: number
    StreamViewType: StreamViewType
  }
  userIdentity?: { type: 'Service'; principalId: 'dynamodb.amazonaws.com' }
}

export interface Stream {
  /**
   * Up to `limit` records after a sequence number, oldest first; from the oldest one when undefined. A
   * shard that lags waits for the first one; the signal ends that.
   */
  read(afterSequence: string | undefined, limit: number, signal?: AbortSignal): Promise<StreamRecord[]>
  /**
   * Resolves when there is a record after the sequence number. Rejects with the signal's reason, or when the table
   * store closes.
   */
  waitForRecords(afterSequence: string | undefined, signal?: AbortSignal): Promise<void>
  /** Deletes the records up to and including the sequence number. Space is freed later, in batches. */
  trim(uptoSequence: string): Promise<void>
  /** Set while nothing can be written: who receives records could store nothing. */
  outage(): Outage | undefined
  /** The sequence number of the newest committed record. */
  readonly latest: string
}

export interface StreamLog extends Stream {
  /**
   * The write that logs a change, at the next position. It must be committed in the same turn, or later records
   * overtake it. `afterText`: the item as stored, which goes into the row unchanged.
   */
  append(change: Change, afterText: string | undefined): { op: Op; position: number }
  /** Makes the records up to a position visible, after their batch is committed. */
  publish(position: number): void
  /** Rejects waiting readers, and stores how far the log was trimmed. */
  close(): Promise<void>
}

interface Row {
  at: number
  old: Item | null
  new: Item | null
  expired?: true
}

const trimRun = 1000

/** Sequence numbers have the length of AWS's and sort as text. */
const sequenceBase = 10n ** 20n
const sequenceOf = (position: number): string => String(sequenceBase + BigInt(position))
const positionOf = (sequence: string): number => Number(BigInt(sequence) - sequenceBase)

export async function openStreamLog(
  storage: Storage,
  table: Table,
  region: string,
  now: () => number,
): Promise<StreamLog> {
  const prefix = `ddb/stream/${table.name}/`
  const trimKey = `ddb/stream-trimmed/${table.name}`
  const rowKey = (position: number): string => prefix + String(position).padStart(16, '0')
  const arn = table.description.LatestStreamArn!
  const viewType = table.description.StreamSpecification!.StreamViewType!

  let trimmed = Number(storage.get(trimKey) ?? 0)
  let deleted = trimmed
  const [newest] = await storage.range({ gte: prefix, lt: `${prefix}~`, reverse: true, limit: 1 })
  let appended = Math.max(trimmed, newest ? Number(newest[0].slice(prefix.length)) : 0)
  let published = appended
  const waiting = new Set<{ behind: number; wake: (error?: Error) => void }>()

  function toRecord(position: number, row: Row): StreamRecord {
    const keys = Object.fromEntries(table.keys.map(({ name }) => [name, (row.new ?? row.old)![name]!]))
    const newImage = row.new && /NEW/.test(viewType) ? row.new : undefined
    const oldImage = row.old && /OLD/.test(viewType) ? row.old : undefined
    return {
      eventID: hash('md5', `${arn}/${position}`),
      eventName: !row.old ? 'INSERT' : row.new ? 'MODIFY' : 'REMOVE',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: region,
      eventSourceARN: arn,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(row.at / 1000),
        Keys: keys,
        ...(newImage && { NewImage: newImage }),
        ...(oldImage && { OldImage: oldImage }),
        SequenceNumber: sequenceOf(position),
        SizeBytes: [keys, newImage, oldImage].reduce((sum, image) => sum + (image ? itemSizeBytes(image) : 0), 0),
        StreamViewType: viewType,
      },
      ...(row.expired && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
    }
  }

  async function deleteTrimmed(): Promise<void> {
    while (deleted < trimmed) {
      const upto = Math.min(trimmed, deleted + trimRun)
      const ops: Op[] = [{ type: 'put', key: trimKey, value: String(upto) }]
      for (let position = deleted + 1; position <= upto; position++) ops.push({ type: 'del', key: rowKey(position) })
      const before = deleted
      deleted = upto
      try {
        await storage.commit(ops)
      } catch (error) {
        deleted = Math.min(deleted, before)
        throw error
      }
    }
  }

  return {
    append({ beforeText, expired }, afterText) {
      const position = ++appended
      const value = `{"at":${now()},"old":${beforeText ?? null},"new":${afterText ?? null}${expired ? ',"expired":true' : ''}}`
      return { position, op: { type: 'put', key: rowKey(position), value } }
    },
    publish(position) {
      if (position <= published) return
      published = position
      for (const waiter of waiting) if (waiter.behind < position) waiter.wake()
    },
    async read(afterSequence, limit) {
      const after = Math.max(trimmed, afterSequence === undefined ? 0 : positionOf(afterSequence))
      if (after >= published) return []
      const rows = await storage.range({ gt: rowKey(after), lte: rowKey(published), limit })
      return rows.map(([key, text]) => toRecord(Number(key.slice(prefix.length)), JSON.parse(text) as Row))
    },
    waitForRecords(afterSequence, signal) {
      const behind = Math.max(trimmed, afterSequence === undefined ? 0 : positionOf(afterSequence))
      if (behind < published) return Promise.resolve()
      if (signal?.aborted) return Promise.reject(signal.reason)
      return new Promise((resolve, reject) => {
        const abort = (): void => waiter.wake(signal!.reason)
        const waiter = {
          behind,
          wake(error?: Error) {
            waiting.delete(waiter)
            signal?.removeEventListener('abort', abort)
            if (error) reject(error)
            else resolve()
          },
        }
        signal?.addEventListener('abort', abort)
        waiting.add(waiter)
      })
    },
    async trim(uptoSequence) {
      trimmed = Math.max(trimmed, Math.min(positionOf(uptoSequence), published))
      if (trimmed - deleted >= trimRun) await deleteTrimmed()
    },
    outage: storage.outage,
    get latest() {
      return sequenceOf(published)
    },
    async close() {
      for (const waiter of waiting) waiter.wake(new Error(`The stream of table ${table.name} is closed.`))
      // What an outage leaves is deleted after the next start.
      await deleteTrimmed().catch((error) => {
        if (!storage.outage()) throw error
      })
    },
  }
}

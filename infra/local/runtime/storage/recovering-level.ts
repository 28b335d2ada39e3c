/**
 * LevelDB that survives a full disk. After a write that failed it refuses every other one until it is opened again, and
 * what that write left in its log would make later ones unreadable. So nothing is written until there is room; then the
 * directory is opened again, and what the failed write may have left is taken back: whoever made it was told that it failed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { hasRoom } from '../room.ts'
import { codeOf, type Level, type Op, openLevel, reasonOf } from './level.ts'
import { type Outage, StorageUnavailable } from './outage.ts'

export interface RecoveryOptions {
  readonly sync: boolean
  /** Told when an outage begins and when it is over, in words for the operator. */
  readonly onOutage?: (entry: { readonly level: 'ERROR' | 'WARN'; readonly message: string }) => void
  /** How often an outage looks for room. Default 1 s. */
  readonly lookEveryMs?: number
}

export interface RecoveringLevel {
  get(key: string): string | undefined
  /** Reads from the open level. */
  read<T>(from: (level: Level) => Promise<T>): Promise<T>
  /** Writes all or nothing. One call at a time. */
  write(ops: Op[]): Promise<void>
  outage(): Outage | undefined
  close(): Promise<void>
}

export async function openRecoveringLevel(
  directory: string,
  { sync, onOutage = () => {}, lookEveryMs = 1_000 }: RecoveryOptions,
): Promise<RecoveringLevel> {
  let level: Level | undefined = await openLevel(directory)
  let outage: Outage | undefined
  let recovering: Promise<void> | undefined
  let reads = 0
  let lastReadEnded: (() => void) | undefined
  const closing = new AbortController()

  function opened(): Level {
    if (level) return level
    throw outage?.error ?? new Error(`The data in ${directory} is closed.`)
  }

  function beginOutage(failed: readonly Op[], cause: unknown): StorageUnavailable {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const error = new StorageUnavailable(reasonOf(cause), { cause })
    const since = Date.now()
    outage = { error, over }
    onOutage({
      level: 'ERROR',
      message: `The data in ${directory} cannot be written: ${reasonOf(cause)}. Requests that write are answered 503 until it can; what was answered is safe. Make room on its disk: the service then continues by itself.`,
    })
    recovering = recover(failed)
      .then(() => {
        outage = undefined
        end()
        const seconds = Math.round((Date.now() - since) / 1000)
        onOutage({ level: 'WARN', message: `The data in ${directory} can be written again, after ${seconds} s.` })
      })
      // The level is being closed.
      .catch(() => {})
    return error
  }

  /** Resolves when writes work again; rejects when the level is being closed. */
  async function recover(failed: readonly Op[]): Promise<void> {
    let former: Op[] | undefined
    for (;;) {
      await sleep(lookEveryMs, undefined, { signal: closing.signal, ref: false })
      if (!(await hasRoom(directory))) continue
      try {
        former ??= await formerValues(opened(), failed)
        await reopen()
        await opened().batch(former, { sync })
        return
      } catch {
        // The room was gone again, or was not enough.
        closing.signal.throwIfAborted()
      }
    }
  }

  async function reopen(): Promise<void> {
    const before = level
    level = undefined
    if (reads > 0) await new Promise<void>((resolve) => (lastReadEnded = resolve))
    await before?.close()
    level = await openLevel(directory)
  }

  return {
    get: (key) => opened().getSync(key),
    async read(from) {
      const open = opened()
      reads += 1
      try {
        return await from(open)
      } finally {
        reads -= 1
        if (reads === 0) lastReadEnded?.()
      }
    },
    async write(ops) {
      if (outage) throw outage.error
      try {
        await opened().batch(ops, { sync })
      } catch (cause) {
        throw codeOf(cause) === 'LEVEL_IO_ERROR' ? beginOutage(ops, cause) : cause
      }
    },
    outage: () => outage,
    async close() {
      closing.abort()
      await recovering
      await level?.close()
    },
  }
}

/** Operations that bring back what the keys of others held before. */
async function formerValues(level: Level, ops: readonly Op[]): Promise<Op[]> {
  const keys = [...new Set(ops.map(({ key }) => key))]
  const values = await level.getMany(keys)
  return keys.map((key, at) => {
    const value = values[at]
    return value === undefined ? { type: 'del', key } : { type: 'put', key, value }
  })
}

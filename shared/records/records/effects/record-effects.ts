import { createHash } from 'node:crypto'
import { NotFound } from '../../../kernel/failures/faults.ts'
import { recordKey, tombstoneKey } from '../../../platform/store/keys/records.ts'
import { isLiving as isLivingItem } from '../../../platform/store/rows/record-row.ts'
import type { FlatRecord, RecordAccess } from '../../../scripts/api/record-access.ts'
import type { Actor } from '../actor.ts'
import { removeRecord } from '../delete/remove-record.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { flatRecord } from '../hooks/script-records.ts'
import { readLivingRecord } from '../record-item.ts'
import { changeRecord } from '../write/change-record.ts'
import { prepareNewRecord, storeNewRecord } from '../write/create-record.ts'
import type { EffectRows } from './effect-row.ts'
import { guardEffect } from './guard-effect.ts'

type Fields = Readonly<Record<string, unknown>>

/** A record that was created, and a digest of the data it was given. */
interface Created {
  readonly id: number
  readonly sent: string
}

/**
 * The record writes of work that may be repeated, such as the step of a process. Each is made once in a try. A retry
 * makes them again on the records as they are now, but creates no second record: it updates the one of the failed try
 * with what differs.
 */
export interface RecordEffects {
  create(effect: string, model: string, data: Fields): Promise<FlatRecord>
  update(effect: string, model: string, id: number, data: Fields): Promise<FlatRecord>
  /** The data methods of `$api` for a script. Its writes are numbered in their order, those that create by table. */
  accessFor(work: string, reads: RecordAccess): RecordAccess
}

/**
 * Record writes guarded by `rows`. `actor` has all rights, as scripts have. `onWrite` is called after every write.
 */
export function recordEffects(
  records: RecordDependencies,
  actor: Actor,
  rows: EffectRows,
  onWrite: () => void = () => {},
): RecordEffects {
  const { store, clock, tables } = records
  const { tenant } = actor
  const guarded = <T>(effect: string, act: Parameters<typeof guardEffect<T>>[4]): Promise<T> =>
    guardEffect<T>({ store, clock }, tenant, rows, effect, act)

  /** The current record. When it has been deleted since, perhaps by this script before a repeat: the given data. */
  async function read(model: string, id: number, data: Fields): Promise<FlatRecord> {
    const [table, item] = await Promise.all([
      tables.require(tenant, model),
      store.get(tenant, recordKey(tenant, model, id)),
    ])
    const living = readLivingRecord(item, table)
    return living ? flatRecord(table, living) : { ...data, id }
  }

  const isLiving = async (model: string, id: number): Promise<boolean> =>
    isLivingItem(await store.get(tenant, recordKey(tenant, model, id)))

  async function create(effect: string, model: string, data: Fields): Promise<FlatRecord> {
    const table = await tables.require(tenant, model)
    const sent = createHash('sha256').update(JSON.stringify(data)).digest('base64url')
    const { id } = await guarded<Created>(effect, async (guard, withdrawn) => {
      if (withdrawn && (await isLiving(model, withdrawn.id))) {
        const standing = { id: withdrawn.id, sent }
        if (withdrawn.sent !== sent)
          await changeRecord(records, actor, table, standing.id, data, { extraWrites: [guard(standing)] })
        return standing
      }
      const prepared = await prepareNewRecord(records, actor, table, data)
      const { id: created } = await storeNewRecord(records, actor, table, prepared, {
        extraWrites: (record) => [guard({ id: record.id, sent })],
      })
      return { id: created, sent }
    })
    onWrite()
    return read(model, id, data)
  }

  async function update(effect: string, model: string, id: number, data: Fields): Promise<FlatRecord> {
    const table = await tables.require(tenant, model)
    await guarded<number>(effect, async (guard) => {
      const { version } = await changeRecord(records, actor, table, id, data, { extraWrites: [guard(id)] })
      return version
    })
    onWrite()
    return read(model, id, data)
  }

  async function remove(effect: string, model: string, id: number): Promise<void> {
    const table = await tables.require(tenant, model)
    await guarded<number>(effect, async (guard) => {
      try {
        await removeRecord(records, actor, table, id, { extraWrites: [guard(id)] })
      } catch (error) {
        // Whoever deleted the record, the result is the one the script wants.
        const isGone =
          error instanceof NotFound && (await store.get(tenant, tombstoneKey(tenant, model, id))) !== undefined
        if (!isGone) throw error
        await store.write(tenant, guard(id))
      }
      return id
    })
    onWrite()
  }

  return {
    create,
    update,
    accessFor(work, reads) {
      let calls = 0
      const next = (): string => `${work}#${(calls += 1)}`
      // Counted by table, so that a retry that does something else in between finds the records of the failed try.
      const created = new Map<string, number>()
      const nextOf = (model: string): string => {
        const nth = (created.get(model) ?? 0) + 1
        created.set(model, nth)
        return `${work}#create:${model}:${nth}`
      }
      return {
        ...reads,
        create: (model, data) => create(nextOf(model), model, data),
        update: (model, id, data) => update(next(), model, id, data),
        remove: (model, id) => remove(next(), model, id),
      }
    },
  }
}

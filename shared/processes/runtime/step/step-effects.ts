import { NotFound } from '../../../kernel/faults.ts'
import {
  removeRecord,
  type Actor,
  flatRecord,
  readLivingRecord,
  changeRecord,
  prepareNewRecord,
  storeNewRecord,
} from '../../../records/service.ts'
import type { FlatRecord, RecordAccess } from '../../../scripts/service.ts'
import { recordKey, tombstoneKey } from '../../../store/keys/records.ts'
import type { ProcessDependencies } from '../../dependencies.ts'
import { guardEffect } from './guard-effect.ts'

type Fields = Readonly<Record<string, unknown>>

/** The record writes of a step. Each is made once, however often the step is repeated. */
export interface StepEffects {
  create(effect: string, model: string, data: Fields): Promise<FlatRecord>
  update(effect: string, model: string, id: number, data: Fields): Promise<FlatRecord>
  /** The data methods of `$api` for a script. Its writes are numbered in their order. */
  accessFor(executionId: string, reads: RecordAccess): RecordAccess
}

/** `actor` has all rights, as scripts have. `onWrite` is called after every write. */
export function stepEffects(
  { store, clock, tables, records }: ProcessDependencies,
  actor: Actor,
  instanceId: number,
  onWrite: () => void,
): StepEffects {
  const { tenant } = actor

  /** The current record. When it has been deleted since, perhaps by this script before a repeat: the given data. */
  async function read(model: string, id: number, data: Fields): Promise<FlatRecord> {
    const [table, item] = await Promise.all([
      tables.require(tenant, model),
      store.get(tenant, recordKey(tenant, model, id)),
    ])
    const living = readLivingRecord(item)
    return living ? flatRecord(table, living) : { ...data, id }
  }

  async function create(effect: string, model: string, data: Fields): Promise<FlatRecord> {
    const table = await tables.require(tenant, model)
    const id = await guardEffect<number>({ store, clock }, tenant, instanceId, effect, async (guard) => {
      const prepared = await prepareNewRecord(records, actor, table, data)
      const { id: created } = await storeNewRecord(records, actor, table, prepared, {
        extraWrites: (record) => [guard(record.id)],
      })
      return created
    })
    onWrite()
    return read(model, id, data)
  }

  async function update(effect: string, model: string, id: number, data: Fields): Promise<FlatRecord> {
    const table = await tables.require(tenant, model)
    await guardEffect<number>({ store, clock }, tenant, instanceId, effect, async (guard) => {
      const { version } = await changeRecord(records, actor, table, id, data, { extraWrites: [guard(id)] })
      return version
    })
    onWrite()
    return read(model, id, data)
  }

  async function remove(effect: string, model: string, id: number): Promise<void> {
    const table = await tables.require(tenant, model)
    await guardEffect<number>({ store, clock }, tenant, instanceId, effect, async (guard) => {
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
    accessFor(executionId, reads) {
      let calls = 0
      const next = (): string => `${executionId}#${(calls += 1)}`
      return {
        ...reads,
        create: (model, data) => create(next(), model, data),
        update: (model, id, data) => update(next(), model, id, data),
        remove: (model, id) => remove(next(), model, id),
      }
    },
  }
}

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
import { runEffectOnce } from './effect-guard.ts'

type Fields = Readonly<Record<string, unknown>>

/** Writes of records that a process makes once each, however often its step is repeated. */
export interface StepEffects {
  create(effect: string, model: string, data: Fields): Promise<FlatRecord>
  update(effect: string, model: string, id: number, data: Fields): Promise<FlatRecord>
  /** The data methods of `$api` for a script; its writes are numbered in the order in which it makes them. */
  accessFor(executionId: string, reads: RecordAccess): RecordAccess
}

/** `actor`: an administrator, as the user's rights limit processes no more than scripts. `wrote` hears of every write. */
export function stepEffects(
  { store, clock, tables, records }: ProcessDependencies,
  actor: Actor,
  instanceId: number,
  wrote: () => void,
): StepEffects {
  const { tenant } = actor

  /** What was written as it stands. Somebody may have deleted it since, perhaps this very script before its step was repeated: then what was asked for. */
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
    const id = await runEffectOnce<number>({ store, clock }, tenant, instanceId, effect, async (mark) => {
      const prepared = await prepareNewRecord(records, actor, table, data)
      const { id: made } = await storeNewRecord(records, actor, table, prepared, {
        beside: (record) => [mark(record.id)],
      })
      return made
    })
    wrote()
    return read(model, id, data)
  }

  async function update(effect: string, model: string, id: number, data: Fields): Promise<FlatRecord> {
    const table = await tables.require(tenant, model)
    await runEffectOnce<number>({ store, clock }, tenant, instanceId, effect, async (mark) => {
      const { version } = await changeRecord(records, actor, table, id, data, { beside: [mark(id)] })
      return version
    })
    wrote()
    return read(model, id, data)
  }

  async function remove(effect: string, model: string, id: number): Promise<void> {
    const table = await tables.require(tenant, model)
    await runEffectOnce<number>({ store, clock }, tenant, instanceId, effect, async (mark) => {
      try {
        await removeRecord(records, actor, table, id, { beside: [mark(id)] })
      } catch (error) {
        // Whoever deleted it: it is gone as asked.
        const isGone =
          error instanceof NotFound && (await store.get(tenant, tombstoneKey(tenant, model, id))) !== undefined
        if (!isGone) throw error
        await store.write(tenant, mark(id))
      }
      return id
    })
    wrote()
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

import { findMacro } from '../../automation/macros/macros.ts'
import { Forbidden, Invalid } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import { maxJobInputBytes } from '../../kernel/limits/imports.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Accepted } from '../../platform/http/routing/envelope.ts'
import { packedBytes } from '../../platform/store/values/pack-json.ts'
import { requireSoundValues } from '../../records/records/write/check-fields.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { BatchDependencies } from './dependencies.ts'
import type { Work } from './rows/batch-row.ts'
import type { BulkAnswer, BulkBody } from './schema.ts'
import { selectRecords } from './select-records.ts'
import { startBatch } from './start-batch.ts'

/**
 * Changes or deletes many records. What is wrong with the request for every record refuses it as a whole, before anything
 * is written; what refuses single records is reported. Throws Invalid, Forbidden and Conflict.
 */
export async function bulkChange(
  services: BatchDependencies,
  caller: Caller,
  model: string,
  body: BulkBody,
  timeIsUp: () => boolean,
): Promise<BulkAnswer | Accepted> {
  const table = await services.tables.require(caller.tenant, model)
  const work = await workOf(services, body, table, caller)
  const needed = 'delete' in work ? 'delete' : 'update'
  if (!mayOnTable(caller, model, needed))
    throw new Forbidden('forbidden', `You need the permission ${model}.${needed}.`)
  const ids = await selectRecords(services, caller, table, body)
  const records = ids.map((id) => ({ id }))
  const isDryRun = body.dry_run === true
  const answer = await startBatch(
    services,
    caller,
    { kind: 'bulk', table, work, groups: [records], matched: ids.length, isDryRun },
    timeIsUp,
  )
  return answer as BulkAnswer | Accepted
}

async function workOf(
  services: BatchDependencies,
  { set, delete: removes, macro }: BulkBody,
  table: Table,
  caller: Caller,
): Promise<Work> {
  if ([set, removes, macro].filter((one) => one !== undefined).length !== 1)
    throw new Invalid({ set: ['Send one of set, delete and macro: what is done with the records.'] })
  if (macro !== undefined) {
    const { name, model } = await findMacro(services.macros, caller, macro)
    if (model !== table.name)
      throw new Invalid({ macro: [`The macro ${macro} (${name}) is one of ${model}, not of ${table.name}.`] })
    return { macro }
  }
  if (!set) return { delete: true }
  if (Object.keys(set).length === 0) throw new Invalid({ set: [say('nothing_to_set', {})] })
  if (packedBytes(set) > maxJobInputBytes)
    throw new Invalid({ set: ['The values are too large for a bulk change: compressed they may have 150 KB.'] })
  try {
    requireSoundValues(table, set, caller)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw error.withErrors(
      Object.fromEntries(Object.entries(error.problems).map(([name, messages]) => [`set.${name}`, messages])),
    )
  }
  return { set }
}

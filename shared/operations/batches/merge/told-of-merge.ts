import { instancesOf } from '../../../automation/processes/runtime/record-changed.ts'
import { messageLinksPartition } from '../../../platform/store/keys/messages/incoming.ts'
import { readMergedRecords } from '../../../platform/store/ranges/merged-records.ts'
import { readRecordHead } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { countDiscussion } from '../../../records/comments/record-discussions.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { WorkDependencies } from '../dependencies.ts'
import type { ToldOfMerge } from '../schema.ts'
import type { FilledFields } from './fill-fields.ts'

/** Messages, and references of a field, that are counted. */
const maxCounted = 1000

/** What a merge moves and fills. */
export async function toldOfMerge(
  services: WorkDependencies,
  actor: Actor,
  table: Table,
  item: Item,
  { values, notFilled, files }: FilledFields,
): Promise<ToldOfMerge> {
  const { store } = services
  const { tenant } = actor
  const { name: model } = table
  const { id } = readRecordHead(item)
  const members = [item, ...(await readMergedRecords(store, tenant, model, item))].map((one) => readRecordHead(one).id)
  const [discussion, messages, links, references, processes] = await Promise.all([
    countDiscussion(services, actor, { model, id }),
    Promise.all(
      members.map(async (one) => {
        const { items } = await store.query(tenant, {
          pk: messageLinksPartition(tenant, model, one),
          limit: maxCounted,
        })
        return items.length
      }),
    ),
    services.links.countLinks(tenant, model, id),
    countReferences(services, actor, table, id),
    instancesOf(store, tenant, { model, id }),
  ])
  return {
    moves: { ...discussion, messages: sum(messages), links, references, files },
    filled: Object.keys(values),
    not_filled: [...notFilled],
    cancelled_processes: processes,
  }
}

async function countReferences(
  { tables, referencesTo }: WorkDependencies,
  { tenant }: Actor,
  table: Table,
  id: number,
): Promise<number> {
  const counts = (await tables.referringFields(tenant, table.name)).map(
    async ({ table: other, field }) => (await referencesTo(tenant, other, field.name, id, maxCounted)).length,
  )
  return sum(await Promise.all(counts))
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

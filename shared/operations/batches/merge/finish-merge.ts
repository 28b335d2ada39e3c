import { Fault } from '../../../kernel/failures/faults.ts'
import { batchEntriesPartition } from '../../../platform/store/keys/batches.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { pointReference } from '../../../records/records/write/point-reference.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { type Batch, countMerge, type MergedPair, type Reached } from '../rows/batch-row.ts'
import type { BatchRun } from '../work/apply-to-record.ts'

/** References that are looked for at once. */
const referencesPerLook = 100

/**
 * Moves what cannot be read through the merged record: links and references, or gives the links back. Everything of it
 * may be repeated, so a crash at any point is made up for. For other batches there is nothing to do.
 */
export async function finishMerge(
  run: BatchRun,
  table: Table,
  batch: Batch,
  timeIsUp: () => boolean,
): Promise<Reached> {
  const { work } = batch
  const { services, actor, batchId } = run
  const { links, store, clock } = services
  if ('unmerge' in work) {
    const { from, into } = work.unmerge
    const isDone = await links.returnLinks(actor.tenant, { model: table.name, from, to: into }, timeIsUp)
    return { ...batch, isDone }
  }
  if (!('merge' in work)) return { ...batch, isDone: true }
  const { from, into } = work.merge
  const areLinksMoved = await links.moveLinks(actor.tenant, { model: table.name, from, to: into }, timeIsUp)
  const refused = areLinksMoved ? await moveReferences(run, table, work.merge, timeIsUp) : undefined
  if (!refused) return { ...batch, isDone: false }
  const entries = await readAll(store, actor.tenant, { pk: batchEntriesPartition(actor.tenant, batchId) })
  const tally = { changed: entries.length + 1, failed: refused.size }
  await store.transact(actor.tenant, [countMerge(actor.tenant, batchId, tally)], clock.uuid())
  return { ...batch, ...tally, matched: tally.changed + tally.failed, isDone: true }
}

/**
 * Points references at the record that survives, in the name of whoever merges: no hook, condition or field rule may refuse
 * it. Answers the records that refused it all the same; undefined when time was up.
 */
async function moveReferences(
  { services, actor }: BatchRun,
  table: Table,
  { from, into }: MergedPair,
  timeIsUp: () => boolean,
): Promise<ReadonlySet<string> | undefined> {
  const { tenant } = actor
  const refused = new Set<string>()
  for (const { table: other, field } of await services.tables.referringFields(tenant, table.name)) {
    const isMerged = (id: number): boolean => other.name === table.name && id === from
    // The index may lag, so a look that moved nothing is the last.
    for (let moved = 1; moved > 0;) {
      moved = 0
      const limit = referencesPerLook + refused.size + 1
      for (const id of await services.referencesTo(tenant, other, field.name, from, limit)) {
        const name = `${other.name} ${id}`
        if (refused.has(name) || isMerged(id)) continue
        if (timeIsUp()) return undefined
        // A record that referred to the one that it absorbs does not refer to itself.
        const to = other.name === table.name && id === into ? null : into
        try {
          if (await pointReference(services, actor, { table: other, field: field.name, id, from, to })) moved += 1
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          refused.add(name)
        }
      }
    }
  }
  return refused
}

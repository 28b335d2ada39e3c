import { isoTime } from '../kernel/clock.ts'
import { Conflict, type FieldErrors, Invalid, NotFound } from '../kernel/faults.ts'
import type { Principal } from '../kernel/principal.ts'
import type { Tenant, TenantRef } from '../kernel/tenancy.ts'
import { thereIsNo } from '../kernel/text/did-you-mean.ts'
import type { Step } from '../store/commit.ts'
import { isNew } from '../store/conditions.ts'
import { putConfigRow, removeConfigRow } from '../store/config.ts'
import { uniqueKey } from '../store/keys/records.ts'
import { uniqueItem } from '../store/rows/unique-row.ts'
import { moveLiveCount, allocateIds } from '../store/sequence/sequence.ts'
import type { Write } from '../store/store.ts'
import { documentChanges, trailEvent } from '../trail/service.ts'
import type { RelationDependencies } from './dependencies.ts'
import { relationRemovalItem } from './relation-removal-row.ts'
import { relationOf, relationRow, relationRowName, relationSequence, sidesOf } from './relation.ts'
import type { Relation, RelationChange, RelationInput } from './schema.ts'

/** After this time the sweeper queues the removal of a deleted relation's links. */
const dueAfterMs = 60_000

/** Throws NotFound when there is no such relation. */
export async function findRelation(
  { config }: Pick<RelationDependencies, 'config'>,
  tenant: Tenant,
  id: number,
): Promise<Relation> {
  const relation = await config.get(tenant, 'RELATION', relationRowName(id), relationOf)
  if (!relation) throw new NotFound('relation', { id })
  return relation
}

/** The relations of a table, oldest first. */
export async function relationsOf(
  { config }: Pick<RelationDependencies, 'config'>,
  tenant: Tenant,
  table: string,
): Promise<readonly Relation[]> {
  return (await config.list(tenant, 'RELATION', relationOf)).filter((relation) => sidesOf(relation, table).length > 0)
}

/** The relations of a table by its numeric id, newest first. Throws NotFound when there is no such table. */
export async function relationsOfTableId(
  deps: Pick<RelationDependencies, 'config' | 'tables'>,
  tenant: Tenant,
  tableId: number,
): Promise<readonly Relation[]> {
  const table = (await deps.tables.all(tenant)).find(({ id }) => id === tableId)
  if (!table) throw new NotFound('table', { id: tableId })
  return (await relationsOf(deps, tenant, table.name)).toReversed()
}

/** Creates a relation. Throws Invalid for unknown tables, Conflict for a taken name. */
export async function createRelation(
  { store, config, tables, clock }: RelationDependencies,
  caller: Principal,
  input: RelationInput,
): Promise<Relation> {
  const { tenant, userId } = caller
  const { name, l_table, r_table } = input
  const [l, r] = await Promise.all([tables.find(tenant, l_table), tables.find(tenant, r_table)])
  const names = l && r ? [] : (await tables.all(tenant)).map((table) => table.name)
  const errors: FieldErrors = {
    ...(!l && { l_table: [`The selected l_table is invalid: ${thereIsNo('table', l_table, names)}`] }),
    ...(!r && { r_table: [`The selected r_table is invalid: ${thereIsNo('table', r_table, names)}`] }),
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const relation: Relation = {
    id: await allocateIds(store, tenant, relationSequence),
    name,
    l_table,
    r_table,
    version: 1,
  }
  const row = putConfigRow(tenant, 'RELATION', relationRow(relation), null, { userId, at: isoTime(clock.now()) })
  await config.change(
    tenant,
    [holdName(tenant, name, relation.id), row, relationEvent(clock, caller, undefined, relation)],
    changedMeanwhile,
  )
  return relation
}

/**
 * Renames a relation. Its tables cannot change, because its links refer to their records. `version`, when given, must
 * be the current one. Throws NotFound, Invalid and Conflict.
 */
export async function changeRelation(
  { config, clock }: RelationDependencies,
  caller: Principal,
  id: number,
  input: RelationChange,
): Promise<Relation> {
  const { tenant, userId } = caller
  const row = await config.getFresh(tenant, 'RELATION', relationRowName(id))
  if (!row) throw new NotFound('relation', { id })
  const before = relationOf(row)
  if (input.version !== undefined && input.version !== before.version)
    throw new Conflict('stale_version', `The relation has changed: its version is ${before.version}.`)
  const errors: FieldErrors = {}
  for (const position of ['l_table', 'r_table'] as const) {
    if (input[position] !== undefined && input[position] !== before[position])
      errors[position] = ['A relation keeps its tables: make another one.']
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const { name = before.name } = input
  if (name === before.name) return before
  const after: Relation = { ...before, name, version: before.version + 1 }
  const put = putConfigRow(tenant, 'RELATION', relationRow(after), before.version, { userId, at: isoTime(clock.now()) })
  await config.change(
    tenant,
    [holdName(tenant, name, id), put, freeName(tenant, before.name), relationEvent(clock, caller, before, after)],
    changedMeanwhile,
  )
  return after
}

/**
 * Deletes a relation at once; its links are removed in the background. The records stay. Throws NotFound and Conflict.
 */
export async function removeRelation(
  { config, clock }: RelationDependencies,
  caller: Principal,
  id: number,
): Promise<void> {
  const { tenant, userId } = caller
  const row = await config.getFresh(tenant, 'RELATION', relationRowName(id))
  if (!row) throw new NotFound('relation', { id })
  const now = clock.now()
  const removal = relationRemovalItem(
    tenant,
    id,
    { userId, deletedAt: isoTime(now), round: 1 },
    isoTime(now + dueAfterMs),
  )
  const before = relationOf(row)
  const writes = [
    freeName(tenant, before.name),
    removeConfigRow(tenant, 'RELATION', row.name, row.version),
    moveLiveCount(tenant, relationSequence, -1),
    { put: removal },
    relationEvent(clock, caller, before, undefined),
  ]
  await config.change(tenant, writes, changedMeanwhile)
}

function relationEvent(
  clock: RelationDependencies['clock'],
  caller: Principal,
  before: Relation | undefined,
  after: Relation | undefined,
): Write {
  const { id, name, version } = (after ?? before) as Relation
  const described = (relation: Relation | undefined) =>
    relation && { name: relation.name, l_table: relation.l_table, r_table: relation.r_table }
  const action = !before ? 'create' : after ? 'update' : 'delete'
  return trailEvent(clock, caller.tenant, caller, {
    action,
    model: relationSequence,
    id,
    name,
    version,
    changes: documentChanges(described(before), described(after)),
  })
}

/** Names are unique, because configuration as code refers to relations by name. A guard row reserves each name. */
const nameKey = (tenant: TenantRef, name: string) => uniqueKey(tenant, relationSequence, 'name', name)
const holdName = (tenant: TenantRef, name: string, id: number): Step => ({
  write: { put: uniqueItem(nameKey(tenant, name), id), if: isNew },
  refused: () => new Conflict('name_taken', 'The name has already been taken.'),
})
const freeName = (tenant: TenantRef, name: string): Write => ({ remove: nameKey(tenant, name) })

const changedMeanwhile = (): Conflict =>
  new Conflict('write_conflict', 'Somebody else changed this relation at the same time. Read it again.')

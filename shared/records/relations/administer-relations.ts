import { isoTime } from '../../kernel/clock.ts'
import { changedMeanwhile, requireCurrentVersion } from '../../kernel/concurrent-change.ts'
import { type FieldErrors, Invalid, NotFound } from '../../kernel/faults.ts'
import { byName } from '../../kernel/own-members.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { thereIsNo } from '../../kernel/text/did-you-mean.ts'
import { putConfigRow, removeConfigRow } from '../../platform/store/config.ts'
import { uniqueNames } from '../../platform/store/rows/unique-names.ts'
import { moveLiveCount, allocateIds } from '../../platform/store/sequence/sequence.ts'
import type { Write } from '../../platform/store/store.ts'
import { configurationEvent } from '../../platform/trail/service.ts'
import type { RelationDependencies } from './dependencies.ts'
import { relationRemovalItem } from './relation-removal-row.ts'
import { relationOf, relationRow, relationRowName, relationSequence, sidesOf } from './relation.ts'
import type { Relation, RelationChange, RelationInput } from './schema.ts'

/** After this time the sweeper queues the removal of a deleted relation's links. */
const dueAfterMs = 60_000

const relationNames = uniqueNames(relationSequence)

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
    [relationNames.hold(tenant, name, relation.id), row, relationEvent(clock, caller, undefined, relation)],
    changedMeanwhile('relation'),
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
  requireCurrentVersion('relation', before, input.version)
  const errors: FieldErrors = byName()
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
    [...relationNames.rename(tenant, id, before.name, name), put, relationEvent(clock, caller, before, after)],
    changedMeanwhile('relation'),
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
    relationNames.free(tenant, before.name),
    removeConfigRow(tenant, 'RELATION', row.name, row.version),
    moveLiveCount(tenant, relationSequence, -1),
    { put: removal },
    relationEvent(clock, caller, before, undefined),
  ]
  await config.change(tenant, writes, changedMeanwhile('relation'))
}

const relationEvent = (
  clock: RelationDependencies['clock'],
  caller: Principal,
  before: Relation | undefined,
  after: Relation | undefined,
): Write =>
  configurationEvent(clock, caller, {
    model: relationSequence,
    before,
    after,
    nameOf: ({ name }) => name,
    documentOf: ({ name, l_table, r_table }) => ({ name, l_table, r_table }),
  })

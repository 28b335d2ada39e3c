import { byName } from '../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { thereIsNo } from '../../kernel/text/did-you-mean.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { configuredObject } from '../../platform/configured-objects/configured-object.ts'
import { allocateIds, moveLiveCount } from '../../platform/store/sequence/sequence.ts'
import { relationRemovalItem } from './continue-relation-removal.ts'
import type { RelationDependencies } from './dependencies.ts'
import { type Relation, relationSequence } from './relation.ts'
import type { RelationAnswer, RelationInput } from './schema.ts'

/** After this time the sweeper queues the removal of a deleted relation's links. */
const dueAfterMs = 60_000
const keepsTables = 'A relation keeps its tables: make another one.'
const positions = ['l_table', 'r_table'] as const

type RelationMembers = Pick<Relation, 'name' | 'l_table' | 'r_table'>

/**
 * The relations. One is only renamed: its tables cannot change, because its links refer to their records. A deleted one
 * is gone at once; its links are removed in the background. The records stay.
 */
export const relationObjects = configuredObject<
  Relation,
  RelationMembers,
  RelationAnswer,
  RelationInput,
  RelationDependencies
>({
  kind: 'RELATION',
  sequence: relationSequence,
  called: { one: 'relation', list: 'relations' },
  members: { name: {}, l_table: {}, r_table: {} },
  fixed: { l_table: keepsTables, r_table: keepsTables },
  takeId: (store, tenant) => allocateIds(store, tenant, relationSequence),
  check: (relation, { services: relations, caller, before }) =>
    before ? {} : unknownTables(relations, caller.tenant, relation),
  alsoWrite({ services: relations, caller: { tenant, userId }, before }, after) {
    if (after || !before) return []
    const now = relations.clock.now()
    const removal = { userId, deletedAt: isoTime(now), round: 1 }
    return [
      moveLiveCount(tenant, relationSequence, -1),
      { put: relationRemovalItem(tenant, before.id, removal, isoTime(now + dueAfterMs)) },
    ]
  },
})

async function unknownTables(
  { tables }: Pick<RelationDependencies, 'tables'>,
  tenant: Tenant,
  relation: RelationMembers,
): Promise<FieldErrors> {
  const found = await Promise.all(positions.map((position) => tables.find(tenant, relation[position])))
  const unknown = positions.filter((_, index) => !found[index])
  const names = unknown.length === 0 ? [] : (await tables.all(tenant)).map((table) => table.name)
  const errors: FieldErrors = byName()
  for (const position of unknown)
    errors[position] = [`The selected ${position} is invalid: ${thereIsNo('table', relation[position], names)}`]
  return errors
}

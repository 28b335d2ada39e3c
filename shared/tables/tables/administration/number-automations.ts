import type { TenantRef } from '../../../kernel/tenancy.ts'
import { allocateIds } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { TableInput } from '../schema.ts'
import type { Automation } from '../table.ts'

/**
 * Completes the hooks of a document. A hook keeps its id; a new one, or one with an id that this table never gave, gets
 * the tenant's next id. Defaults: its kind as the name, its number in the document as the position.
 */
export async function numberAutomations(
  store: Store,
  tenant: TenantRef,
  automations: TableInput['automations'],
  before: readonly Automation[],
): Promise<Automation[]> {
  const known = new Set(before.map(({ id }) => id))
  const isKnown = (id: number | undefined): id is number => id !== undefined && known.delete(id)
  const kept = automations.map(({ id }) => (isKnown(id) ? id : undefined))
  const missing = kept.filter((id) => id === undefined).length
  let next = missing > 0 ? await allocateIds(store, tenant, 'sys_automations', missing) : 0
  return automations.map(({ kind, name, script, is_active, position }, index) => ({
    id: kept[index] ?? next++,
    kind,
    name: name ?? kind,
    script,
    is_active,
    position: position ?? index + 1,
  }))
}

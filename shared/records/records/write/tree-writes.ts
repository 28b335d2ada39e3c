import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Write } from '../../../platform/store/store.ts'
import { formsTree, parentField } from '../../../tables/org-units/tree.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData } from '../record-item.ts'

type TreeDependencies = Pick<RecordDependencies, 'orgTree'>

/** Throws Invalid when a new organisational unit would be nested too deeply. Other records pass. */
export async function checkTreeDepth(
  { orgTree }: TreeDependencies,
  tenant: Tenant,
  table: Table,
  data: RecordData,
): Promise<void> {
  const parent = parentIn(table, data)
  if (parent !== null) await orgTree.requireRoom(tenant, parent)
}

/** What the transaction of new records also writes: for units under a parent, that the tree has changed. */
export const growTree = (
  { orgTree }: TreeDependencies,
  tenant: Tenant,
  table: Table,
  records: readonly RecordData[],
): readonly Write[] => (records.some((data) => parentIn(table, data) !== null) ? [orgTree.grow(tenant)] : [])

/** What the transaction of an update, or of a record that comes back, also writes. Throws Invalid, as `move` does. */
export async function moveInTree(
  { orgTree }: TreeDependencies,
  tenant: Tenant,
  table: Table,
  id: number,
  before: RecordData | undefined,
  after: RecordData,
): Promise<readonly Write[]> {
  const parent = parentIn(table, after)
  return parent === parentIn(table, before ?? {}) ? [] : [await orgTree.move(tenant, id, parent)]
}

/** What the transaction of a delete also writes. Throws Invalid while units are below this one. */
export const leaveTree = async (
  { orgTree }: TreeDependencies,
  tenant: Tenant,
  table: Table,
  id: number,
): Promise<readonly Write[]> => (formsTree(table) ? [await orgTree.leave(tenant, id)] : [])

/** The unit above a unit; null for other records. */
function parentIn(table: Table, data: RecordData): number | null {
  if (!formsTree(table)) return null
  const parent = data[parentField]
  return typeof parent === 'number' ? parent : null
}

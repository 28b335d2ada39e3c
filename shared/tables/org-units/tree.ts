import { maxOrgUnitLevels } from '../../kernel/limits/records.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { orgTreeKey } from '../../platform/store/keys/records.ts'
import type { Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { equals, isNew } from '../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../platform/store/writes/refusals.ts'
import { referencedTable } from '../field-types/read-field.ts'
import type { Table } from '../tables/table.ts'

/** The parent of each unit that has one. */
export type Parents = ReadonlyMap<number, number>

/** A tenant's units in memory. Older data may hold a circle: every walk visits a unit once. */
export interface Tree {
  readonly parents: Parents
  childrenOf(unit: number): readonly number[]
  /** These units and all below them, each once. */
  withDescendants(units: readonly number[]): readonly number[]
}

export function treeOf(parents: Parents): Tree {
  const children = Map.groupBy(parents.keys(), (unit) => parents.get(unit) as number)
  const childrenOf = (unit: number): readonly number[] => children.get(unit) ?? []
  return {
    parents,
    childrenOf,
    withDescendants(units) {
      const reached = new Set(units)
      for (const unit of reached) for (const child of childrenOf(unit)) reached.add(child)
      return [...reached]
    },
  }
}

/** Why a unit may not be under `parent`, as a message; undefined when it may. `unit`: undefined for a new one. */
export function parentProblem(tree: Tree, unit: number | undefined, parent: number): string | undefined {
  const above = ancestorsOf(tree, parent)
  if (unit !== undefined && above.has(unit)) return 'The parent_id may not be the unit itself or a unit below it.'
  const levels = above.size + (unit === undefined ? 1 : heightOf(tree, unit))
  return levels > maxOrgUnitLevels
    ? `The parent_id is too deep: there may be ${maxOrgUnitLevels} levels of units.`
    : undefined
}

/** A unit and all above it. */
function ancestorsOf({ parents }: Tree, unit: number): ReadonlySet<number> {
  const above = new Set<number>()
  for (let at: number | undefined = unit; at !== undefined && !above.has(at); at = parents.get(at)) above.add(at)
  return above
}

/** The number of levels from a unit down, itself included; more than `maxOrgUnitLevels` are not counted. */
function heightOf(tree: Tree, unit: number): number {
  let [level, height] = [[unit], 0]
  while (level.length > 0 && height <= maxOrgUnitLevels) {
    level = level.flatMap((one) => [...tree.childrenOf(one)])
    height += 1
  }
  return height
}

/** The revision of a tenant's tree; undefined before its first change. */
export const readTreeRevision = (item: Item | undefined): string | undefined => item && String(item.revision)

/** Gives the tree a new revision. `since`: only if it still has this one. */
export const treeChanged = (
  tenant: TenantRef,
  revision: string,
  unchanged?: { readonly since: string | undefined },
): Write => ({
  put: { ...orgTreeKey(tenant), kind: 'org_tree', v: 1, revision },
  ...(unchanged && { if: unchanged.since === undefined ? isNew : equals('revision', unchanged.since) }),
})

/** Whether a transaction was refused because the tree has changed since it was read. */
export const hasTreeChanged = (error: unknown): boolean =>
  error instanceof TransactionRefused &&
  error.reasons.some(({ failed, existing }) => failed && existing?.kind === 'org_tree')

/** The built-in table of organisational units, and its field that makes them a tree. */
export const orgUnitsTable = 'sys_org_units'
export const parentField = 'parent_id'

/** Whether records of this table form the tree: an administrator may have removed the field. */
export function formsTree({ name, fieldsByName }: Pick<Table, 'name' | 'fieldsByName'>): boolean {
  const field = name === orgUnitsTable ? fieldsByName.get(parentField) : undefined
  return field !== undefined && referencedTable(field) === orgUnitsTable
}

import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Config } from '../../../platform/store/config.ts'
import { checkFormulas } from '../../formulas/service.ts'
import { type CheckFilter, checkRollups, namesOf } from '../checks/check-rollups.ts'
import { type CheckScript, checkScripts } from '../checks/check-scripts.ts'
import { checkTable } from '../checks/check-table.ts'
import { ErrorList } from '../error-list.ts'
import type { Renames } from '../renames/plan-renames.ts'
import type { TableChange, TableInput } from '../schema.ts'
import type { Table } from '../table.ts'
import { openChange } from './open-change.ts'

interface PreviewDependencies {
  readonly config: Config
  readonly clock: Pick<Clock, 'now'>
  readonly checkScript: CheckScript
  readonly checkFilter: CheckFilter
}

/**
 * What `change` would make of a table, without what its records forbid: that is for a preview to tell. Throws as
 * `change` does. `rollups`: those of other tables that would not work any more.
 */
export async function previewChange(
  services: PreviewDependencies,
  tenant: Tenant,
  name: string,
  document: TableChange,
): Promise<{
  /** The table as it is, by the new names of renamed fields. */
  readonly before: Table
  readonly was: Table
  readonly renames: Renames
  readonly next: Pick<TableInput, 'table_fields' | 'automations'>
  readonly rollups: readonly { readonly id: number | null; readonly name: string; readonly path: string }[]
}> {
  const { was, before, renames, others, next } = await openChange(services, tenant, name, document)
  const list = checkTable(next, new Set([...namesOf(others), name]))
  await checkRollups(next, [], services.checkFilter, list)
  checkScripts(services.checkScript, next.automations, before.automations, list)
  await checkFormulas(next.table_fields, list.add.bind(list))
  if (list.any) throw new Invalid(list.problems)
  const rollups: { id: number | null; name: string; path: string }[] = []
  for (const other of others)
    for (const [index, field] of other.table_fields.entries()) {
      const lost = new ErrorList()
      if (field.type !== 'rollup' || field.table !== name) continue
      await checkRollups(next, [{ name: other.name, table_fields: [field] }], services.checkFilter, lost)
      if (lost.any) rollups.push({ id: other.id ?? null, name: other.name, path: `table_fields.${index}` })
    }
  return { before, was, renames, next, rollups }
}

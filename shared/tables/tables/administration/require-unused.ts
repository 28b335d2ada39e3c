import { Conflict } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import { referencedTable } from '../../field-types/service.ts'
import { readTable } from '../table.ts'

/** Throws Conflict when a field of another table, a relation, a process, a subscription or a rule refers to the table. */
export async function requireUnused(config: Config, tenant: TenantRef, name: string): Promise<void> {
  const others = (await config.listFresh(tenant, 'TABLE')).map(readTable)
  const referring = others.find(
    (table) => table.name !== name && table.table_fields.some((field) => referencedTable(field) === name),
  )
  if (referring) throw new Conflict('in_use', `The table ${referring.name} refers to ${name}.`)
  const related = (await config.listFresh(tenant, 'RELATION')).map(
    ({ doc }) => doc as { name: string; l_table: string; r_table: string },
  )
  const relation = related.find(({ l_table, r_table }) => l_table === name || r_table === name)
  if (relation) throw new Conflict('in_use', `The table ${name} takes part in the relation ${relation.name}.`)
  const process = (await config.listFresh(tenant, 'PROCESS')).find(
    ({ doc }) => (doc as { table: string }).table === name,
  )
  if (process) throw new Conflict('in_use', `The process ${process.name} is about the table ${name}.`)
  const subscription = (await config.listFresh(tenant, 'SUBSCRIPTION'))
    .map(({ doc }) => doc as { name: string; table: string })
    .find(({ table }) => table === name)
  if (subscription) throw new Conflict('in_use', `The subscription ${subscription.name} is about the table ${name}.`)
  const rule = (await config.listFresh(tenant, 'INCOMING_ACTION'))
    .map(({ doc }) => doc as { name: string; targetModel: string })
    .find(({ targetModel }) => targetModel === name)
  if (rule) throw new Conflict('in_use', `The incoming action ${rule.name} creates records of the table ${name}.`)
}

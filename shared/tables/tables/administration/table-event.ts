import type { Principal } from '../../../kernel/principal.ts'
import { publicTable } from '../../../kernel/table-names.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Write } from '../../../platform/store/store.ts'
import { configurationEvent } from '../../../platform/trail/configuration-event.ts'
import type { Table } from '../table.ts'

/** The trail event of a change to a table: what administrators set, not how it is stored. `called`: its name after a rename. */
export const tableEvent = (
  clock: Pick<Clock, 'now' | 'uuid'>,
  caller: Principal,
  before: Table | undefined,
  after: Table | undefined,
  called?: string,
): Write => {
  const nameOf = (table: Table): string =>
    called !== undefined && table === after ? called : publicTable(caller.tenant, table.name)
  return configurationEvent(clock, caller, {
    model: 'sys_entities',
    before,
    after,
    nameOf,
    documentOf: (table) => ({
      ...(before && called !== undefined && { name: nameOf(table) }),
      label: table.label,
      title_field: table.title_field,
      table_fields: table.table_fields,
      automations: table.automations.map(({ id: _, ...automation }) => automation),
    }),
  })
}

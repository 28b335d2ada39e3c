import type { Clock } from '../../kernel/clock.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Write } from '../../store/store.ts'
import { documentChanges, trailEvent } from '../../trail/service.ts'
import type { Table } from '../table.ts'

/** The trail event of a change to a table: what administrators set, not how it is stored. */
export function tableEvent(
  clock: Pick<Clock, 'now' | 'uuid'>,
  caller: Principal,
  before: Table | undefined,
  after: Table | undefined,
): Write {
  const { id, name, version } = (after ?? before) as Table
  const action = !before ? 'create' : after ? 'update' : 'delete'
  return trailEvent(clock, caller.tenant, caller, {
    action,
    model: 'sys_entities',
    id,
    name,
    version,
    changes: documentChanges(auditedDocument(before), auditedDocument(after)),
  })
}

const auditedDocument = (table: Table | undefined) =>
  table && {
    label: table.label,
    title_field: table.title_field,
    table_fields: table.table_fields,
    automations: table.automations.map(({ id: _, ...automation }) => automation),
  }

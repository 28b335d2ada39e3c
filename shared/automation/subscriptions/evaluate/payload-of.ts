import { type NamesTables, publicTable } from '../../../kernel/table-names.ts'
import type { EntityRecord } from '../../../records/records/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { SubscribedChange } from './subscribed-change.ts'

/** The members of a payload. */
export const payloadMembers = ['event', 'model', 'id', 'version', 'changes', 'actor'] as const

/**
 * A change as channels and templates of mails receive it (contract §6). `readable`: the fields that field rules leave;
 * undefined: all.
 */
export function payloadOf(
  tenant: NamesTables,
  { event, table, id, version, changes, record, actorId }: SubscribedChange,
  actorName: string | undefined,
  readable?: ReadonlySet<string>,
) {
  const shown = <T>(fields: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    readable ? Object.fromEntries(Object.entries(fields).filter(([name]) => readable.has(name))) : fields
  return {
    event,
    model: publicTable(tenant, table.name),
    id,
    version,
    changes: shown(changes),
    record: { ...record, data: shown(record.data) },
    actor: { id: actorId, name: actorName ?? null },
  }
}

/** What a person calls a record: `Requests 42 "Printer"`. The title is left out where `readable` does not have it. */
export function nameRecord(
  { label, title_field }: Pick<Table, 'label' | 'title_field'>,
  { id, data }: Pick<EntityRecord, 'id' | 'data'>,
  readable: ReadonlySet<string> | undefined,
): string {
  const title = title_field !== null && (readable?.has(title_field) ?? true) ? data[title_field] : undefined
  return `${label} ${id}${typeof title === 'string' && title !== '' ? ` "${title}"` : ''}`
}

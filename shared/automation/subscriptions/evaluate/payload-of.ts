import { type NamesTables, publicTable } from '../../../kernel/table-names.ts'
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

import { Conflict } from '../../../kernel/failures/faults.ts'
import { maxMessageReceivers } from '../../../kernel/limits/processes.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { isLiving } from '../../../platform/store/rows/record-row.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Write } from '../../../platform/store/store.ts'
import { instanceSequence, noRecord } from '../rows/instance-row.ts'
import { startWrites } from '../steps/start-instance.ts'
import { readTemplate, type Template } from '../templates/template.ts'
import type { EventDependencies, SentMessage } from './sent-message.ts'

/** The active templates with a start event for a message or signal of this name, and the ids of those events. */
export async function templatesStartedBy(
  { config }: Pick<EventDependencies, 'config'>,
  tenant: Tenant,
  on: 'message' | 'signal',
  name: string,
): Promise<readonly { readonly template: Template; readonly elementId: string }[]> {
  const templates = await config.list(tenant, 'PROCESS', readTemplate)
  return templates.flatMap((template) => {
    if (!template.isActive) return []
    const start = template.starts?.find(({ triggers }) =>
      triggers.some((trigger) => trigger.on === on && trigger.name === name),
    )
    return start === undefined ? [] : [{ template, elementId: start.elementId }]
  })
}

/**
 * The new instances of processes that begin with a message, and the writes that make them. Its key is the id of the record
 * that they are about; without a key they are about none, as those that a signal starts.
 */
export async function startsByMessage(
  services: EventDependencies,
  tenant: Tenant,
  { name, key, variables, isInternal, by, hops, wakesRunner }: SentMessage,
): Promise<{ readonly ids: readonly number[]; readonly writes: readonly Write[] }> {
  const { store } = services
  const recordId = key === undefined ? noRecord : /^[1-9]\d{0,11}$/.test(key) ? Number(key) : undefined
  const ids: number[] = []
  const writes: Write[] = []
  if (recordId === undefined) return { ids, writes }
  const found = await templatesStartedBy(services, tenant, 'message', name)
  if (found.length > maxMessageReceivers)
    throw new Conflict(
      'several_instances_wait',
      `More than ${maxMessageReceivers} processes start with the message ${name}. Give some of them another one.`,
    )
  for (const { template, elementId } of found) {
    if (recordId !== noRecord && !isLiving(await store.get(tenant, recordKey(tenant, template.table, recordId))))
      continue
    const id = await reserveIds(store, tenant, instanceSequence, 1)
    ids.push(id)
    writes.push(
      ...startWrites(services, tenant, template, id, {
        model: template.table,
        recordId,
        by,
        source: 'message',
        hops,
        variables,
        ...(isInternal && { isInternal }),
        at: elementId,
        wakesRunner,
      }),
    )
  }
  return { ids, writes }
}

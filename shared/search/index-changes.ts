import type { Tenant } from '../kernel/tenancy.ts'
import type { ChangeEvent } from '../queue/change-feed/change-event.ts'
import { indexRecords, type IndexDependencies, type RecordToIndex } from './index-records.ts'

/** A change that was heard of; `again` when a consumer may have died over it. */
export interface ReceivedChange {
  readonly message: ChangeEvent
  readonly again: boolean
}

/**
 * Indexes the records that a batch of changes, of any tenants, tells of: each record once, as it stands now, however many
 * of its changes came. Answers the cause for each change whose record failed.
 */
export async function indexChanges<C extends ReceivedChange>(
  deps: IndexDependencies & { readonly findTenant: (id: number) => Promise<Tenant | undefined> },
  changes: readonly C[],
): Promise<Map<C, unknown>> {
  const failures = new Map<C, unknown>()
  const tenants = Map.groupBy(changes, ({ message }) => message.tenant_id)
  await Promise.all(
    [...tenants].map(async ([tenantId, ofTenant]) => {
      try {
        const tenant = await deps.findTenant(tenantId)
        if (!tenant) throw new Error(`there is no tenant ${tenantId}`)
        const byRecord = Map.groupBy(ofTenant, ({ message }) => `${message.model}#${message.id}`)
        const records = new Map([...byRecord.values()].map((heard) => [toIndex(heard), heard]))
        for (const [record, cause] of await indexRecords(deps, tenant, [...records.keys()])) {
          for (const change of records.get(record) ?? []) failures.set(change, cause)
        }
      } catch (cause) {
        for (const change of ofTenant) failures.set(change, cause)
      }
    }),
  )
  return failures
}

function toIndex(heard: readonly ReceivedChange[]): RecordToIndex {
  const { model, id } = (heard[0] as ReceivedChange).message
  return {
    model,
    id,
    version: Math.max(...heard.map(({ message }) => message.version)),
    again: heard.some(({ again }) => again),
  }
}

import type { Tenant } from '../kernel/tenancy.ts'
import type { ChangeEvent } from '../queue/change-feed/change-event.ts'
import { indexRecords, type IndexDependencies, type RecordToIndex } from './index-records.ts'

/** A received change; `again` when an earlier delivery may have been processed in part. */
export interface ReceivedChange {
  readonly message: ChangeEvent
  readonly again: boolean
}

/**
 * Indexes the current state of the records in a batch of changes of any tenants, each record once. Answers the cause
 * for each change whose record failed.
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
        const records = new Map([...byRecord.values()].map((received) => [toIndex(received), received]))
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

function toIndex(received: readonly ReceivedChange[]): RecordToIndex {
  const { model, id } = (received[0] as ReceivedChange).message
  return {
    model,
    id,
    version: Math.max(...received.map(({ message }) => message.version)),
    again: received.some(({ again }) => again),
  }
}

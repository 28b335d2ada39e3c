import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { defineJob, type JobKind } from '../../../platform/jobs/define-job.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { scanIds } from '../../../platform/listing/scan-ids.ts'
import { deliveryKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import { saveDelivery } from '../attempt/save-delivery.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { type DeliveriesChange, DeliveriesJob } from '../schema.ts'
import type { Delivery } from '../state/delivery.ts'
import { cancel, requeue } from '../state/transitions.ts'
import type { WakeDeliveries } from '../wake.ts'
import { matches, sourcesOf } from './list-deliveries.ts'

interface Dependencies {
  readonly store: Store
  readonly clock: Clock
  readonly wake: WakeDeliveries
}

/** Deliveries changed at the same time, and ids read at a time. */
const atOnce = 20
const idsPerRead = 200

/** Starts a job that retries or cancels all deliveries that match. Throws Invalid for a record without its table. */
export async function changeDeliveries(
  { jobs }: { readonly jobs: Pick<Jobs, 'start'> },
  caller: Caller,
  action: 'retry' | 'cancel',
  filter: DeliveriesChange,
): Promise<{ job_id: number }> {
  if (filter.record_id !== undefined && filter.model === undefined)
    throw new Invalid({ model: ['The model field is required when record_id is given.'] })
  const status = filter.status ?? (action === 'retry' ? 'failed' : undefined)
  return { job_id: await jobs.start(caller.tenant, caller, 'deliveries', { action, filter: { ...filter, status } }) }
}

/** Retries or cancels deliveries, newest first. A delivery that a step changed already is left alone by a repeat. */
export const deliveriesJob = (services: Dependencies): JobKind =>
  defineJob<typeof DeliveriesJob, { readonly before: number; readonly changed: number }>(
    'deliveries',
    DeliveriesJob,
    async ({ tenant, timeIsUp }, { action, filter }, saved) => {
      let changed = saved?.changed ?? 0
      const range = { after: saved?.before, wanted: idsPerRead }
      for await (const ids of scanIds(services.store, tenant, sourcesOf(tenant, filter).sources, range)) {
        for (let start = 0; start < ids.length; start += atOnce) {
          const some = ids.slice(start, start + atOnce)
          changed += await changeSome(services, tenant, some, action, (delivery) => matches(filter, delivery))
          const before = some.at(-1)
          if (before !== undefined && timeIsUp()) return { state: { before, changed }, done: changed }
        }
      }
      return { ended: 'done', done: changed, result: { changed } }
    },
  )

async function changeSome(
  services: Dependencies,
  tenant: TenantRef,
  ids: readonly number[],
  action: 'retry' | 'cancel',
  isWanted: (delivery: Delivery) => boolean,
): Promise<number> {
  const rows = await services.store.getMany(
    tenant,
    ids.map((id) => deliveryKey(tenant, id)),
  )
  const found = rows.flatMap((item) => (item ? [readDelivery(item)] : [])).filter(isWanted)
  const changed = await Promise.all(
    found.map(async (before) => {
      const after = action === 'retry' ? requeue(before, services.clock.now()) : cancel(before)
      return after && (await saveDelivery(services, tenant, before, after)) ? [after] : []
    }),
  )
  const byChannel = Map.groupBy(changed.flat(), ({ channelId }) => channelId)
  if (action === 'retry')
    for (const [id, some] of byChannel)
      await services.wake(
        tenant,
        { id, type: (some[0] as Delivery).channelType },
        some.map((one) => one.id),
      )
  return changed.flat().length
}

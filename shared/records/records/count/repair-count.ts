import { log } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime, type Clock } from '../../../kernel/time/clock.ts'
import { recordKey, sequenceKey, tombstoneKey } from '../../../platform/store/keys/records.ts'
import {
  type OpenCreate,
  openCreates,
  removeMarks,
  discountAbandonedCreates,
} from '../../../platform/store/sequence/open-creates.ts'
import type { Store } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'

export interface HealDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'write' | 'transact'>
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  /** The longest that a create may run: a younger one may still store its record. */
  readonly settleMs: number
}

/** A create that is taken out needs two checks in the transaction; more are left for the next look. */
const takenOutAtOnce = 40
/** A burst of a thousand instances is looked at in several rounds. */
const marksAtOnce = 250

/**
 * Takes the creates of a table that were cut off between their id and their record out of the number of living records.
 * Answers their ids. Three calls when there is none: the row, the marked records, the removal of the marks.
 */
export async function repairCount(services: HealDependencies, tenant: TenantRef, model: string): Promise<number[]> {
  const { store, clock, settleMs } = services
  const key = sequenceKey(tenant, model)
  const row = await store.get(tenant, key)
  if (!row) return []
  const creates = openCreates(row).sort((a, b) => a.atMs - b.atMs)
  const settled = creates.filter(({ atMs }) => atMs <= clock.now() - settleMs).slice(0, marksAtOnce)
  const lost = await withoutRecord(store, tenant, model, settled)
  const taken = lost.slice(0, takenOutAtOnce)
  if (taken.length > 0) await takeOut(services, tenant, model, taken)
  const done = new Set(settled)
  for (const later of lost.slice(takenOutAtOnce)) done.delete(later)
  const left = creates.find((one) => !done.has(one))
  await store.write(
    tenant,
    removeMarks(
      tenant,
      model,
      [...done].map(({ mark }) => mark),
      { dueAt: isoTime((left?.atMs ?? clock.now()) + settleMs), ...(!left && { seen: row }) },
    ),
  )
  return taken.map(({ id }) => id)
}

async function withoutRecord<T extends OpenCreate>(
  store: HealDependencies['store'],
  tenant: TenantRef,
  model: string,
  creates: readonly T[],
): Promise<readonly T[]> {
  const rows = await store.getMany(
    tenant,
    creates.flatMap(({ id }) => [recordKey(tenant, model, id), tombstoneKey(tenant, model, id)]),
    ['pk', 'sk'],
  )
  return creates.filter((_, index) => !rows[2 * index] && !rows[2 * index + 1])
}

/** A record that is deleted or restored during the look has a row again when the transaction looks. */
async function takeOut(
  { store, clock }: HealDependencies,
  tenant: TenantRef,
  model: string,
  lost: readonly OpenCreate[],
): Promise<void> {
  await store.transact(
    tenant,
    [
      discountAbandonedCreates(tenant, model, lost),
      ...lost.flatMap(({ id }) => [
        { check: recordKey(tenant, model, id), if: isNew },
        { check: tombstoneKey(tenant, model, id), if: isNew },
      ]),
    ],
    clock.uuid(),
  )
  log.warn('took creates that were cut off out of the number of records', {
    tenant_id: tenant.id,
    model,
    ids: lost.map(({ id }) => id),
  })
}

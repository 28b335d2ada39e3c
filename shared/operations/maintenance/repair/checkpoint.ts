import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { SaidKind } from '../../../platform/queue/change-feed/said-event.ts'
import { repairKey } from '../../../platform/store/keys/jobs.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { isBeingCounted } from '../../../platform/store/sequence/recount.ts'
import { readSequenceRow } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

/** Up to which comment and message the index of what was said was checked. */
export type CheckedSaid = Readonly<Record<SaidKind, number>>

/** How far the repair of a tenant got. */
export interface Checkpoint {
  /** Changes before this time were checked. */
  readonly until: string
  /** The sequence of each table when its count was last correct, as a `countText`. */
  readonly counted: Readonly<Record<string, string>>
  /** Up to which ids what was said was checked; left out where it never was. */
  readonly said?: CheckedSaid
}

const checkpointItem = (tenant: TenantRef, { until, counted, said }: Checkpoint): Item & Key => ({
  ...repairKey(tenant),
  kind: 'repair',
  v: 1,
  until,
  counted: JSON.stringify(counted),
  ...(said && { said: JSON.stringify(said) }),
})

const readCheckpointRow = (item: Item): Checkpoint => ({
  until: String(item.until),
  counted: readJson<Checkpoint['counted']>(item, 'counted'),
  ...(item.said !== undefined && { said: readJson<CheckedSaid>(item, 'said') }),
})

/** The checkpoint of a tenant; undefined before its first repair. */
export async function readCheckpoint(store: Pick<Store, 'get'>, tenant: TenantRef): Promise<Checkpoint | undefined> {
  const item = await store.get(tenant, repairKey(tenant))
  return item && readCheckpointRow(item)
}

export const writeCheckpoint = (
  store: Pick<Store, 'write'>,
  tenant: TenantRef,
  checkpoint: Checkpoint,
): Promise<void> => store.write(tenant, { put: checkpointItem(tenant, checkpoint) })

/** A sequence row as a checkpoint stores it; undefined while the row has an unfinished recount. */
export function sequenceText(row: Item | undefined): string | undefined {
  const { last, live } = readSequenceRow(row)
  return isBeingCounted(row) ? undefined : countText(last, live)
}

/** The last allocated id of a table and its number of living records as one text. */
export const countText = (last: number, live: number): string => `${last}/${live}`

/** The `countText` of a table that never had a record. */
export const neverUsed = countText(0, 0)

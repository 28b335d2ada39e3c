import type { TenantRef } from '../../kernel/tenancy.ts'
import { readJson } from '../../store/json-attribute.ts'
import { repairKey } from '../../store/keys/jobs.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import { isBeingCounted } from '../../store/recount.ts'
import { readSequenceRow } from '../../store/sequence.ts'
import type { Store } from '../../store/table.ts'

/** What the last repair of a tenant got through. */
export interface Checkpoint {
  /** Changes before this moment were looked at. */
  readonly until: string
  /** The sequence of each table as it was found right: the last id given, and how many records live. */
  readonly counted: Readonly<Record<string, string>>
}

const checkpointItem = (tenant: TenantRef, { until, counted }: Checkpoint): Item & Key => ({
  ...repairKey(tenant),
  kind: 'repair',
  v: 1,
  until,
  counted: JSON.stringify(counted),
})

const readCheckpointRow = (item: Item): Checkpoint => ({
  until: String(item.until),
  counted: readJson<Checkpoint['counted']>(item, 'counted'),
})

export async function readCheckpoint(store: Pick<Store, 'get'>, tenant: TenantRef): Promise<Checkpoint | undefined> {
  const item = await store.get(tenant, repairKey(tenant))
  return item && readCheckpointRow(item)
}

export const writeCheckpoint = (
  store: Pick<Store, 'write'>,
  tenant: TenantRef,
  checkpoint: Checkpoint,
): Promise<void> => store.write(tenant, { put: checkpointItem(tenant, checkpoint) })

/** A sequence as the bookmark keeps it; undefined while a recount is under way, or was given up. */
export function sequenceText(row: Item | undefined): string | undefined {
  const { last, live } = readSequenceRow(row)
  return isBeingCounted(row) ? undefined : countText(last, live)
}

/** A table whose living records were found to be so many when the last id given was `last`. */
export const countText = (last: number, live: number): string => `${last}/${live}`

/** Of a table that never held a record. */
export const untouched = countText(0, 0)

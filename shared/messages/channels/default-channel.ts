import { Conflict } from '../../kernel/failures/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Config, putConfigRow } from '../../platform/store/config.ts'
import { defaultChannelKey } from '../../platform/store/keys/configuration.ts'
import { idText } from '../../platform/store/keys/key.ts'
import { objectRow } from '../../platform/store/rows/object-row.ts'
import { readHolder, uniqueItem } from '../../platform/store/rows/unique-row.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { equals, isNew } from '../../platform/store/writes/conditions.ts'
import type { ChannelType } from './channel-types.ts'
import { type Channel, channelOf } from './channel.ts'

interface Dependencies {
  readonly store: Pick<Store, 'get'>
  readonly config: Pick<Config, 'getFresh'>
}

/**
 * The steps that make a channel the default of its type. A guard row names the default, so that of two requests at the
 * same time one fails with a Conflict; the earlier default is changed in the same transaction.
 */
export async function takeDefault(
  { store, config }: Dependencies,
  tenant: TenantRef,
  { id, type }: Pick<Channel, 'id' | 'type'>,
  audit: { readonly userId: number; readonly at: string },
): Promise<Step[]> {
  const key = defaultChannelKey(tenant, type)
  const guard = await store.get(tenant, key)
  const holder = guard && readHolder(guard)
  const take: Step = {
    write: { put: uniqueItem(key, id), if: holder === undefined ? isNew : equals('id', holder) },
    refused: takenMeanwhile,
  }
  if (holder === undefined || holder === id) return [take]
  const row = await config.getFresh(tenant, 'CHANNEL', idText(holder))
  if (!row) throw takenMeanwhile()
  const before = channelOf(row)
  const after: Channel = { ...before, isDefault: false, version: before.version + 1 }
  return [
    take,
    { write: putConfigRow(tenant, 'CHANNEL', objectRow(after), before.version, audit), refused: takenMeanwhile },
  ]
}

/** The step that leaves a type without a default, for a channel that is it. */
export const leaveDefault = (tenant: TenantRef, id: number, type: ChannelType): Step => ({
  write: { remove: defaultChannelKey(tenant, type), if: equals('id', id) },
  refused: takenMeanwhile,
})

const takenMeanwhile = (): Conflict =>
  new Conflict('write_conflict', 'Somebody else changed the default of this type at the same time. Try again.')

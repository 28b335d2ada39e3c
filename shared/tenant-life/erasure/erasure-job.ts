import * as z from 'zod'
import { defineJob, type JobKind } from '../../jobs/service.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { bellPartition } from '../../store/keys/bell.ts'
import { keyOfItem } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import { readPages } from '../../store/ranges/read-all.ts'
import { deploymentWide, type Store } from '../../store/store.ts'
import type { TenantScan } from '../../store/tenant-scan.ts'
import { maskEvents } from '../../trail/service.ts'
import { type RemovableObjects, removeUnder } from '../remove-objects.ts'

export const erasureJobKind = 'user-erasure'

const Input = z.object({ user_id: z.int() })

/** The address, which the row of the ended job does not keep, and where the pass over the table continues. */
export interface ErasureState {
  readonly email: string | null
  readonly after?: Readonly<Record<string, string>>
}

interface Dependencies {
  readonly store: Store
  readonly scan: TenantScan
  readonly objects: RemovableObjects
}

/** Fields of a user whose values the trail may not show. */
const personal: ReadonlySet<string> = new Set(['name', 'email', 'locale'])
/** Rows outside the tenant's partitions, or in them, that belong to the user in `user_id`. */
const ownKinds: ReadonlySet<unknown> = new Set([
  'token',
  'session',
  'mfa_challenge',
  'sign_in_code',
  'bell',
  'preferences',
  'messenger_chat',
  'messenger_code',
])
/** Rows that name the address: an invitation to it, and links in mails to it. */
const addressed: ReadonlySet<unknown> = new Set(['invitation', 'account_link'])

/**
 * Removes what is left of an erased person: notifications, exports of the tenant, values in the trail, tokens,
 * invitations and links of mails. No key finds the latter by user, so it passes over the whole table. Every step can be repeated.
 */
export const erasureJob = ({ store, scan, objects }: Dependencies): JobKind =>
  defineJob<typeof Input, ErasureState>(
    erasureJobKind,
    Input,
    async ({ tenant, timeIsUp }, { user_id: id }, state = { email: null }) => {
      if (!state.after) {
        await removeNotifications(store, tenant, id)
        await maskEvents(store, tenant, { model: 'sys_users', id }, personal)
        if (!(await removeUnder(objects, `exports/${tenant.id}/`, timeIsUp))) return { state }
      }
      let { after } = state
      let worked = 0
      do {
        const { items, last } = await scan(tenant, after, state.email)
        const own = items.filter((item) => isOf(item, id, state.email)).map(keyOfItem)
        await store.writeMany(deploymentWide, [], own)
        worked += own.length
        after = last
        if (after && timeIsUp()) return { state: { ...state, after }, worked }
      } while (after)
      return { ended: 'done', worked }
    },
  )

const isOf = (item: Item, userId: number, email: string | null): boolean =>
  (ownKinds.has(item.kind) && item.user_id === userId) ||
  (addressed.has(item.kind) && email !== null && item.email === email)

async function removeNotifications(store: Store, tenant: TenantRef, userId: number): Promise<void> {
  const range = { pk: bellPartition(tenant, userId), attributes: ['pk', 'sk'] }
  for await (const { items } of readPages(store, tenant, range)) await store.writeMany(tenant, [], items.map(keyOfItem))
}

import * as z from 'zod'
import { type EraseDependencies, intentTo, waitingIntentsTo } from '../../../messages/deliveries/service.ts'
import { defineJob, type JobKind, type JobRun, type JobStep } from '../../../platform/jobs/service.ts'
import { groupGrantsKey } from '../../../platform/store/keys/auth.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { bellPartition } from '../../../platform/store/keys/messages/bell.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import { deploymentWide } from '../../../platform/store/store.ts'
import type { TenantScan } from '../../../platform/store/tenant-scan.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { maskEvents } from '../../../platform/trail/service.ts'
import { type RemovableObjects, removeUnder } from '../remove-objects.ts'
import { eraseIntents } from './erase-intents.ts'

export const erasureJobKind = 'user-erasure'

const Input = z.object({ user_id: z.int() })

/** What the job does, in this order. `rest`: intents that were being expanded or sent when they were met. */
type Phase = 'deliveries' | 'copies' | 'table' | 'rest'

/** The addresses, which the row of the ended job does not keep, and where each phase continues. */
export interface ErasureState {
  readonly email: string | null
  readonly chat?: string | null
  readonly phase?: Phase
  /** The deliveries that wait and have lower ids are still to be looked at. */
  readonly before?: number
  /** The last key of the pass over the table. */
  readonly after?: Readonly<Record<string, string>>
  /** Intents to look at again. */
  readonly open?: readonly string[]
  /** How often the job waited for `open`. */
  readonly rounds?: number
}

interface Dependencies extends EraseDependencies {
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

/** So many open intents are remembered; more are waited for at once. */
const maxOpen = 500
const pauseMs = 15_000
/** Longer than an expansion or an attempt may take. Afterwards neither writes what it knew. */
const maxRounds = 40

/**
 * Removes what is left of an erased person: deliveries lose address and texts, those that wait at first, before they are
 * sent; then notifications, exports of the tenant, values in the trail, tokens, invitations and links of mails. No key
 * finds the latter by user, so it passes over the whole table. Every step can be repeated.
 */
export const erasureJob = (deps: Dependencies): JobKind =>
  defineJob<typeof Input, ErasureState>(
    erasureJobKind,
    Input,
    async (run, { user_id: id }, saved = { email: null }) => {
      const { open = [] } = saved
      const phase = saved.phase ?? (saved.after ? 'table' : 'deliveries')
      if (open.length >= maxOpen && phase !== 'rest') return waitFor(deps, run, id, { ...saved, open })
      return phases[phase](deps, run, id, { ...saved, open })
    },
  )

/** Looks at the open intents again. What was waited for long enough is left: nothing writes the address there any more. */
async function waitFor(
  deps: Dependencies,
  { tenant }: JobRun,
  userId: number,
  { rounds = 0, ...state }: Open,
): Promise<{ readonly state: ErasureState; readonly pauseMs?: number }> {
  const open = await eraseIntents(deps, tenant, personOf(userId, state), state.open)
  return open.length > 0 && rounds < maxRounds
    ? { state: { ...state, open, rounds: rounds + 1 }, pauseMs }
    : { state: { ...state, open: [] } }
}

type Step = (deps: Dependencies, run: JobRun, userId: number, state: Open) => Promise<JobStep<ErasureState>>
type Open = ErasureState & { readonly open: readonly string[] }

const phases: Readonly<Record<Phase, Step>> = {
  async deliveries(deps, { tenant, timeIsUp }, userId, state) {
    const person = personOf(userId, state)
    let { open, before } = state
    do {
      const { uuids, next } = await waitingIntentsTo(deps.store, tenant, person, before)
      open = joined(open, await eraseIntents(deps, tenant, person, uuids))
      if (next === undefined) return { state: { ...state, open, before: undefined, phase: 'copies' } }
      before = next
    } while (!timeIsUp() && open.length < maxOpen)
    return { state: { ...state, open, before } }
  },

  async copies({ store, objects }, { tenant, timeIsUp }, userId, state) {
    await removeNotifications(store, tenant, userId)
    await store.writeMany(tenant, [], [groupGrantsKey(tenant, userId)])
    await maskEvents(store, tenant, { model: 'sys_users', id: userId }, personal)
    const isDone = await removeUnder(objects, `exports/${tenant.id}/`, timeIsUp)
    return { state: { ...state, phase: isDone ? 'table' : 'copies' } }
  },

  async table(deps, { tenant, timeIsUp }, userId, state) {
    const person = personOf(userId, state)
    let { open, after } = state
    let worked = 0
    do {
      const { items, last } = await deps.scan(tenant, after, state.email)
      const own = items.filter((item) => isOf(item, userId, state.email)).map(keyOfItem)
      await deps.store.writeMany(deploymentWide, [], own)
      const uuids = items.flatMap((item) => intentTo(person, item) ?? [])
      open = joined(open, await eraseIntents(deps, tenant, person, uuids))
      worked += own.length + uuids.length
      after = last
    } while (after && !timeIsUp() && open.length < maxOpen)
    return { state: { ...state, open, after, phase: after ? 'table' : 'rest' }, worked }
  },

  async rest(deps, run, userId, state) {
    const waited = await waitFor(deps, run, userId, state)
    if (waited.pauseMs !== undefined) return waited
    // What was being expanded may have rung the bell since.
    await removeNotifications(deps.store, run.tenant, userId)
    return { ended: 'done' }
  },
}

const personOf = (userId: number, { email, chat = null }: ErasureState) => ({ userId, email, chat })
const joined = (some: readonly string[], more: readonly string[]): string[] => [...new Set([...some, ...more])]

const isOf = (item: Item, userId: number, email: string | null): boolean =>
  (ownKinds.has(item.kind) && item.user_id === userId) ||
  (addressed.has(item.kind) && email !== null && item.email === email)

async function removeNotifications(
  store: Dependencies['store'],
  tenant: JobRun['tenant'],
  userId: number,
): Promise<void> {
  const range = { pk: bellPartition(tenant, userId), attributes: ['pk', 'sk'] }
  for await (const { items } of readPages(store, tenant, range)) await store.writeMany(tenant, [], items.map(keyOfItem))
}

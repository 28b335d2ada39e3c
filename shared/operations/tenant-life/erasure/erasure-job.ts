import * as z from 'zod'
import { removeOwnRows } from '../../../accounts/administration/remove-own-rows.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type EraseDependencies, eraseIntent } from '../../../messages/deliveries/erase/erase-intent.ts'
import {
  type ErasedPerson,
  type IntentsPosition,
  intentsTo,
  waitingIntentsTo,
} from '../../../messages/deliveries/erase/intents-to.ts'
import { heldTypes, lookAgainAtHeld } from '../../../messages/preferences/held-notices.ts'
import { defineJob, type JobKind, type JobRun, type JobStep } from '../../../platform/jobs/define-job.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { bellPartition, bellStateKey, heldKey, preferencesKey } from '../../../platform/store/keys/messages/bell.ts'
import { privateViewPartition, snoozesPartition } from '../../../platform/store/keys/views.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import { maskEvents } from '../../../platform/trail/mask-events.ts'
import { type RemovableObjects, removeUnder } from '../remove-objects.ts'

export const erasureJobKind = 'user-erasure'

const Input = z.object({ user_id: z.int() })

/** What the job does, in this order. `rest`: intents that were being expanded or sent when they were met. */
type Phase = 'deliveries' | 'copies' | 'intents' | 'rest'

/** The addresses, which the row of the ended job does not keep, and where each phase continues. */
export interface ErasureState {
  readonly email: string | null
  readonly chat?: string | null
  readonly phase?: Phase
  /** The deliveries that wait and have lower ids are still to be looked at. */
  readonly before?: number
  /** Where the next page of the intents to the person begins. */
  readonly position?: IntentsPosition
  /** The settling time is over: what this pass finds is all. */
  readonly isSettled?: boolean
  /** Intents to look at again. */
  readonly open?: readonly string[]
  /** How often the job waited for `open`. */
  readonly rounds?: number
}

interface Dependencies extends EraseDependencies {
  readonly objects: RemovableObjects
  /** The longest time a request may run; index entries are there long before. */
  readonly settleMs: number
}

/** Fields of a user whose values the trail may not show. */
const personal: ReadonlySet<string> = new Set(['name', 'email', 'locale'])
/** So many open intents are remembered; more are waited for at once. */
const maxOpen = 500
const pauseMs = 15_000
/** Longer than an expansion or an attempt may take. Afterwards neither writes what it knew. */
const maxRounds = 40

/**
 * Removes what is left of an erased person: deliveries lose address and texts, those that wait at first, before they are
 * sent; then notifications, exports of the tenant, values in the trail, tokens, invitations and links of mails. Everything
 * is found by a key or an index of the person, nothing by reading the table (docs/decisions/0068). After the settling time
 * it looks once more, for what requests in flight wrote. Every step can be repeated.
 */
export const erasureJob = (services: Dependencies): JobKind =>
  defineJob<typeof Input, ErasureState>(
    erasureJobKind,
    Input,
    async (run, { user_id: id }, saved = { email: null }) => {
      const { open = [], phase = 'deliveries' } = saved
      if (open.length >= maxOpen && phase !== 'rest') return waitFor(services, run, id, { ...saved, open })
      return (phases[phase] ?? phases.deliveries)(services, run, id, { ...saved, open })
    },
  )

/** Looks at the open intents again. What was waited for long enough is left: nothing writes the address there any more. */
async function waitFor(
  services: Dependencies,
  { tenant }: JobRun,
  userId: number,
  { rounds = 0, ...state }: Open,
): Promise<{ readonly state: ErasureState; readonly pauseMs?: number }> {
  const open = await eraseIntents(services, tenant, personOf(userId, state), state.open)
  return open.length > 0 && rounds < maxRounds
    ? { state: { ...state, open, rounds: rounds + 1 }, pauseMs }
    : { state: { ...state, open: [] } }
}

type Step = (services: Dependencies, run: JobRun, userId: number, state: Open) => Promise<JobStep<ErasureState>>
type Open = ErasureState & { readonly open: readonly string[] }

const phases: Readonly<Record<Phase, Step>> = {
  async deliveries(services, { tenant, timeIsUp }, userId, state) {
    const person = personOf(userId, state)
    let { open, before } = state
    do {
      const { uuids, next } = await waitingIntentsTo(services.store, tenant, person, before)
      open = joined(open, await eraseIntents(services, tenant, person, uuids))
      if (next === undefined) return { state: { ...state, open, before: undefined, phase: 'copies' } }
      before = next
    } while (!timeIsUp() && open.length < maxOpen)
    return { state: { ...state, open, before } }
  },

  async copies({ store, objects, clock }, { tenant, timeIsUp }, userId, state) {
    const person = personOf(userId, state)
    await removeOwnRows(store, tenant, person)
    await removeNotifications(store, tenant, userId)
    await removeRange(store, tenant, privateViewPartition(tenant, userId))
    await removeRange(store, tenant, snoozesPartition(tenant, userId))
    // What waits for them is looked at, and ends because nobody gets it.
    await lookAgainAtHeld({ store, clock }, tenant, userId)
    await store.writeMany(
      tenant,
      [],
      [
        bellStateKey(tenant, userId),
        preferencesKey(tenant, userId),
        ...heldTypes.map((type) => heldKey(tenant, userId, type)),
      ],
    )
    await maskEvents(store, tenant, { model: 'sys_users', id: userId }, personal)
    const isDone = await removeUnder(objects, `exports/${tenant.id}/`, timeIsUp)
    return { state: { ...state, phase: isDone ? 'intents' : 'copies' } }
  },

  async intents(services, { tenant, timeIsUp }, userId, state) {
    const person = personOf(userId, state)
    let { open, position } = state
    let worked = 0
    do {
      const { uuids, next } = await intentsTo(services.store, tenant, person, position)
      open = joined(open, await eraseIntents(services, tenant, person, uuids))
      worked += uuids.length
      position = next
    } while (position && !timeIsUp() && open.length < maxOpen)
    return { state: { ...state, open, position, phase: position ? 'intents' : 'rest' }, worked }
  },

  async rest(services, run, userId, state) {
    const waited = await waitFor(services, run, userId, state)
    if (waited.pauseMs !== undefined) return waited
    if (!state.isSettled) {
      const again: ErasureState = { ...state, open: [], isSettled: true, phase: 'copies' }
      return { state: again, pauseMs: services.settleMs }
    }
    // What was being expanded may have rung the bell since.
    await removeNotifications(services.store, run.tenant, userId)
    return { ended: 'done' }
  },
}

const personOf = (userId: number, { email, chat = null }: ErasureState) => ({ userId, email, chat })
const joined = (some: readonly string[], more: readonly string[]): string[] => [...new Set([...some, ...more])]

const removeNotifications = (store: Dependencies['store'], tenant: JobRun['tenant'], userId: number): Promise<void> =>
  removeRange(store, tenant, bellPartition(tenant, userId))

async function removeRange(store: Dependencies['store'], tenant: JobRun['tenant'], pk: string): Promise<void> {
  const range = { pk, attributes: ['pk', 'sk'] }
  for await (const { items } of readPages(store, tenant, range)) await store.writeMany(tenant, [], items.map(keyOfItem))
}

const atOnce = 10

/** Takes a person out of intents and their deliveries. Answers the intents that have to be looked at again. */
async function eraseIntents(
  services: EraseDependencies,
  tenant: TenantRef,
  person: ErasedPerson,
  uuids: readonly string[],
): Promise<string[]> {
  const open: string[] = []
  for (let start = 0; start < uuids.length; start += atOnce)
    await Promise.all(
      uuids.slice(start, start + atOnce).map(async (uuid) => {
        if (!(await eraseIntent(services, tenant, person, uuid))) open.push(uuid)
      }),
    )
  return open
}

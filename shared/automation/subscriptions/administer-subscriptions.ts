import { type Clock, isoTime } from '../../kernel/clock.ts'
import { changedMeanwhile, requireCurrentVersion } from '../../kernel/concurrent-change.ts'
import { Invalid, NotFound } from '../../kernel/faults.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Config, putConfigRow, removeConfigRow } from '../../platform/store/config.ts'
import { uniqueNames } from '../../platform/store/rows/unique-names.ts'
import { reserveIds } from '../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../platform/store/store.ts'
import { configurationEvent, documentChanges } from '../../platform/trail/service.ts'
import { bindSubscriptions } from '../../tables/tables/service.ts'
import { type CheckDependencies, checkSubscription, problemOf } from './check-subscription.ts'
import type { SubscriptionAnswer, SubscriptionChange, SubscriptionInput } from './schema.ts'
import {
  describeSubscription,
  type Subscription,
  subscriptionOf,
  subscriptionRow,
  subscriptionRowName,
  subscriptionSequence,
} from './subscription.ts'

export interface SubscriptionDependencies extends CheckDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
}

const subscriptionNames = uniqueNames(subscriptionSequence)

/** Creates a subscription. Throws Invalid naming every path that is wrong, Conflict for a taken name. */
export async function createSubscription(
  deps: SubscriptionDependencies,
  caller: Principal,
  input: SubscriptionInput,
): Promise<SubscriptionAnswer> {
  const { store, config, clock } = deps
  const { tenant } = caller
  const given = {
    name: input.name,
    table: input.table,
    events: [...new Set(input.events)],
    filter: input.filter ?? null,
    fields: input.fields ?? null,
    channelId: input.channel_id ?? null,
    users: input.users ?? null,
    roles: input.roles ?? null,
    template: input.template ?? null,
    isActive: input.is_active ?? true,
  }
  await requireValid(deps, caller, given)
  const one: Subscription = { id: await reserveIds(store, tenant, subscriptionSequence, 1), ...given, version: 1 }
  await config.change(
    tenant,
    [
      subscriptionNames.hold(tenant, one.name, one.id),
      putConfigRow(tenant, 'SUBSCRIPTION', subscriptionRow(one), null, {
        userId: caller.userId,
        at: isoTime(clock.now()),
      }),
      ...(await bindSubscriptions({ config, clock }, caller, one.table)),
      subscriptionEvent(clock, caller, undefined, one),
    ],
    changedMeanwhile('subscription'),
  )
  return describeSubscription(one, null)
}

/**
 * Changes a subscription; members that are left out stay, null clears. `version`, when given, must be the current one.
 * Throws NotFound, Invalid and Conflict.
 */
export async function changeSubscription(
  deps: SubscriptionDependencies,
  caller: Principal,
  id: number,
  input: SubscriptionChange,
): Promise<SubscriptionAnswer> {
  const { config, clock } = deps
  const { tenant } = caller
  const before = await requireSubscription(config, tenant, id)
  requireCurrentVersion('subscription', before, input.version)
  const kept = <T>(value: T | undefined, current: T): T => (value === undefined ? current : value)
  const after: Subscription = {
    id,
    name: kept(input.name, before.name),
    table: kept(input.table, before.table),
    events: input.events ? [...new Set(input.events)] : before.events,
    filter: kept(input.filter, before.filter),
    fields: kept<Subscription['fields']>(input.fields, before.fields),
    channelId: kept(input.channel_id, before.channelId),
    users: kept<Subscription['users']>(input.users, before.users),
    roles: kept<Subscription['roles']>(input.roles, before.roles),
    template: kept(input.template, before.template),
    isActive: kept(input.is_active, before.isActive),
    version: before.version + 1,
  }
  const changes = documentChanges(
    describeSubscription(before, null),
    describeSubscription({ ...after, version: before.version }, null),
  )
  if (Object.keys(changes).length === 0) return describeSubscription(before, await problemOf(deps, tenant, before))
  // One that names what was removed since can still be switched off.
  if (Object.keys(changes).some((name) => name !== 'is_active') || after.isActive)
    await requireValid(deps, caller, after)
  await config.change(
    tenant,
    [
      ...subscriptionNames.rename(tenant, id, before.name, after.name),
      putConfigRow(tenant, 'SUBSCRIPTION', subscriptionRow(after), before.version, {
        userId: caller.userId,
        at: isoTime(clock.now()),
      }),
      ...(after.table === before.table ? [] : await bindSubscriptions({ config, clock }, caller, after.table)),
      subscriptionEvent(clock, caller, before, after),
    ],
    changedMeanwhile('subscription'),
  )
  return describeSubscription(after, after.isActive ? null : await problemOf(deps, tenant, after))
}

/** Deletes a subscription; what it asked to send before is still sent. Throws NotFound and Conflict. */
export async function removeSubscription(
  { config, clock }: Pick<SubscriptionDependencies, 'config' | 'clock'>,
  caller: Principal,
  id: number,
): Promise<void> {
  const { tenant } = caller
  const before = await requireSubscription(config, tenant, id)
  await config.change(
    tenant,
    [
      subscriptionNames.free(tenant, before.name),
      removeConfigRow(tenant, 'SUBSCRIPTION', subscriptionRowName(id), before.version),
      subscriptionEvent(clock, caller, before, undefined),
    ],
    changedMeanwhile('subscription'),
  )
}

async function requireValid(
  deps: CheckDependencies,
  { tenant }: Principal,
  one: Parameters<typeof checkSubscription>[2],
): Promise<void> {
  const errors = await checkSubscription(deps, tenant, one)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

async function requireSubscription(
  config: Pick<Config, 'getFresh'>,
  tenant: TenantRef,
  id: number,
): Promise<Subscription> {
  const row = await config.getFresh(tenant, 'SUBSCRIPTION', subscriptionRowName(id))
  if (!row) throw new NotFound('subscription', { id })
  return subscriptionOf(row)
}

const subscriptionEvent = (
  clock: SubscriptionDependencies['clock'],
  caller: Principal,
  before: Subscription | undefined,
  after: Subscription | undefined,
): Write =>
  configurationEvent(clock, caller, {
    model: subscriptionSequence,
    before,
    after,
    nameOf: ({ name }) => name,
    documentOf: (one) => {
      const { id: _id, version: _version, problem: _problem, ...document } = describeSubscription(one, null)
      return document
    },
  })

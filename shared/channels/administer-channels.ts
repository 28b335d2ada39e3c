import { isoTime } from '../kernel/clock.ts'
import { Conflict, Invalid, NotFound } from '../kernel/faults.ts'
import type { Principal } from '../kernel/principal.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import type { Step } from '../store/commit.ts'
import { isNew } from '../store/conditions.ts'
import { type ConfigRow, putConfigRow, removeConfigRow } from '../store/config.ts'
import { uniqueKey } from '../store/keys/records.ts'
import { uniqueItem } from '../store/rows/unique-row.ts'
import { allocateIds } from '../store/sequence/sequence.ts'
import type { Write } from '../store/store.ts'
import { documentChanges, trailEvent } from '../trail/service.ts'
import { type LackingSecrets, sealSecrets } from './channel-secrets.ts'
import { type Channel, channelOf, channelRow, channelRowName, channelSequence, maskedConfig } from './channel.ts'
import { checkConfig } from './check-config.ts'
import { checkDirection } from './check-direction.ts'
import { leaveDefault, takeDefault } from './default-channel.ts'
import type { ChannelDependencies } from './dependencies.ts'
import type { ChannelChange, ChannelInput } from './schema.ts'

/** Creates a channel. Throws Invalid for its configuration, Conflict for a taken name. */
export async function createChannel(
  deps: ChannelDependencies,
  caller: Principal,
  input: ChannelInput,
  lacking?: LackingSecrets,
): Promise<Channel> {
  const { store, config, clock, secrets } = deps
  const { tenant, userId } = caller
  const now = clock.now()
  const direction = input.direction ?? 'outgoing'
  checkDirection(input.type, direction, input.is_default)
  const checked = checkConfig(input.type, input.config)
  const id = await allocateIds(store, tenant, channelSequence)
  const channel: Channel = {
    id,
    name: input.name,
    type: input.type,
    direction,
    isDefault: input.is_default ?? false,
    isEnabled: input.is_enabled ?? true,
    ...(await sealSecrets(secrets, tenant, { id, type: input.type }, checked, undefined, now, lacking)),
    version: 1,
  }
  const audit = { userId, at: isoTime(now) }
  await config.change(
    tenant,
    [
      holdName(tenant, channel.name, id),
      putConfigRow(tenant, 'CHANNEL', channelRow(channel), null, audit),
      ...(channel.isDefault ? await takeDefault(deps, tenant, channel, audit) : []),
      channelEvent(clock, caller, undefined, channel),
    ],
    changedMeanwhile,
  )
  return channel
}

/**
 * Changes a channel; its type and direction stay. `version`, when given, must be the current one. Throws NotFound, Invalid and
 * Conflict.
 */
export async function changeChannel(
  deps: ChannelDependencies,
  caller: Principal,
  id: number,
  input: ChannelChange,
  lacking?: LackingSecrets,
): Promise<Channel> {
  const { config, clock, secrets } = deps
  const { tenant, userId } = caller
  const before = channelOf(await requireRow(deps, tenant, id))
  if (input.version !== undefined && input.version !== before.version)
    throw new Conflict('stale_version', `The channel has changed: its version is ${before.version}.`)
  if (input.type !== undefined && input.type !== before.type)
    throw new Invalid({ type: ['A channel keeps its type: make another one.'] })
  if (input.direction !== undefined && input.direction !== before.direction)
    throw new Invalid({ direction: ['A channel keeps its direction: make another one.'] })
  checkDirection(before.type, before.direction, input.is_default)
  const now = clock.now()
  const configured =
    input.config &&
    (await sealSecrets(secrets, tenant, before, checkConfig(before.type, input.config), before, now, lacking))
  const after: Channel = {
    ...before,
    ...(configured && { previousSecret: undefined, ...configured }),
    name: input.name ?? before.name,
    isDefault: input.is_default ?? before.isDefault,
    isEnabled: input.is_enabled ?? before.isEnabled,
    version: before.version + 1,
  }
  const audit = { userId, at: isoTime(now) }
  await config.change(
    tenant,
    [
      ...(after.name === before.name ? [] : [holdName(tenant, after.name, id), freeName(tenant, before.name)]),
      putConfigRow(tenant, 'CHANNEL', channelRow(after), before.version, audit),
      ...(after.isDefault && !before.isDefault ? await takeDefault(deps, tenant, after, audit) : []),
      ...(!after.isDefault && before.isDefault ? [leaveDefault(tenant, id, before.type)] : []),
      channelEvent(clock, caller, before, after),
    ],
    changedMeanwhile,
  )
  return after
}

/** Deletes a channel; deliveries that it still has to make fail. Throws NotFound and Conflict. */
export async function removeChannel(
  deps: Pick<ChannelDependencies, 'config' | 'clock'>,
  caller: Principal,
  id: number,
): Promise<void> {
  const { config, clock } = deps
  const { tenant } = caller
  const before = channelOf(await requireRow(deps, tenant, id))
  await config.change(
    tenant,
    [
      freeName(tenant, before.name),
      removeConfigRow(tenant, 'CHANNEL', channelRowName(id), before.version),
      ...(before.isDefault ? [leaveDefault(tenant, id, before.type)] : []),
      channelEvent(clock, caller, before, undefined),
    ],
    changedMeanwhile,
  )
}

/**
 * Disables a channel that cannot deliver any more, in the name of the service. Answers false when somebody else changed
 * it meanwhile, it is disabled already, or it is incoming: what people write to it must not be lost.
 */
export async function disableChannel(
  { config, clock }: Pick<ChannelDependencies, 'config' | 'clock'>,
  service: Principal,
  id: number,
): Promise<boolean> {
  const { tenant, userId } = service
  const row = await config.getFresh(tenant, 'CHANNEL', channelRowName(id))
  const before = row && channelOf(row)
  if (!before?.isEnabled || before.direction === 'incoming') return false
  const after: Channel = { ...before, isEnabled: false, version: before.version + 1 }
  const audit = { userId, at: isoTime(clock.now()) }
  await config.change(
    tenant,
    [
      putConfigRow(tenant, 'CHANNEL', channelRow(after), before.version, audit),
      channelEvent(clock, service, before, after),
    ],
    changedMeanwhile,
  )
  return true
}

async function requireRow(
  { config }: Pick<ChannelDependencies, 'config'>,
  tenant: TenantRef,
  id: number,
): Promise<ConfigRow> {
  const row = await config.getFresh(tenant, 'CHANNEL', channelRowName(id))
  if (!row) throw new NotFound('channel', { id })
  return row
}

function channelEvent(
  clock: ChannelDependencies['clock'],
  by: Principal,
  before: Channel | undefined,
  after: Channel | undefined,
): Write {
  const { id, name, version } = (after ?? before) as Channel
  const described = (channel: Channel | undefined) =>
    channel && {
      name: channel.name,
      type: channel.type,
      direction: channel.direction,
      is_default: channel.isDefault,
      is_enabled: channel.isEnabled,
      config: maskedConfig(channel),
    }
  return trailEvent(clock, by.tenant, by, {
    action: !before ? 'create' : after ? 'update' : 'delete',
    model: channelSequence,
    id,
    name,
    version,
    changes: documentChanges(described(before), described(after)),
  })
}

/** Names are unique, because scripts name channels. A guard row reserves each name. */
const nameKey = (tenant: TenantRef, name: string) => uniqueKey(tenant, channelSequence, 'name', name)
const holdName = (tenant: TenantRef, name: string, id: number): Step => ({
  write: { put: uniqueItem(nameKey(tenant, name), id), if: isNew },
  refused: () => new Conflict('name_taken', 'The name has already been taken.'),
})
const freeName = (tenant: TenantRef, name: string): Write => ({ remove: nameKey(tenant, name) })

const changedMeanwhile = (): Conflict =>
  new Conflict('write_conflict', 'Somebody else changed this channel at the same time. Read it again.')

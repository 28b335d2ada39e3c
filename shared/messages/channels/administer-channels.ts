import { isDeepStrictEqual } from 'node:util'
import { changedMeanwhile, requireCurrentVersion, type VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import { Invalid, NotFound } from '../../kernel/failures/faults.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { type ConfigRow, putConfigRow, removeConfigRow, timesAt } from '../../platform/store/config.ts'
import { uniqueNames } from '../../platform/store/rows/unique-names.ts'
import { allocateIds } from '../../platform/store/sequence/sequence.ts'
import type { Write } from '../../platform/store/store.ts'
import { configurationEvent } from '../../platform/trail/service.ts'
import { requireUnused } from '../../tables/tables/service.ts'
import { type Channel, channelOf, channelRow, channelRowName, channelSequence, maskedConfig } from './channel.ts'
import { checkDirection } from './check-direction.ts'
import { type LackingSecrets, sealSecrets } from './config/channel-secrets.ts'
import { checkConfig } from './config/check-config.ts'
import { leaveDefault, takeDefault } from './default-channel.ts'
import type { ChannelDependencies } from './dependencies.ts'
import type { ChannelChange, ChannelInput } from './schema.ts'

const channelNames = uniqueNames(channelSequence)

/** Creates a channel. Throws Invalid for its configuration, Conflict for a taken name. */
export async function createChannel(
  channels: ChannelDependencies,
  caller: Principal,
  input: ChannelInput,
  lacking?: LackingSecrets,
): Promise<Channel> {
  const { store, config, clock, secrets } = channels
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
    ...timesAt(undefined, isoTime(now)),
    version: 1,
  }
  const audit = { userId, at: isoTime(now) }
  await config.change(
    tenant,
    [
      channelNames.hold(tenant, channel.name, id),
      putConfigRow(tenant, 'CHANNEL', channelRow(channel), null, audit),
      ...(channel.isDefault ? await takeDefault(channels, tenant, channel, audit) : []),
      channelEvent(clock, caller, undefined, channel),
    ],
    changedMeanwhile('channel'),
  )
  return channel
}

/**
 * Changes a channel; its type and direction stay. Nothing is written when nothing changes. Throws NotFound, Invalid, Conflict,
 * and PreconditionFailed when `version` or `If-Match` names another version.
 */
export async function changeChannel(
  channels: ChannelDependencies,
  caller: Principal,
  id: number,
  input: ChannelChange,
  { lacking, ifMatch }: { readonly lacking?: LackingSecrets; readonly ifMatch?: VersionMatch } = {},
): Promise<Channel> {
  const { config, clock, secrets } = channels
  const { tenant, userId } = caller
  const before = channelOf(await requireRow(channels, tenant, id))
  requireCurrentVersion('channel', before, { version: input.version, ifMatch })
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
    ...timesAt(before, isoTime(now)),
    version: before.version + 1,
  }
  if (isSame(before, after)) return before
  // Processes name channels.
  if (after.name !== before.name) await requireUnused(config, tenant, { kind: 'channel', name: before.name, id: 0 })
  const audit = { userId, at: isoTime(now) }
  await config.change(
    tenant,
    [
      ...channelNames.rename(tenant, id, before.name, after.name),
      putConfigRow(tenant, 'CHANNEL', channelRow(after), before.version, audit),
      ...(after.isDefault && !before.isDefault ? await takeDefault(channels, tenant, after, audit) : []),
      ...(!after.isDefault && before.isDefault ? [leaveDefault(tenant, id, before.type)] : []),
      channelEvent(clock, caller, before, after),
    ],
    changedMeanwhile('channel'),
  )
  return after
}

/** Deletes a channel; deliveries that it still has to make fail. Throws NotFound and Conflict. */
export async function removeChannel(
  channels: Pick<ChannelDependencies, 'config' | 'clock'>,
  caller: Principal,
  id: number,
  ifMatch?: VersionMatch,
): Promise<void> {
  const { config, clock } = channels
  const { tenant } = caller
  const before = channelOf(await requireRow(channels, tenant, id))
  requireCurrentVersion('channel', before, { ifMatch })
  await config.change(
    tenant,
    [
      channelNames.free(tenant, before.name),
      removeConfigRow(tenant, 'CHANNEL', channelRowName(id), before.version),
      ...(before.isDefault ? [leaveDefault(tenant, id, before.type)] : []),
      channelEvent(clock, caller, before, undefined),
    ],
    changedMeanwhile('channel'),
  )
}

/**
 * Disables a channel that cannot deliver any more, in the name of the service. Answers false when an administrator changed
 * it since it was read, it is disabled already, or it is incoming: what people write to it must not be lost.
 */
export async function disableChannel(
  { config, clock }: Pick<ChannelDependencies, 'config' | 'clock'>,
  service: Principal,
  { id, version }: Pick<Channel, 'id' | 'version'>,
): Promise<boolean> {
  const { tenant, userId } = service
  const row = await config.getFresh(tenant, 'CHANNEL', channelRowName(id))
  const before = row && channelOf(row)
  if (!before?.isEnabled || before.version !== version || before.direction === 'incoming') return false
  const after: Channel = { ...before, isEnabled: false, version: before.version + 1 }
  const audit = { userId, at: isoTime(clock.now()) }
  await config.change(
    tenant,
    [
      putConfigRow(tenant, 'CHANNEL', channelRow(after), before.version, audit),
      channelEvent(clock, service, before, after),
    ],
    changedMeanwhile('channel'),
  )
  return true
}

/** Whether two versions of a channel say and seal the same. */
const isSame = (before: Channel, after: Channel): boolean =>
  before.name === after.name &&
  before.isDefault === after.isDefault &&
  before.isEnabled === after.isEnabled &&
  isDeepStrictEqual({ ...before.config }, { ...after.config }) &&
  isDeepStrictEqual({ ...before.sealed }, { ...after.sealed })

async function requireRow(
  { config }: Pick<ChannelDependencies, 'config'>,
  tenant: TenantRef,
  id: number,
): Promise<ConfigRow> {
  const row = await config.getFresh(tenant, 'CHANNEL', channelRowName(id))
  if (!row) throw new NotFound('channel', { id })
  return row
}

const channelEvent = (
  clock: ChannelDependencies['clock'],
  by: Principal,
  before: Channel | undefined,
  after: Channel | undefined,
): Write =>
  configurationEvent(clock, by, {
    model: channelSequence,
    before,
    after,
    nameOf: ({ name }) => name,
    documentOf: (channel) => ({
      name: channel.name,
      type: channel.type,
      direction: channel.direction,
      is_default: channel.isDefault,
      is_enabled: channel.isEnabled,
      config: maskedConfig(channel),
    }),
  })

import { isDeepStrictEqual } from 'node:util'
import { Conflict, Invalid } from '../../kernel/failures/faults.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { configuredObject } from '../../platform/configured-objects/configured-object.ts'
import { type Config, putConfigRow } from '../../platform/store/config.ts'
import { defaultChannelKey } from '../../platform/store/keys/configuration.ts'
import { idText } from '../../platform/store/keys/key.ts'
import { objectRow } from '../../platform/store/rows/object-row.ts'
import { readHolder, uniqueItem } from '../../platform/store/rows/unique-row.ts'
import { allocateIds } from '../../platform/store/sequence/sequence.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { equals, isNew } from '../../platform/store/writes/conditions.ts'
import { differences } from '../../platform/trail/difference.ts'
import { requireUnused } from '../../tables/tables/administration/require-unused.ts'
import { type ChannelConfig, type ChannelType, channelTypeOf } from './channel-types.ts'
import { type Channel, channelOf, channelSequence, maskedConfig } from './channel.ts'
import { sealSecrets } from './config/channel-secrets.ts'
import { checkConfig } from './config/check-config.ts'
import type { ChannelDependencies } from './dependencies.ts'
import type { ChannelAnswer, ChannelDirection, ChannelInput } from './schema.ts'

type ChannelMembers = Omit<ChannelAnswer, 'id' | 'created_at' | 'updated_at' | 'version'>

/** The channels; their type and direction stay. Deliveries that a deleted one still has to make fail. */
export const channelObjects = configuredObject<
  Channel,
  ChannelMembers,
  ChannelAnswer,
  ChannelInput,
  ChannelDependencies
>({
  kind: 'CHANNEL',
  sequence: channelSequence,
  called: { one: 'channel', list: 'channels' },
  rows: { read: channelOf },
  members: {
    name: {},
    direction: { unset: 'outgoing' },
    type: {},
    is_default: { stored: 'isDefault', unset: false },
    is_enabled: { stored: 'isEnabled', unset: true },
    config: {},
  },
  fixed: {
    type: 'A channel keeps its type: make another one.',
    direction: 'A channel keeps its direction: make another one.',
  },
  takeId: (store, tenant) => allocateIds(store, tenant, channelSequence),
  documentOf: shownOf,
  normalize(draft, { input }) {
    checkDirection(draft.type, draft.direction, input.is_default)
    return input.config === undefined ? draft : { ...draft, config: checkConfig(draft.type, input.config) }
  },
  // A given configuration has its secrets, or masks of those that stay.
  isSame: (before, after, { input }) =>
    isDeepStrictEqual({ ...shownOf(before), config: null }, { ...shownOf(after), config: null }) &&
    (input.config === undefined || differences(maskedConfig(before), after.config).length === 0),
  async seal(one, { services: { secrets, clock, lacking }, caller: { tenant }, before, input }) {
    if (input.config === undefined) return one
    const config = one.config as ChannelConfig
    return {
      ...one,
      previousSecret: undefined,
      ...(await sealSecrets(secrets, tenant, one, config, before, clock.now(), lacking)),
    }
  },
  // Processes name channels; subscriptions hold their ids, and follow another name.
  requireUnused: ({ config }, tenant, { id, name }, becomes) =>
    requireUnused(config, tenant, { kind: 'channel', name, id: becomes === 'renamed' ? 0 : id }),
  async alsoWrite({ services, caller: { tenant, userId }, before }, after) {
    if (after?.isDefault && !before?.isDefault)
      return takeDefault(services, tenant, after, { userId, at: after.updatedAt as string })
    return before?.isDefault && !after?.isDefault ? [leaveDefault(tenant, before.id, before.type)] : []
  },
})

/** A channel as answers and the trail show it. */
function shownOf(channel: Channel): ChannelMembers {
  const { name, direction, type, isDefault, isEnabled } = channel
  return { name, direction, type, is_default: isDefault, is_enabled: isEnabled, config: { ...maskedConfig(channel) } }
}

/**
 * Disables a channel that cannot deliver any more, in the name of the service. Answers false when an administrator changed
 * it since it was read, it is disabled already, or it is incoming: what people write to it must not be lost.
 */
export async function disableChannel(
  services: ChannelDependencies,
  service: Principal,
  { id, version }: Pick<Channel, 'id' | 'version'>,
): Promise<boolean> {
  const before = (await channelObjects.allFresh(services, service.tenant)).find((channel) => channel.id === id)
  if (!before?.isEnabled || before.version !== version || before.direction === 'incoming') return false
  await channelObjects.update(services, service, id, { is_enabled: false, version })
  return true
}

interface Dependencies {
  readonly store: Pick<Store, 'get'>
  readonly config: Pick<Config, 'getFresh'>
}

/**
 * The steps that make a channel the default of its type. A guard row names the default, so that of two requests at the
 * same time one fails with a Conflict; the earlier default is changed in the same transaction.
 */
async function takeDefault(
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
const leaveDefault = (tenant: TenantRef, id: number, type: ChannelType): Step => ({
  write: { remove: defaultChannelKey(tenant, type), if: equals('id', id) },
  refused: takenMeanwhile,
})

const takenMeanwhile = (): Conflict =>
  new Conflict('write_conflict', 'Somebody else changed the default of this type at the same time. Try again.')

/**
 * Throws Invalid when there is no such channel: only bots receive messages, and what only answers is no default to send
 * through.
 */
export function checkDirection(type: ChannelType, direction: ChannelDirection, isDefault: boolean | undefined): void {
  if (direction === 'outgoing') return
  if (!channelTypeOf(type).isIncoming)
    throw new Invalid({
      direction: [
        `A channel of type ${type} is outgoing: only messenger channels are incoming. Mails come in through the IMAP settings, and webhooks at /api/sys/inbound-sources.`,
      ],
    })
  if (isDefault)
    throw new Invalid({
      is_default: ['An incoming channel is no default: it only answers those who write to it. Leave is_default out.'],
    })
}

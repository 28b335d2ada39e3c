import { isDeepStrictEqual } from 'node:util'
import { Invalid } from '../../kernel/failures/faults.ts'
import type { Principal } from '../../kernel/principal.ts'
import { configuredObject } from '../../platform/configured-objects/configured-object.ts'
import { onlyDefault } from '../../platform/configured-objects/only-default.ts'
import { defaultChannelKey } from '../../platform/store/keys/configuration.ts'
import { allocateIds } from '../../platform/store/sequence/sequence.ts'
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
  alsoWrite: ({ services, caller, before }, after) => keepOneDefault(services, caller, before, after),
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

const keepOneDefault = onlyDefault<Channel>({
  kind: 'CHANNEL',
  keyOf: (tenant, { type }) => defaultChannelKey(tenant, type),
  read: channelOf,
  overtaken: 'Somebody else changed the default of this type at the same time. Try again.',
})

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

import { byName } from '../../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import { channelObjects } from '../../../messages/channels/administer-channels.ts'
import {
  documentErrors,
  inputOfDocument,
  normalDocument,
  withoutSecrets,
} from '../../../messages/channels/channel-document.ts'
import type { Channel } from '../../../messages/channels/channel.ts'
import type { ChannelDependencies } from '../../../messages/channels/dependencies.ts'
import type { ChannelInput } from '../../../messages/channels/schema.ts'
import type { ChannelConfiguration } from '../schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'

/** The channels of a configuration, by name, without their secrets. */
export function channelSection(services: Omit<ChannelDependencies, 'secrets'>): Section<ChannelConfiguration> {
  return objectSection<Channel, ChannelConfiguration, ChannelInput, ChannelDependencies>(
    channelObjects,
    withoutSecrets(services),
    {
      documentsOf: (_, all) =>
        all.map(({ name, type, direction, isDefault, isEnabled, config }) => ({
          name,
          type,
          direction,
          is_default: isDefault,
          is_enabled: isEnabled,
          config,
        })),
      inputOf: (document, tenant) => inputOfDocument(services, tenant, document),
      complete: ({ name, type, direction, is_default, is_enabled, config }, before) => ({
        name,
        type,
        direction: direction ?? before?.direction ?? 'outgoing',
        is_default: is_default ?? before?.is_default ?? false,
        is_enabled: is_enabled ?? before?.is_enabled ?? true,
        config: normalDocument(type, config),
      }),
      async openCheck(_author, existing, whole) {
        const defaults = new Map<string, number>()
        for (const [index, { name, type, is_default }] of (whole.channels ?? []).entries())
          if ((is_default ?? existing.get(name)?.is_default) && !defaults.has(type)) defaults.set(type, index)
        return ({ name, type, direction = 'outgoing', is_default, config }, index) => {
          const errors: FieldErrors = byName()
          if ((existing.get(name)?.type ?? type) !== type) errors.type = ['A channel keeps its type: make another one.']
          if ((existing.get(name)?.direction ?? direction) !== direction)
            errors.direction = ['A channel keeps its direction: make another one.']
          if (is_default && defaults.get(type) !== index)
            errors.is_default = [`Another ${type} channel is the default.`]
          return { ...errors, ...documentErrors({ type, direction, is_default, config }) }
        }
      },
    },
  )
}

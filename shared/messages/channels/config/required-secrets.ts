import { mask } from '../../../platform/secrets/mask.ts'
import { type ChannelType, channelTypeOf } from '../channel-types.ts'
import type { Channel } from '../channel.ts'
import { maskedConfig } from '../channel.ts'
import { memberAt, withMember } from './config-member.ts'

type Config = Readonly<Record<string, unknown>>

/** The secrets that a configuration lacks and its type requires. */
function lackingIn(type: ChannelType, config: Config): string[] {
  const issues = channelTypeOf(type).config.safeParse(config).error?.issues ?? []
  const wrong = new Set(issues.map(({ path }) => path.join('.')))
  return channelTypeOf(type).secrets.filter((path) => wrong.has(path) && memberAt(config, path) === undefined)
}

/** The secrets that a channel lacks: one that came from a configuration document has none yet. */
export const lackingSecrets = (channel: Channel): readonly string[] => lackingIn(channel.type, maskedConfig(channel))

/**
 * A configuration without secrets, from a document, with a mask for each that its type requires or that `before` has, so
 * that it can be checked and keeps them.
 */
export function withMasks(type: ChannelType, config: Config, before: Channel | undefined): Config {
  const kept = Object.keys(before?.sealed ?? {}).filter((path) => !path.includes('.'))
  return [...lackingIn(type, config), ...kept].reduce(
    (masked, path) => (memberAt(masked, path) === undefined ? withMember(masked, path, mask) : masked),
    config,
  )
}

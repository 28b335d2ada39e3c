import { channelTypeOf, channelTypes } from './channel-types.ts'

/** The id of the channels that settings make: no channel of its own has it. */
export const legacyChannelId = 0

/** The name under which a secret of a channel is sealed: that of a setting, where settings make the channel. */
export const secretName = (id: number, path: string): string =>
  (id === legacyChannelId && channelTypes.map((type) => channelTypeOf(type).settings?.secrets[path]).find(Boolean)) ||
  `channel.${id}.${path}`

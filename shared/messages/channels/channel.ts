import { mask } from '../../platform/secrets/mask.ts'
import type { ConfigRow, RowTimes } from '../../platform/store/config.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import { type ChannelConfig, type ChannelType, channelTypeOf } from './channel-types.ts'
import { withMember } from './config/config-values.ts'
import type { ChannelDirection } from './schema.ts'

export const channelSequence = 'sys_channels'

/** A channel as it is stored. */
export interface Channel extends RowTimes {
  readonly id: number
  readonly name: string
  readonly type: ChannelType
  readonly direction: ChannelDirection
  /** Incoming channels never are. */
  readonly isDefault: boolean
  readonly isEnabled: boolean
  /** Without its secrets. */
  readonly config: Readonly<Record<string, unknown>>
  /** The sealed secrets by their path in the configuration. */
  readonly sealed: Readonly<Record<string, string>>
  /** The signing secret before the current one, which signs as well until this time (Unix milliseconds). */
  readonly previousSecret?: { readonly sealed: string; readonly untilMs: number }
  readonly version: number
}

/** What rows from before there were incoming channels do not say. */
const unsaid: Pick<Channel, 'direction'> = { direction: 'outgoing' }

/** Reads the configuration row of a channel. */
export const channelOf = (row: ConfigRow): Channel => ({ ...unsaid, ...readObject<Channel>(row) })

/** The configuration with a mask in place of each secret. */
export const maskedConfig = ({ type, config, sealed }: Channel): Readonly<Record<string, unknown>> =>
  channelTypeOf(type).secrets.reduce(
    (shown, path) => (sealed[path] === undefined ? shown : withMember(shown, path, mask)),
    config,
  )

/** A channel whose secrets were opened, for a sender. */
export interface OpenedChannel<Type extends ChannelType = ChannelType> {
  readonly id: number
  readonly name: string
  readonly config: ChannelConfig<Type>
  /** The signing secrets, the current one first; empty when the channel does not sign. */
  readonly signingSecrets: readonly string[]
}

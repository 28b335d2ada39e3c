import type { Channel } from '../../channels/channel.ts'
import { legacyChannelId } from '../../channels/secret-name.ts'
import type { StoredGate } from '../rows/gate-row.ts'
import { closedBreaker } from './breaker.ts'

/**
 * The gate of a channel as an administrator left it: a channel that was enabled or changed starts afresh, without the
 * failures and the pause of before. `stale`: the channel was read before a change that the gate knows of already.
 */
export function gateOfChannel(
  stored: StoredGate,
  { id, version }: Pick<Channel, 'id' | 'version'>,
): StoredGate | 'stale' {
  const { channelVersion: known = version } = stored
  // The version of a channel that settings make is a digest, which has no order.
  if (id !== legacyChannelId && version < known) return 'stale'
  if (version === known) return { ...stored, channelVersion: version }
  const lane = { ...stored.lane, wideUntilMs: null }
  return { ...stored, channelVersion: version, breaker: closedBreaker, pausedUntilMs: 0, lane }
}

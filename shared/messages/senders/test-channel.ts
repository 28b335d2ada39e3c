import { Invalid } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { type ChannelType, channelTypeOf } from '../channels/channel-types.ts'
import type { Channel } from '../channels/channel.ts'
import type { channelOpener } from '../channels/config/channel-secrets.ts'
import type { Sender } from '../deliveries/sender.ts'
import type { Outcome } from '../deliveries/state/outcome.ts'
import { testContent } from './test-content.ts'

/** What became of a test message. */
export interface TestResult {
  readonly ok: boolean
  readonly code?: string
  readonly error?: string
}

/**
 * Sends a test message through a channel at once, also when it is disabled, and answers what the receiver said. There
 * is no retry and no delivery. Throws Invalid naming `to` when the type needs a recipient and there is none.
 */
export async function testChannel(
  {
    clock,
    openChannel,
    loadSender,
  }: {
    readonly clock: Pick<Clock, 'now' | 'uuid'>
    readonly openChannel: ReturnType<typeof channelOpener>
    readonly loadSender: (type: ChannelType) => Promise<Sender>
  },
  tenant: Tenant,
  channel: Channel,
  to = '',
): Promise<TestResult> {
  if (channelTypeOf(channel.type).content === 'text' && to.trim() === '')
    throw new Invalid({ to: [`The to field is required for a channel of type ${channel.type}.`] })
  const message = {
    id: `msg_${clock.uuid().replaceAll('-', '')}`,
    tenant,
    recipient: to,
    createdAt: isoTime(clock.now()),
    ...testContent(channel),
  }
  const sender = await loadSender(channel.type)
  return resultOf(await sender.send(message, await openChannel(tenant, channel)))
}

const resultOf = (outcome: Outcome): TestResult => ({
  ok: outcome.kind === 'delivered',
  ...(outcome.code !== undefined && { code: outcome.code }),
  ...('error' in outcome && { error: outcome.error }),
})

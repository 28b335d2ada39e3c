import { Invalid } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { escapeHtml } from '../../kernel/text/escape-html.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import type { Config } from '../../platform/store/config.ts'
import { type ChannelType, channelTypeOf } from '../channels/channel-types.ts'
import type { Channel } from '../channels/channel.ts'
import type { channelOpener } from '../channels/config/channel-secrets.ts'
import { resolveChannel } from '../channels/resolve-channel.ts'
import type { AttemptDependencies } from '../deliveries/attempt/attempt-delivery.ts'
import { deliverNow } from '../deliveries/attempt/deliver-now.ts'
import type { IntentContent } from '../deliveries/rows/intent-content.ts'
import type { Sender } from '../deliveries/sender.ts'
import type { Outcome } from '../deliveries/state/outcome.ts'
import type { TestMailResult } from './schema.ts'

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

/**
 * Sends a test mail through the default mail channel, or the one that the settings `MAIL_*` make, as a delivery whose
 * first attempt is made at once. Throws Invalid when there is neither.
 */
export async function sendTestMail(
  deliveries: AttemptDependencies<'email'> & { readonly config: Pick<Config, 'get' | 'list'> },
  { tenant, userId, impersonatorId }: Pick<Caller, 'tenant' | 'userId' | 'impersonatorId'>,
  to: string,
): Promise<TestMailResult> {
  const resolved = await resolveChannel(deliveries, tenant, ['email'], null)
  if ('problem' in resolved)
    throw new Invalid({
      channel: [
        `Nothing was sent: ${resolved.problem.replace(/; nothing was sent\.$/, '')}. Enable or create a default channel of type email, or set MAIL_HOST and MAIL_FROM_ADDRESS.`,
      ],
    })
  const { channel } = resolved
  const { id, status, lastError, nextAttemptAtMs } = await deliverNow(deliveries, tenant, {
    channel,
    recipient: to,
    content: testContent(channel),
    source: {
      model: null,
      record_id: null,
      user_id: userId,
      ...(impersonatorId !== undefined && { impersonator_id: impersonatorId }),
    },
  })
  const waits = nextAttemptAtMs !== null && status === 'queued'
  return {
    delivery_id: id,
    status,
    error: lastError ?? (waits ? 'The channel is paused because its server kept failing: the mail waits.' : null),
  }
}

/** What a test message through a channel says. */
function testContent({ type, name }: Pick<Channel, 'type' | 'name'>): Omit<IntentContent, 'files' | 'quotes'> {
  const text = `A test of the channel ${name}.`
  switch (channelTypeOf(type).content) {
    case 'text':
      return { event: 'channel.test', body: text }
    case 'json':
      return { event: 'channel.test', body: JSON.stringify({ message: text }) }
    case 'mail':
      return { subject: 'Test mail', body: `<p>${escapeHtml(text)}</p>`, text }
  }
}

import { Invalid } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Config } from '../../platform/store/config.ts'
import { resolveChannel } from '../channels/resolve-channel.ts'
import type { AttemptDependencies } from '../deliveries/attempt/attempt-delivery.ts'
import { deliverNow } from '../deliveries/attempt/deliver-now.ts'
import type { TestMailResult } from './schema.ts'
import { testContent } from './test-content.ts'

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

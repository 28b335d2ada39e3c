import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { FindMailToken } from '../../../shared/messages/senders/sender-context.ts'
import { createFetchPublic } from '../../../shared/platform/net/guarded-request.ts'
import { config } from '../platform/config.ts'
import { secrets } from '../platform/secrets.ts'
import { store } from '../platform/store.ts'

const loopbackAllowed = environment().LOOPBACK_TARGETS === 'allowed'
let finding: Promise<FindMailToken> | undefined

/** Finds access tokens for channels of mails; loaded with the first one that signs in at a provider. */
export const mailToken: FindMailToken = async (...given) => {
  finding ??= import('../../../shared/messages/mailbox/oauth/channel-token.ts').then(({ createChannelTokens }) => {
    const fetchPublic = createFetchPublic({ loopbackAllowed, timeoutMs: 8_000 })
    return createChannelTokens({ store, clock, config, secrets, fetchPublic })
  })
  return (await finding)(...given)
}

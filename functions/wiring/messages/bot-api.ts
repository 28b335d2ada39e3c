import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { botApi, botApiLimits } from '../../../shared/messages/messenger/bot-api.ts'
import { guardedRequests } from '../../../shared/platform/net/guarded-request.ts'

const { LOOPBACK_TARGETS, MESSENGER_API_BASE: base } = environment()

/** Calls the Bot API at public addresses, and on one machine at that machine. */
export const callBot = botApi({
  send: guardedRequests({ ...botApiLimits, allowLoopback: LOOPBACK_TARGETS === 'allowed' }),
  base,
})

import { lazySender } from './lazy-sender.ts'

/** Puts events on EventBridge buses of this account. */
export const events = lazySender(async () => {
  const { eventBridgeSender } = await import('../../../shared/senders/eventbridge.ts')
  return eventBridgeSender()
})

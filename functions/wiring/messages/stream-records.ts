import { lazySender } from './lazy-sender.ts'

/** Puts records into Kinesis streams of this account. */
export const streamRecords = lazySender(async () => {
  const { kinesisSender } = await import('../../../shared/senders/kinesis.ts')
  return kinesisSender()
})

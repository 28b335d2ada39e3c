import { mayUseResource } from '../../../shared/kernel/account-resources.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import { onlyOwners } from '../../../shared/messages/senders/service.ts'
import { lazySender } from './lazy-sender.ts'

const { APP_MODE, STREAM_OWNERS } = environment()
const kinesis = lazySender<'stream'>(async () => {
  const { kinesisSender } = await import('../../../shared/messages/senders/aws/kinesis.ts')
  return kinesisSender()
})

/** Puts records into the Kinesis streams of this account that are the tenant's. */
export const streamRecords = onlyOwners(kinesis, (slug, { config: { stream_name: name } }) =>
  mayUseResource(APP_MODE, STREAM_OWNERS, name, slug)
    ? undefined
    : `The operator has not given the stream ${JSON.stringify(name)} to this company (STREAM_OWNERS).`,
)

import { mayUseResource } from '../../../kernel/runtime/environment.ts'
import { kinesisSender } from '../aws/kinesis.ts'
import { onlyOwners } from '../only-owners.ts'
import type { CreateSender } from '../sender-context.ts'

/** Puts records into the Kinesis streams of this account that are the tenant's. */
export const createSender: CreateSender<'stream'> = ({ environment: { APP_MODE, STREAM_OWNERS } }) =>
  onlyOwners(kinesisSender(), (slug, { config: { stream_name: name } }) =>
    mayUseResource(APP_MODE, STREAM_OWNERS, name, slug)
      ? undefined
      : `The operator has not given the stream ${JSON.stringify(name)} to this company (STREAM_OWNERS).`,
  )

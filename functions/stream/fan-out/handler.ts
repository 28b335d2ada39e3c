import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { fanOut } from '../../../shared/platform/queue/change-feed/fan-out.ts'
import { onStream } from '../../../shared/platform/queue/change-feed/on-stream.ts'
import { createSender } from '../../../shared/platform/queue/send.ts'
import { consumers } from './consumers.ts'

const send = createSender()
const routes = consumers.map(({ queueUrl, ...route }) => ({
  ...route,
  queueUrl: requireEnvironment(queueUrl),
}))

/**
 * Sends each change in the table's stream to the queues of its consumers. It has no business logic, so no data can
 * block the stream.
 */
export const handler = onStream((changes) => fanOut(send, routes, changes))

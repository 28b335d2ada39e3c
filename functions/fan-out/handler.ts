import { requireEnvironment } from '../../shared/kernel/require-environment.ts'
import { fanOut } from '../../shared/queue/change-feed/fan-out.ts'
import { onStream } from '../../shared/queue/change-feed/on-stream.ts'
import { createSender } from '../../shared/queue/send.ts'
import { consumers } from './consumers.ts'

const send = createSender()
const routes = consumers.map(({ queueUrl, ...route }) => ({
  ...route,
  queueUrl: requireEnvironment(queueUrl),
}))

/** Reads the table's stream and tells the consumers' queues; it holds no business logic, so no data can stop it. */
export const handler = onStream((changes) => fanOut(send, routes, changes))

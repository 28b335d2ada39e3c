import { fanOut } from '../../shared/queue/change-feed/fan-out.ts'
import { onStream } from '../../shared/queue/change-feed/on-stream.ts'
import { createSender } from '../../shared/queue/send.ts'
import { consumers } from './consumers.ts'

const send = createSender()
const routes = consumers.map(({ queueUrl, ...route }) => ({
  ...route,
  queueUrl: process.env[queueUrl] ?? missing(queueUrl),
}))

/** Reads the table's stream and tells the consumers' queues; it holds no business logic, so no data can stop it. */
export const handler = onStream((changes) => fanOut(send, routes, changes))

function missing(name: string): never {
  throw new Error(`${name} is not set for this function`)
}

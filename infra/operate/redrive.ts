/**
 * `npm run redrive`: moves the messages of a dead-letter queue back to its queue. Consumers are idempotent. Works on
 * the running local service (`DATA_DIR`) or on a deployed one (`--stage`).
 */

import { parseArgs } from 'node:util'
import { ListQueuesCommand } from '@aws-sdk/client-sqs'
import { queueNames } from '../catalogue/queues.ts'
import { pascalCase } from '../pascal-case.ts'
import { errorMessage } from './error-message.ts'
import { moveMessages } from './move-messages.ts'
import { openService, type RunningService } from './open-service.ts'

const usage = `Usage: npm run redrive -- --queue <${queueNames.join('|')}>
         [--stage <name>]  a deployed service (default: the local one in DATA_DIR)`

try {
  const { values } = parseArgs({
    options: { queue: { type: 'string' }, stage: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help || values.queue === undefined) {
    console.log(usage)
    process.exitCode = values.help ? 0 : 1
  } else await redrive(values.queue, values)
} catch (error) {
  console.error(errorMessage(error, usage))
  process.exitCode = 1
}

async function redrive(name: string, target: { stage?: string }): Promise<void> {
  const service = await openService(target)
  try {
    const [from, to] = [await findQueue(service, name, 'DeadLetters'), await findQueue(service, name, 'Queue')]
    let moved = 0
    for (
      let taken = await moveMessages(service.sqs, from, to);
      taken > 0;
      taken = await moveMessages(service.sqs, from, to)
    )
      moved += taken
    console.log(moved === 0 ? `The dead-letter queue of ${name} is empty.` : `${moved} messages went back to ${name}.`)
  } finally {
    service.close()
  }
}

/** CloudFormation names a queue after the stack and the logical id, e.g. `EntityWorkflow-prod-SearchDeadLetters...`. */
async function findQueue(
  { sqs, prefix }: RunningService,
  name: string,
  part: 'DeadLetters' | 'Queue',
): Promise<string> {
  const start = `${prefix}${pascalCase(name)}${part}`
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: start }))
  if (QueueUrls.length === 1) return QueueUrls[0] as string
  throw new Error(`${QueueUrls.length === 0 ? 'No queue' : 'More than one queue'} is called ${start}.`)
}

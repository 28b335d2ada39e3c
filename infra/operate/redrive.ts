/**
 * `npm run redrive`: moves the messages of a dead-letter queue back to its queue. Consumers are idempotent. Works on
 * the running local service (`DATA_DIR`) or on a deployed one (`--stage`).
 */

import { GetQueueAttributesCommand, ListQueuesCommand } from '@aws-sdk/client-sqs'
import { thereIsNo } from '../../shared/kernel/text/did-you-mean.ts'
import { queueNames } from '../catalogue/queues.ts'
import { pascalCase } from '../pascal-case.ts'
import { runCommand } from './command.ts'
import { moveMessages } from './move-messages.ts'
import { openService, type RunningService } from './open-service.ts'

const command = {
  name: 'redrive',
  does: 'Moves the messages of a dead-letter queue back to its queue. Fix the cause first.',
  options: {
    queue: { value: '<name>', meaning: 'which queue; left out: lists the queues and what waits in them' },
    stage: { value: '<name>', meaning: 'a deployed service; left out: the local one in DATA_DIR' },
  },
  example: '--queue search',
} as const

await runCommand(command, async ({ queue, stage }) => {
  if (queue !== undefined) requireQueue(queue)
  const service = await openService({ stage })
  try {
    if (queue === undefined) await listQueues(service)
    else await redrive(service, queue)
  } finally {
    service.close()
  }
})

function requireQueue(name: string): void {
  if (!(queueNames as readonly string[]).includes(name))
    throw new Error(`The queue is wrong: ${thereIsNo('queue', name, queueNames)}`)
}

/** Prints how many dead letters each queue has. */
async function listQueues(service: RunningService): Promise<void> {
  const rows = await Promise.all(
    queueNames.map(async (name) => [name, await countMessages(service, await findQueue(service, name, 'DeadLetters'))]),
  )
  const width = Math.max(...queueNames.map(({ length }) => length)) + 2
  for (const [name, count] of rows) console.log(`${String(name).padEnd(width)}${count}`)
  const waiting = rows.reduce((sum, [, count]) => sum + Number(count), 0)
  console.log(
    waiting === 0
      ? 'No dead letter waits.'
      : `${waiting} dead letter${waiting === 1 ? ' waits' : 's wait'}: npm run redrive -- --queue <name> delivers those of a queue again.`,
  )
}

async function countMessages({ sqs }: RunningService, QueueUrl: string): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  )
  return Number(Attributes?.ApproximateNumberOfMessages ?? 0)
}

async function redrive(service: RunningService, name: string): Promise<void> {
  const [from, to] = [await findQueue(service, name, 'DeadLetters'), await findQueue(service, name, 'Queue')]
  let moved = 0
  for (
    let taken = await moveMessages(service.sqs, from, to);
    taken > 0;
    taken = await moveMessages(service.sqs, from, to)
  )
    moved += taken
  console.log(moved === 0 ? `The dead-letter queue of ${name} is empty.` : `${moved} messages went back to ${name}.`)
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

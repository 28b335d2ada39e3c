/**
 * A deployment under load: queues and the stream hold what the version before wrote, and get what the next one writes, while
 * the functions are those of this version.
 */
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProviderCall } from '../../../infra/local/sdk/faults/fault-point.ts'
import { finishedJob } from '../../make/builders/finished-job.ts'
import {
  bpmn,
  end,
  eventually,
  inARow,
  makeProcess,
  setFields,
  start,
} from '../../make/builders/processes/processes.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { scriptedReceiver } from '../../make/services/servers/scripted-receiver.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let receiver: Awaited<ReturnType<typeof scriptedReceiver>>
let failures: string[] = []

const api = async (method: string, path: string, body?: unknown) => {
  const answer = await service.api(method, path, { token: service.admin.token, body })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

beforeAll(async () => {
  const onOutput = (name: string, text: string) =>
    void failures.push(
      ...text.split('\n').flatMap((line) => (line.includes('"level":"ERROR"') ? [`${name}: ${line}`] : [])),
    )
  service = await startService({ log: (entry) => void failures.push(JSON.stringify(entry)), onOutput })
  receiver = await scriptedReceiver(() => ({ status: 200 }))
  await makeTable(service, 'orders', [
    { name: 'title', type: 'text' },
    { name: 'state', type: 'text' },
  ])
  const { data: channel } = await api('POST', '/api/sys/channels', {
    name: 'crm',
    type: 'webhook',
    config: { url: receiver.url },
  })
  await setHooks(service, 'orders', [['after_create', "$api.sendWebhook({ hook: $data.title }, 'crm')"]])
  await api('POST', '/api/sys/subscriptions', {
    name: 'Orders',
    table: 'orders',
    events: ['create', 'update', 'delete'],
    channel_id: channel.id,
  })
  await makeProcess(service, 'orders', 'begin', bpmn(inARow(start, setFields('take', { state: 'taken' }), end)), {
    is_auto_start: true,
  })
  await api('POST', '/api/sys/incoming-actions', {
    name: 'Orders',
    channel: 'api',
    target_model: 'orders',
    is_automatic: true,
    field_mapping: { title: 'subject' },
  })
  await service.cloud.idle()
})
afterAll(async () => {
  await service?.stop()
  await receiver?.close()
})
beforeEach(() => {
  failures = []
  receiver.received.length = 0
})

type Values = Record<string, unknown>
interface Format {
  /** The message as that version sends it. */
  message(sent: Values): Values
  /** A row in the stream as that version writes it. */
  row(image: Values): Values
}

/** What this version added to messages and rows: the version before leaves it out. */
const added = ['at', 'request_id']
const without = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !added.includes(name)))
const before: Format = { message: (sent) => ({ ...without(sent), v: 1 }), row: without }
const next: Format = {
  message: (sent) => ({ ...sent, v: 2, added_later: { deep: true } }),
  // Rows hold JSON as text (decision 0001).
  row: (image) => ({ ...image, v: { N: '2' }, added_later: { S: '{"deep":true}' }, names_later: { L: [{ S: 'a' }] } }),
}

/** Rewrites what event sources deliver, each in the format of the next of `formats`. Answers which functions got some. */
function rewrite(formats: readonly Format[]): ReadonlySet<string> {
  const reached = new Set<string>()
  let count = 0
  const formatOf = () => formats[count++ % formats.length] as Format
  service.cloud.faults.inject({
    when({ service: provider, functionName, input }: ProviderCall) {
      if (provider !== 'lambda') return false
      for (const record of (input as { Records?: { body?: string; dynamodb?: { NewImage?: Values } }[] }).Records ??
        []) {
        const format = formatOf()
        if (record.body !== undefined) record.body = JSON.stringify(format.message(JSON.parse(record.body)))
        else if (record.dynamodb?.NewImage) record.dynamodb.NewImage = format.row(record.dynamodb.NewImage)
        else continue
        reached.add(functionName)
      }
      return false
    },
    action: 'throttle',
  })
  return reached
}

/** How many messages lie in each queue that is not empty, dead-letter queues included. */
async function waiting(): Promise<Record<string, number>> {
  const sqs = new SQSClient(service.cloud.clientOptions('sqs'))
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ MaxResults: 1000 }))
  const counts = await Promise.all(
    QueueUrls.map(async (QueueUrl) => {
      const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
      const answer = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }))
      return [QueueUrl, AttributeNames.reduce((sum, name) => sum + Number(answer.Attributes?.[name] ?? 0), 0)] as const
    }),
  )
  expect(counts.filter(([url]) => url.includes('DeadLetters')).length).toBeGreaterThan(10)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

describe.each([
  ['the version before', [before]],
  ['the next version', [next]],
  ['both in turn', [before, next]],
] as const)('messages and rows of %s', (_title, formats) => {
  it('are dealt with: no function fails, and nothing is left in a queue or a dead-letter queue', async () => {
    const reached = rewrite(formats)
    try {
      const { data: order } = await api('POST', '/api/e/orders', { title: 'Lamp' })
      await api('POST', '/api/sys/incoming_messages', {
        from_email: 'ann@example.com',
        subject: 'Chair',
        body: 'Please',
      })
      const { data: job } = await api('POST', '/api/tenant/export')
      await finishedJob(service, job.job_id)
      const taken = await eventually('both orders are taken', async () => {
        const { data } = await api('GET', '/api/e/orders?sort=-id&per_page=2')
        const isTaken = data.length === 2 && data.every((one: { data: Values }) => one.data.state === 'taken')
        return isTaken || failures.length > 0 ? data : undefined
      })
      expect(failures).toEqual([])
      expect(taken.map((one: { data: Values }) => one.data.title)).toEqual(['Chair', 'Lamp'])
      await api('DELETE', `/api/e/orders/${order.id}`)
      const types = () => receiver.received.map(({ body }) => JSON.parse(body).type as string).toSorted()
      const expected = [
        'orders.after_create',
        'orders.after_create',
        'orders.create',
        'orders.create',
        'orders.delete',
        'orders.update',
        'orders.update',
      ]
      await eventually('every webhook', async () => (types().length >= expected.length ? true : undefined))
      await service.cloud.idle()
      expect(types()).toEqual(expected)
      expect([failures, await waiting()]).toEqual([[], {}])
      const functions = [
        'Audit',
        'FanOut',
        'SearchIndexer',
        'SubscriptionEvaluation',
        'ProcessEvaluation',
        'IncomingRules',
        'DeliveryExpansion',
        'DeliveryWebhook',
        'JobRunner',
      ]
      expect(functions.filter((name) => ![...reached].some((one) => one.startsWith(name)))).toEqual([])
    } finally {
      service.cloud.faults.clear()
    }
  })
})

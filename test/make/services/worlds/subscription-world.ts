/** A service with a table of requests and a channel to a receiver on this machine, to which subscriptions are made. */
import { setTimeout as sleep } from 'node:timers/promises'
import { makeTable } from '../../builders/records/tables.ts'
import { scriptedReceiver } from '../servers/scripted-receiver.ts'
import { sharedService } from '../service.ts'

export const subscriptionsPath = '/api/sys/subscriptions'
export const subscribedFields = [
  { name: 'title', type: 'text', label: 'Title' },
  { name: 'priority', type: 'integer', label: 'Priority' },
  { name: 'note', type: 'textarea', label: 'Note' },
]

export type SubscriptionWorld = Awaited<ReturnType<typeof subscriptionWorld>>

export async function subscriptionWorld() {
  const service = await sharedService()
  const receiver = await scriptedReceiver(() => ({ status: 200 }))
  let count = 0
  const api = (method: string, address: string, body?: unknown, token = service.admin.token) =>
    service.api(method, address, { token, body })
  await makeTable(service, 'requests', subscribedFields)
  const config = { url: receiver.url }
  const made = await api('POST', '/api/sys/channels', { name: 'crm', type: 'webhook', config })

  /** Makes a subscription to every event of the table, with some members changed. */
  async function subscribe(more: object) {
    const body = { name: `subscription ${++count}`, table: 'requests', events: ['create', 'update', 'delete'], ...more }
    const answer = await api('POST', subscriptionsPath, body)
    if (answer.status !== 201) throw new Error(`not subscribed: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  /** Waits until the change feed and the deliveries have come to rest. */
  async function settled(): Promise<void> {
    for (let quiet = 0, seen = -1; quiet < 3; await sleep(30)) {
      await service.cloud.idle()
      quiet = receiver.received.length === seen ? quiet + 1 : 0
      seen = receiver.received.length
    }
  }

  /** Invokes the evaluation with an event that the queue delivered before. */
  async function deliverAgain(event: object): Promise<void> {
    const name = service.cloud.functions.find((one) => one.startsWith('SubscriptionEvaluation')) as string
    const body = JSON.stringify({ v: 1, tenant_id: 1, actor: service.admin.userId, source: null, ...event })
    const Records = [{ messageId: 'again', body, attributes: { ApproximateReceiveCount: '2' } }]
    const answer = JSON.stringify(await service.cloud.invoke(name, { Records }))
    if (answer !== '{"batchItemFailures":[]}') throw new Error(`not evaluated again: ${answer}`)
  }

  /** Ends every subscription and forgets what was received. */
  async function clear(): Promise<void> {
    await settled()
    for (const { id } of (await api('GET', subscriptionsPath)).body.data)
      await api('DELETE', `${subscriptionsPath}/${id}`)
    receiver.received.length = 0
  }

  async function stop(): Promise<void> {
    await service.stop()
    await receiver.close()
  }

  return { service, receiver, channel: made.body.data.id as number, api, subscribe, settled, deliverAgain, clear, stop }
}

/** A service whose hooks of posts send webhooks to receivers on this machine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { setHooks } from '../../builders/records/hooks.ts'
import { makeTable } from '../../builders/records/tables.ts'
import { type ScriptedAnswer, scriptedReceiver } from '../servers/scripted-receiver.ts'
import { startService } from '../service.ts'

export type WebhookWorld = Awaited<ReturnType<typeof webhookWorld>>

export async function webhookWorld() {
  const service = await startService({ log: () => {} })
  const receivers: Awaited<ReturnType<typeof scriptedReceiver>>[] = []
  const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
    service.api(method, path, { token, body })
  const hook = (kind: string, script: string) => setHooks(service, 'posts', [[kind, script]])
  const post = async (body: object = {}) => (await api('POST', '/api/e/posts', { title: 'Lamp', ...body })).body.data
  const deliveriesOf = async (query: string): Promise<any[]> =>
    (await api('GET', `/api/sys/deliveries?${query}`)).body.data

  async function openReceiver(answer: (n: number) => ScriptedAnswer | undefined) {
    const receiver = await scriptedReceiver(answer)
    receivers.push(receiver)
    return receiver
  }

  /** A receiver that answers these in turn, the last one again and again, and a channel to it. */
  async function channelTo(name: string, answers: readonly ScriptedAnswer[], more: object = {}, config: object = {}) {
    const receiver = await openReceiver((n) => answers[Math.min(n, answers.length) - 1])
    const made = await api('POST', '/api/sys/channels', {
      name,
      type: 'webhook',
      ...more,
      config: { url: `${receiver.url}/hooks?key=hidden`, retry_schedule: [0, 1, 1], ...config },
    })
    if (made.status !== 201) throw new Error(`no channel: ${JSON.stringify(made.body)}`)
    return { id: made.body.data.id as number, received: receiver.received }
  }

  /** Polls until something is there. */
  async function eventually<T>(look: () => Promise<T | undefined | false>): Promise<T> {
    for (let tries = 0; tries < 900; tries++) {
      const found = await look()
      if (found) return found
      await sleep(100)
    }
    throw new Error('nothing happened for 90 s')
  }
  /** A delivery of the query with this status. */
  const ended = (query: string, status: string) =>
    eventually(async () => (await deliveriesOf(query)).find((one) => one.status === status))

  await makeTable(service, 'posts', [
    { name: 'title', type: 'text' },
    { name: 'n', type: 'integer', max: 5 },
  ])

  async function stop(): Promise<void> {
    await service.stop()
    await Promise.all(receivers.map((receiver) => receiver.close()))
  }

  return { service, api, hook, post, deliveriesOf, openReceiver, channelTo, eventually, ended, stop }
}

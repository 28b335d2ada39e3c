/** A service with requests and clients, into which messages come, and rules for them. */
import { clock } from '../../../../shared/kernel/time/clock.ts'
import type { NewMessage } from '../../../../shared/messages/incoming-messages/message.ts'
import { storeMessage } from '../../../../shared/messages/incoming-messages/receive/store-message.ts'
import { makeTable } from '../../builders/records/tables.ts'
import { sharedService } from '../service.ts'

export const messagesPath = '/api/sys/incoming_messages'
export const rulesPath = '/api/sys/incoming-actions'

export type RuleWorld = Awaited<ReturnType<typeof ruleWorld>>

export async function ruleWorld() {
  const service = await sharedService()
  let made: number[] = []
  const api = (method: string, address: string, body?: unknown, token = service.admin.token) =>
    service.api(method, address, { token, body })

  /** Creates a rule for requests, with some members changed. */
  async function rule(more: object) {
    const name = `Rule ${made.length + 1}`
    const body = { name, channel: 'api', target_model: 'requests', is_automatic: true, ...more }
    const created = await api('POST', rulesPath, body)
    if (created.body.success !== true) throw new Error(`no rule: ${JSON.stringify(created.body)}`)
    made.push(created.body.data.id)
    return created.body.data
  }

  /** Sends a message in and answers it once its rules have run. */
  async function send(body: object) {
    const sent = await api('POST', messagesPath, body)
    if (sent.status !== 201) throw new Error(`not sent: ${JSON.stringify(sent.body)}`)
    await service.cloud.idle()
    return readMessage(sent.body.data.id)
  }
  /** Stores a message as the mailbox and other channels do, and answers it once its rules have run. */
  async function receive(more: Partial<NewMessage>) {
    const stored = await storeMessage({ store: service.store, clock, putObject: async () => {} }, service.tenant, {
      channel: 'email',
      channelId: null,
      fromName: 'Ann Carter',
      fromEmail: 'ann@example.com',
      fromId: null,
      subject: 'Printer jam',
      body: 'It is jammed.',
      payload: { priority: '2' },
      attachments: [],
      receivedAtMs: clock.now(),
      ...more,
    })
    await service.cloud.idle()
    return readMessage((stored as { id: number }).id)
  }
  const readMessage = async (id: number) => (await api('GET', `${messagesPath}/${id}`)).body.data
  /** The first record that was made of a message. */
  const recordOf = async (message: { records: { model: string; id: number }[] }) => {
    const [{ model, id }] = message.records as [{ model: string; id: number }]
    return (await api('GET', `/api/e/${model}/${id}`)).body.data
  }
  const countOf = async (model = 'requests') => (await api('GET', `/api/e/${model}`)).body.meta.total as number

  /** Deletes the rules that `rule` made. */
  async function clear(): Promise<void> {
    for (const id of made) await api('DELETE', `${rulesPath}/${id}`)
    made = []
  }

  await makeTable(service, 'clients', [
    { name: 'name', type: 'text', required: true },
    { name: 'email', type: 'text' },
  ])
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text', required: true, max_length: 40 },
    { name: 'description', type: 'textarea' },
    { name: 'priority', type: 'integer', min: 1, max: 5 },
    { name: 'source', type: 'value_list', options: [{ slug: 'mail', label: 'E-mail' }, { slug: 'chat' }] },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
    { name: 'owner', type: 'user' },
    { name: 'sent_at', type: 'datetime' },
    { name: 'files', type: 'file', multiple: true },
    { name: 'code', type: 'text', unique: true },
  ])

  return { service, api, rule, send, receive, readMessage, recordOf, countOf, clear }
}

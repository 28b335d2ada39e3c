/** A service with a table whose records have entries of every kind in their timelines. */
import { clock } from '../../../../shared/kernel/time/clock.ts'
import type { NewMessage } from '../../../../shared/messages/incoming-messages/message.ts'
import { storeMessage } from '../../../../shared/messages/incoming-messages/receive/store-message.ts'
import { userWith } from '../../builders/people.ts'
import { bpmn, end, inARow, makeProcess, start, taskOf } from '../../builders/processes/processes.ts'
import { setHooks } from '../../builders/records/hooks.ts'
import { makeTable } from '../../builders/records/tables.ts'
import { openMailbox } from '../mailboxes/mailbox.ts'
import { sharedService } from '../service.ts'

const fields = [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'note', label: 'Note', type: 'textarea' },
  { name: 'owner_id', label: 'Owner', type: 'user' },
  {
    name: 'status',
    label: 'Status',
    type: 'state_model',
    states: [
      { slug: 'new', label: 'New', is_initial: true },
      { slug: 'closed', label: 'Closed' },
    ],
    transitions: [
      { from: 'new', to: 'closed' },
      { from: 'closed', to: 'new' },
    ],
  },
]

export type TimelineWorld = Awaited<ReturnType<typeof timelineWorld>>

export async function timelineWorld() {
  const mailbox = await openMailbox()
  const service = await sharedService()
  const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
    service.api(method, path, { token, body })
  await makeTable(service, 'requests', fields)
  const config = {
    transport: 'smtp',
    host: '127.0.0.1',
    port: mailbox.port,
    encryption: 'none',
    from_address: 'desk@timeline-world.test',
    from_name: 'Desk',
    retry_schedule: [0, 1],
  }
  const channel = await api('POST', '/api/sys/channels', { name: 'mails', type: 'email', is_default: true, config })
  const template = await makeProcess(
    service,
    'requests',
    'approval',
    bpmn(inARow(start, '<userTask id="approve" name="Approve"/>', end)),
  )

  const person = (...permissions: string[]) => userWith(service, ['requests.read', ...permissions])
  const create = async (data: object = {}, token?: string): Promise<number> =>
    (await api('POST', '/api/e/requests', { title: 'Printer', ...data }, token)).body.data.id
  const timeline = async (id: number, query = '', token?: string) =>
    (await api('GET', `/api/e/requests/${id}/timeline${query}`, undefined, token)).body

  /** Makes a record with entries of every kind but messages, and answers its id. */
  async function busyRecord(): Promise<number> {
    const mail = { recipients: ['ann@example.com'], body: 'We are on it.' }
    const script = `$api.sendToChannel(${channel.body.data.id}, ${JSON.stringify(mail)}); $api.log('told')`
    await setHooks(service, 'requests', [['after_create', script]])
    const id = await create()
    await setHooks(service, 'requests', [])
    await api('PATCH', `/api/e/requests/${id}`, { status: 'closed', note: 'Secret note' })
    await api('POST', `/api/e/requests/${id}/comments`, { body: 'Hello' })
    await api('POST', `/api/e/requests/${id}/comments`, { body: 'Between us', is_internal: true })
    await api('POST', '/api/sys/process-instances', { template_id: template.id, record_id: id })
    const task = await taskOf(service, 'requests', id)
    await api('POST', `/api/sys/process-tasks/${task.id}/complete`, { outcome: 'approved' })
    await reply(id)
    await service.cloud.idle()
    return id
  }

  /** Stores a mail that replies to a record, and answers its id. */
  async function reply(id: number, message: Partial<NewMessage> = {}): Promise<number> {
    const stored = await storeMessage({ store: service.store, clock, putObject: async () => {} }, service.tenant, {
      channel: 'email',
      channelId: null,
      fromName: 'Ann',
      fromEmail: 'ann@example.com',
      fromId: null,
      subject: 'Re: Your request',
      body: 'Thank you',
      payload: { message_id: '<1@example.com>' },
      attachments: [],
      replyTo: { model: 'requests', id },
      receivedAtMs: clock.now(),
      ...message,
    })
    if (stored.kind !== 'stored') throw new Error('the message was known')
    return stored.id
  }

  async function stop(): Promise<void> {
    await service.stop()
    await mailbox.close()
  }

  return { service, mailbox, api, template, person, create, timeline, busyRecord, reply, stop }
}

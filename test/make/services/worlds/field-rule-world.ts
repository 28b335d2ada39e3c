/** A service with requests of clients, and a clerk whose role limits which of their fields may be read and written. */
import { userWith } from '../../builders/people.ts'
import { makeTable } from '../../builders/records/tables.ts'
import { sharedService } from '../service.ts'

export const limits = {
  requests: { read: ['title', 'status', 'client_id'], write: ['title', 'secret', 'stage'] },
  clients: { read: ['name'] },
}
export const permissions = ['requests.*', 'clients.*']
export const unchangeable = ['You may not change this field.']

export type FieldRuleWorld = Awaited<ReturnType<typeof fieldRuleWorld>>

export async function fieldRuleWorld() {
  const service = await sharedService()
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text' },
    { name: 'debts', type: 'float' },
  ])
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text', required: true },
    { name: 'status', type: 'value_list', options: [{ slug: 'new' }, { slug: 'old' }], default: 'new', required: true },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
    { name: 'secret', type: 'text', unique: true },
    { name: 'salary', type: 'float' },
    {
      name: 'stage',
      type: 'state_model',
      states: [{ slug: 'open', is_initial: true }, { slug: 'signed' }, { slug: 'shut' }],
      transitions: [{ from: 'open', to: 'signed' }],
    },
  ])

  /** Reads title, status and client; writes title and, unseen, secret and stage. */
  const clerk = await userWith(service, permissions, [], limits)

  /** Creates a record as the administrator, and answers its id. */
  async function create(model: string, data: object): Promise<number> {
    const { status, body } = await service.api('POST', `/api/e/${model}`, { token: service.admin.token, body: data })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data.id
  }

  const client = await create('clients', { name: 'Ann', debts: 12 })
  const record = await create('requests', { title: 'Rise', client_id: client, secret: 'one', salary: 5000 })
  return { service, clerk, create, client, record }
}

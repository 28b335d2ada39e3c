import type { TestService } from '../services/service.ts'
import { finishedJob } from './finished-job.ts'
import { userWith } from './people.ts'
import { bpmn, end, inARow, makeProcess, scriptTask, start, taskOf } from './processes/processes.ts'
import { makeTable } from './records/tables.ts'
import { upload } from './records/uploads.ts'

/** What the hidden fields of a record hold, and no other field, request or configuration. */
const word = 'kanarienvogel'
const values = { note: `${word} note`, serial: `${word}-1`, amount: 7_654_321, due: '2031-07-19' }

/** Fields that the clerk may not read, by table. */
export const hiddenFields = ['note', 'serial', 'amount', 'due', 'stage', 'payer_id', 'owner_id', 'plan', 'place']

/** A user whom field rules limit, and a record whose hidden fields hold canaries. */
export interface Canaries {
  readonly token: string
  readonly table: number
  readonly record: number
  /** A record that is deleted. */
  readonly deleted: number
  readonly client: number
  readonly payer: number
  readonly relation: number
  readonly instance: number
  readonly task: number
  readonly template: number
  readonly plan: string
  readonly photo: string
  /** A CSV file of the clerk, whose columns have the names of hidden fields. */
  readonly file: string
  readonly job: number
  readonly view: number
  /** An item of the portal that sets hidden fields. */
  readonly item: number
  readonly hiddenView: number
  /** It sets a field that the clerk may write and not read. */
  readonly macro: number
  /** It names a field that the clerk may not read. */
  readonly snippet: number
  readonly importMapping: number
  readonly hiddenImportMapping: number
  /** When both records had their first values. */
  readonly moment: string
  /** Texts that no answer to the clerk may contain. */
  readonly texts: readonly string[]
}

export async function makeCanaries(service: TestService): Promise<Canaries> {
  const { token } = service.admin
  const api = async (method: string, path: string, body?: unknown, as = token): Promise<any> => {
    const answer = await service.api(method, path, { token: as, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body?.data
  }
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text' },
    { name: 'note', type: 'text' },
  ])
  const table = await makeTable(service, 'requests', [
    { name: 'title', type: 'text', required: true },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
    { name: 'photo', type: 'file' },
    { name: 'body', type: 'textarea', readonly_if: { note: { _starts_with: `${word}-x` } } },
    { name: 'told', type: 'computed', result: 'text', formula: `if note = "${word}" then "yes" else "no"` },
    { name: 'note', type: 'textarea', default: `${word} preset` },
    { name: 'serial', type: 'text', unique: true },
    { name: 'amount', type: 'float' },
    { name: 'due', type: 'date' },
    {
      name: 'stage',
      type: 'state_model',
      states: [{ slug: 'open', is_initial: true }, { slug: 'sealed' }],
      transitions: [{ from: 'open', to: 'sealed', condition: { note: { _neq: word } } }],
    },
    { name: 'payer_id', type: 'model_list', target_table: 'clients', on_delete: 'restrict' },
    { name: 'owner_id', type: 'user' },
    { name: 'plan', type: 'file' },
    { name: 'place', type: 'point' },
  ])
  const relation = await api('POST', '/api/sys/relations', { name: 'uses', l_table: 'requests', r_table: 'clients' })
  const template = await makeProcess(
    service,
    'requests',
    'approval',
    bpmn(
      inARow(
        start,
        scriptTask('note', 'variables.noted = record.note'),
        `<userTask id="ask" name="Ask \${record.note}" wf:priority="\${record.serial}"><extensionElements><wf:form><wf:formField name="hint" type="text" bind="record.note"/></wf:form></extensionElements></userTask>`,
        end,
      ),
    ),
  )
  const clerk = await userWith(service, ['requests.*', 'clients.*'], [], {
    requests: {
      read: ['title', 'client_id', 'photo', 'body', 'told'],
      write: ['title', 'client_id', 'photo', 'stage'],
    },
    clients: { read: ['name'] },
  })
  const [plan, photo] = [await upload(service, { name: `${word}.png` }), await upload(service, { name: 'photo.png' })]
  const client = (await api('POST', '/api/e/clients', { name: 'Ann', note: `${word} of Ann` })).id
  const payer = (await api('POST', '/api/e/clients', { name: 'Bob', note: `${word} of Bob` })).id
  const hidden = {
    ...values,
    payer_id: payer,
    owner_id: service.admin.userId,
    place: { lat: 12.345678, lng: 9.876543 },
  }
  const record = (await api('POST', '/api/e/requests', { title: 'Printer', client_id: client, photo, plan, ...hidden }))
    .id
  const gone = { title: 'Gone', client_id: client, ...hidden, serial: `${word}-2` }
  const deleted = (await api('POST', '/api/e/requests', gone)).id
  await api('POST', '/api/sys/process-instances', { template_id: template.id, record_id: record })
  const task = await taskOf(service, 'requests', record)
  const moment = new Date().toISOString()
  for (const id of [record, deleted])
    await api('PATCH', `/api/e/requests/${id}`, { title: 'Printer 2', amount: 76_543_210 })
  await api('DELETE', `/api/e/requests/${deleted}`)
  await api('POST', `/api/sys/add_related_instances/${relation.id}/l_table/${record}`, { ids: [client] })
  // One that the clerk may see, and one whose filter tells of a hidden field.
  const view = (
    await api('POST', '/api/sys/views', {
      model: 'requests',
      name: 'All',
      scope: 'shared',
      columns: ['title', 'note', 'client_id.name', 'client_id.note'],
    })
  ).id
  const hiddenView = (
    await api('POST', '/api/sys/views', {
      model: 'requests',
      name: 'Canaries',
      scope: 'shared',
      filter: { note: { _contains: word } },
    })
  ).id
  const mappingOf = async (name: string, field: string): Promise<number> =>
    (await api('POST', '/api/sys/import-mappings', { name, model: 'requests', mapping: { Notes: field } })).id
  const macro = (
    await api('POST', '/api/sys/macros', {
      name: 'Seal',
      model: 'requests',
      set: { title: 'Sealed', stage: 'sealed' },
    })
  ).id
  const snippet = (
    await api('POST', '/api/sys/snippets', { name: 'Note', body: 'Note: {{record.note}}', model: 'requests' })
  ).id
  const importMapping = await mappingOf('Titles', 'title')
  const hiddenImportMapping = await mappingOf('Notes', 'note')
  const content = Buffer.from('Title,Notes,Amount\nRow,mine,1\n')
  const file = await upload(service, { name: 'rows.csv', type: 'text/csv', content, token: clerk.token })
  const job = await bigExport(service, clerk.token)
  await service.cloud.idle()
  const item = (
    await api('POST', '/api/sys/portal/items', {
      name: 'Something is broken',
      model: 'requests',
      fields: ['title', 'photo'],
      defaults: { note: values.note, amount: values.amount, due: values.due, payer_id: payer },
    })
  ).id
  return {
    item,
    token: clerk.token,
    table: table.id,
    record,
    deleted,
    client,
    payer,
    relation: relation.id,
    instance: task.instance_id,
    task: task.id,
    template: template.id,
    plan,
    photo,
    file,
    job,
    view,
    hiddenView,
    macro,
    snippet,
    importMapping,
    hiddenImportMapping,
    moment,
    texts: [word, '7654321', '76543210', values.due, '12.345678', '9.876543', plan.split('/')[2] as string],
  }
}

/** An export of the clerk that became a job, because it is larger than one answer. */
async function bigExport(service: TestService, token: string): Promise<number> {
  for (let part = 0; part < 2; part += 1) {
    const rows = Array.from({ length: 70 }, (_, row) => ({
      title: `Bulk ${part}.${row}`,
      body: 'x'.repeat(40_000),
      note: `${word} ${row}`,
    }))
    await service.api('POST', '/api/e/requests/import', { token: service.admin.token, body: { rows } })
  }
  const { status, body } = await service.api('GET', '/api/e/requests/export?format=ndjson', { token })
  if (status !== 202) throw new Error(`export: ${status}`)
  await finishedJob(service, body.data.job_id)
  return body.data.job_id
}

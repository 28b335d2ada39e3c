import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

const fields = [
  { name: 'title', type: 'text' },
  { name: 'priority', type: 'integer' },
  { name: 'code', type: 'text' },
  { name: 'source', type: 'value_list', options: [{ slug: 'mail' }, { slug: 'phone' }] },
]
const changed = (by: Record<string, object | null>): object[] =>
  fields.flatMap((field) => (by[field.name] === null ? [] : [{ ...field, ...by[field.name] }]))
const dryRun = (table_fields: object[]) => api('PUT', '/api/sys/entities/name/tickets?dry_run=true', { table_fields })
const ids: number[] = []

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'tickets', fields)
  for (const row of [
    { title: 'a', priority: 1, code: 'x', source: 'mail' },
    { title: 'long title', priority: 9, code: 'x', source: 'phone' },
    { priority: 7, code: 'y' },
  ])
    ids.push((await api('POST', '/api/e/tickets', row)).body.data.id)
})
afterAll(() => service?.stop())

it('a dry run of a table counts the records that each new rule would refuse, with examples, and writes nothing', async () => {
  const before = (await api('GET', '/api/sys/entities/name/tickets')).body.data
  const { status, body } = await dryRun(
    changed({
      title: { required: true, max_length: 5 },
      priority: { min: 2, max: 8 },
      code: { unique: true },
      source: { options: [{ slug: 'mail' }] },
    }),
  )
  expect(status).toBe(200)
  const [a, b, c] = ids
  expect(body.data).toEqual({
    breaks: [
      { field: 'title', rule: 'required', records: 1, examples: [c] },
      { field: 'title', rule: 'max_length', records: 1, examples: [b] },
      { field: 'priority', rule: 'min', records: 1, examples: [a] },
      { field: 'priority', rule: 'max', records: 1, examples: [b] },
      { field: 'code', rule: 'unique', records: 2, examples: [a, b] },
      { field: 'source', rule: 'options', records: 1, examples: [b] },
    ],
    named_by: [],
  })
  expect((await api('GET', '/api/sys/entities/name/tickets')).body.data).toEqual(before)
})

it('a dry run tells of a type that may not change, and takes its flag from the body too', async () => {
  const body = { table_fields: changed({ priority: { type: 'text' } }), dry_run: true }
  expect((await api('PUT', '/api/sys/entities/name/tickets', body)).body.data.breaks).toEqual([
    { field: 'priority', rule: 'type', records: 3, examples: ids },
  ])
  const { status } = await api('PUT', '/api/sys/entities/name/tickets', { ...body, dry_run: false })
  expect(status).toBe(422)
})

it('a dry run names what names a field that goes', async () => {
  const role = {
    name: 'agent',
    permissions: ['tickets.read'],
    rules: [{ table: 'tickets', action: 'read', filter: { priority: { _gt: 3 } } }],
  }
  const made = await api('POST', '/api/sys/roles', role)
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  const automations = [{ kind: 'before_update', name: 'raise', script: '$data.priority = 1' }]
  expect((await api('PUT', '/api/sys/entities/name/tickets', { automations })).status).toBe(200)
  await makeTable(service, 'boards', [{ name: 'name', type: 'text' }])
  const { body } = await dryRun(changed({ priority: null }))
  expect(body.data.breaks).toEqual([])
  expect(body.data.named_by).toEqual([
    { kind: 'hook', id: expect.any(Number), name: 'raise', path: 'automations.0.script' },
    { kind: 'role', id: made.body.data.id, name: 'agent', path: expect.stringContaining('priority') },
  ])
})

it('a dry run refuses what the change would refuse whatever the records hold', async () => {
  const { status, body } = await dryRun([
    ...fields,
    { name: 'x', type: 'computed', formula: 'pirority', result: 'float' },
  ])
  expect([status, Object.keys(body.errors)]).toEqual([422, ['table_fields.4.formula']])
  expect((await api('PUT', '/api/sys/entities/name/tickts?dry_run=true', { table_fields: fields })).status).toBe(404)
})

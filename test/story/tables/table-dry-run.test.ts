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

const reports = [
  { name: 'title', type: 'text' },
  { name: 'priority', type: 'integer' },
  { name: 'note', type: 'text' },
  {
    name: 'status',
    type: 'state_model',
    states: [
      { slug: 'open', is_initial: true },
      { slug: 'closed', is_final: true },
    ],
    transitions: [{ from: 'open', to: 'closed' }],
  },
]
const reportsWith = (by: Record<string, object>): object[] => reports.map((field) => ({ ...field, ...by[field.name] }))

it('a dry run counts the records that conditions of fields and of transitions would refuse', async () => {
  await makeTable(service, 'reports', reports)
  const made: number[] = []
  for (const row of [
    { title: 'a', priority: 1 },
    { title: 'b', priority: 9 },
    { title: 'c', priority: 9, note: 'why' },
    { priority: 9 },
  ])
    made.push((await api('POST', '/api/e/reports', row)).body.data.id)
  const [a, b, c, untitled] = made
  const breaksOf = async (table_fields: object[]) =>
    (await api('PUT', '/api/sys/entities/name/reports?dry_run=true', { table_fields })).body.data.breaks
  const urgent = { priority: { _gt: 5 } }
  const { transitions } = { transitions: [{ from: 'open', to: 'closed' }] }
  expect(
    await breaksOf(
      reportsWith({
        title: { readonly_if: urgent },
        note: { required_if: urgent },
        status: { transitions: transitions.map((move) => ({ ...move, condition: urgent, required_fields: ['note'] })) },
      }),
    ),
  ).toEqual([
    { field: 'note', rule: 'required_if', records: 2, examples: [b, untitled] },
    { field: 'status', rule: 'condition', records: 1, examples: [a] },
    { field: 'status', rule: 'required_fields', records: 2, examples: [b, untitled] },
  ])
  // A field that is not visible is never required, and a condition counts only what it adds.
  const titled = { title: { _neq: null } }
  expect(await breaksOf(reportsWith({ note: { required_if: urgent, visible_if: titled } }))).toEqual([
    { field: 'note', rule: 'required_if', records: 1, examples: [b] },
  ])
  expect(await breaksOf(reportsWith({ note: { required: true, visible_if: titled } }))).toEqual([
    { field: 'note', rule: 'required', records: 2, examples: [a, b] },
  ])
  await api('PUT', '/api/sys/entities/name/reports', {
    table_fields: reportsWith({ note: { required_if: urgent, visible_if: titled } }),
  })
  expect(await breaksOf(reportsWith({ note: { required_if: { priority: { _gt: 0 } }, visible_if: titled } }))).toEqual([
    { field: 'note', rule: 'required_if', records: 1, examples: [a] },
  ])
  expect(await breaksOf(reportsWith({ note: { required_if: urgent } }))).toEqual([
    { field: 'note', rule: 'visible_if', records: 1, examples: [untitled] },
  ])
  // Transitions of records that are where it begins.
  await api('PATCH', `/api/e/reports/${c}`, { status: 'closed' })
  const low = { status: { transitions: [{ from: '*', to: 'closed', condition: { priority: { _lt: 5 } } }] } }
  expect(await breaksOf(reportsWith(low))).toEqual([
    { field: 'status', rule: 'condition', records: 2, examples: [b, untitled] },
  ])
})

it('a dry run of a rename says what follows, and what still names the former name', async () => {
  const own = [
    { name: 'title', type: 'text' },
    { name: 'weight', type: 'integer' },
    { name: 'twice', type: 'computed', formula: 'weight * 2', result: 'integer' },
  ]
  await makeTable(service, 'parcels', own)
  await api('POST', '/api/e/parcels', { title: 'a', weight: 3 })
  const filter = { weight: { _gt: 3 } }
  const role = { name: 'packer', permissions: ['parcels.read'], rules: [{ table: 'parcels', action: 'read', filter }] }
  const { id: roleId } = (await api('POST', '/api/sys/roles', role)).body.data
  const view = { model: 'parcels', name: 'Heavy', scope: 'shared', filter }
  const { id: viewId } = (await api('POST', '/api/sys/views', view)).body.data
  const macro = { model: 'parcels', name: 'Weigh', set: { weight: 1 } }
  const { id: macroId } = (await api('POST', '/api/sys/macros', macro)).body.data
  const automations = [{ kind: 'before_update', name: 'weigh', script: '$data.weight = 1' }]
  await api('PUT', '/api/sys/entities/name/parcels', { automations })
  const script = "const one = $api.get('parcels', 1); if (one) $data.name = String(one.weight)"
  await makeTable(service, 'shelves', [{ name: 'name', type: 'text' }])
  await api('PUT', '/api/sys/entities/name/shelves', {
    automations: [{ kind: 'before_update', name: 'copy', script }],
  })
  const renamed = own.map((field) =>
    field.name === 'weight' ? { ...field, name: 'kilos', renamed_from: 'weight', min: 4 } : field,
  )
  const before = (await api('GET', '/api/sys/entities/name/parcels')).body.data
  const { status, body } = await api('PUT', '/api/sys/entities/name/parcels?dry_run=true', { table_fields: renamed })
  expect([status, body.data]).toEqual([
    200,
    {
      breaks: [{ field: 'kilos', rule: 'min', records: 1, examples: [1] }],
      named_by: [
        { kind: 'hook', id: expect.any(Number), name: 'weigh', path: 'automations.0.script' },
        { kind: 'table', id: expect.any(Number), name: 'shelves', path: 'automations.0.script' },
      ],
      renames: [
        {
          field: 'kilos',
          renamed_from: 'weight',
          follows: [
            { kind: 'field', id: null, name: 'twice' },
            { kind: 'role', id: roleId, name: 'packer' },
            { kind: 'view', id: viewId, name: 'Heavy' },
            { kind: 'macro', id: macroId, name: 'Weigh' },
          ],
        },
      ],
    },
  ])
  expect((await api('GET', '/api/sys/entities/name/parcels')).body.data).toEqual(before)
  await api('PUT', '/api/sys/entities/name/parcels', {
    table_fields: renamed.map((field) => ({ ...field, min: undefined })),
  })
  expect((await api('GET', `/api/sys/macros/${macroId}`)).body.data).toMatchObject({ set: { kilos: 1 }, problem: null })
})

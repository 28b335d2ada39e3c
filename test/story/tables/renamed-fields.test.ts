import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const data = async (method: string, path: string, body?: unknown) => {
  const answer = await api(method, path, body)
  if (answer.status > 299) throw new Error(JSON.stringify(answer.body))
  return answer.body?.data
}
const put = (model: string, table_fields: object[], more: object = {}) =>
  api('PUT', `/api/sys/entities/name/${model}`, { table_fields, ...more })
const list = async (model: string, query: string) => (await api('GET', `/api/e/${model}?${query}`)).body

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

const client = { name: 'client_id', type: 'model_list', target_table: 'clients' }
const fields = [
  { name: 'title', type: 'text', searchable: true, required: true },
  { name: 'prio', type: 'integer' },
  { name: 'code', type: 'text', unique: true, case_insensitive: true },
  { name: 'twice', type: 'computed', formula: 'prio * 2', result: 'integer' },
  { name: 'note', type: 'textarea', required_if: { prio: { _gt: 8 } } },
  {
    name: 'status',
    type: 'state_model',
    states: [{ slug: 'new', is_initial: true }, { slug: 'done' }],
    transitions: [{ from: 'new', to: 'done', required_fields: ['note'], condition: { prio: { _gt: 1 } } }],
  },
  client,
]
/** The fields with other members, by the names that they have had. */
const renamed = (
  names: Readonly<Record<string, string>>,
  of: readonly { readonly name: string }[] = fields,
): object[] =>
  of.map((field) => (names[field.name] ? { ...field, name: names[field.name], renamed_from: field.name } : field))

it('a renamed field keeps values, history, rules and uniqueness', async () => {
  await makeTable(service, 'clients', [{ name: 'name', type: 'text' }])
  await makeTable(service, 'tickets', fields)
  const acme = (await data('POST', '/api/e/clients', { name: 'Acme' })).id
  const first = (await data('POST', '/api/e/tickets', { title: 'Alpha', prio: 5, code: 'X1', client_id: acme })).id
  const second = (await data('POST', '/api/e/tickets', { title: 'Beta', prio: 3, code: 'X2', client_id: acme })).id
  const before = new Date().toISOString()
  await data('PATCH', `/api/e/tickets/${first}`, { prio: 6 })

  const { status, body } = await put('tickets', renamed({ prio: 'urgency', code: 'number', title: 'subject' }), {
    title_field: 'title',
  })
  expect([status, body.errors]).toEqual([200, undefined])
  const saved = body.data
  expect(saved.title_field).toBe('subject')
  expect(JSON.stringify(saved)).not.toMatch(/renamed_from|prio|stored_as/)
  expect(saved.rebuilding).toBeUndefined()
  expect(saved.table_fields[3].formula).toBe('urgency * 2')
  expect(saved.table_fields[4].required_if).toEqual({ urgency: { _gt: 8 } })
  expect(saved.table_fields[5].transitions[0].condition).toEqual({ urgency: { _gt: 1 } })

  expect((await data('GET', `/api/e/tickets/${first}`)).data).toMatchObject({
    subject: 'Alpha',
    urgency: 6,
    number: 'X1',
    twice: 12,
  })
  expect((await data('GET', `/api/e/tickets/${first}?as_of=${before}`)).data).toMatchObject({
    subject: 'Alpha',
    urgency: 5,
  })
  const history = await data('GET', `/api/sys/history/tickets/${first}`)
  expect(history[0].changes.urgency).toEqual({ old: 5, new: 6 })
  expect(history.at(-1).changes.number).toEqual({ old: null, new: 'X1' })

  const sorted = await list('tickets', `sort=urgency&filter=${encodeURIComponent('{"urgency":{"_gt":2}}')}`)
  expect(sorted.data.map((one: any) => one.id)).toEqual([second, first])
  expect((await list('tickets', 'search=alpha')).data.map((one: any) => one.id)).toEqual([first])
  const through = encodeURIComponent('{"client_id.name":"Acme"}')
  expect((await list('tickets', `filter=${through}&sort=-urgency`)).meta.total).toBe(2)
  const groups = await api('POST', '/api/e/tickets/list-server', { group_by: ['urgency'] })
  expect([groups.status, groups.body.data?.length]).toEqual([200, 2])
  expect((await list('tickets', 'filter=%7B%22prio%22%3A1%7D')).errors).toBeDefined()

  const taken = await api('POST', '/api/e/tickets', { subject: 'C', number: 'x1' })
  expect([taken.status, taken.body.errors]).toEqual([422, { number: ['The number has already been taken.'] }])
  await data('PATCH', `/api/e/tickets/${first}`, { number: 'X9', urgency: 7 })
  await data('POST', '/api/e/tickets', { subject: 'C', number: 'x1', urgency: 2, client_id: acme })
  expect((await api('POST', '/api/e/tickets', { subject: 'D', urgency: 9 })).body.errors.note).toBeDefined()
})

it('a restore to a version before a rename brings the values back under the new names', async () => {
  const fieldsBefore = [
    { name: 'subject', type: 'text' },
    { name: 'weight', type: 'integer' },
  ]
  await makeTable(service, 'parcels', fieldsBefore)
  const { id } = await data('POST', '/api/e/parcels', { subject: 'Books', weight: 3 })
  await data('PATCH', `/api/e/parcels/${id}`, { subject: 'Books and pens', weight: 4 })
  await data('PUT', '/api/sys/entities/name/parcels', {
    table_fields: renamed({ subject: 'title', weight: 'kilos' }, fieldsBefore),
  })
  await data('PATCH', `/api/e/parcels/${id}`, { title: 'Pens', kilos: 1 })
  const [, changed, made] = await data('GET', `/api/sys/history/parcels/${id}`)
  const restore = async (as_of: string) => (await data('POST', `/api/e/parcels/${id}/restore`, { as_of })).data
  expect(await restore(made.created_at)).toEqual({ title: 'Books', kilos: 3 })
  expect(await restore(changed.created_at)).toEqual({ title: 'Books and pens', kilos: 4 })
  await data('DELETE', `/api/e/parcels/${id}`)
  expect(await restore(made.created_at)).toEqual({ title: 'Books', kilos: 3 })
  const { body } = await api('GET', `/api/e/parcels?filter=${encodeURIComponent('{"kilos":3}')}`)
  expect(body.meta.total).toBe(1)
})

it('what names a renamed field as data follows, and what names it in a text is a warning', async () => {
  const name = { name: 'name', type: 'text' }
  const total = { name: 'total', type: 'rollup', table: 'orders', field: 'buyer_id', of: 'prio', aggregate: 'sum' }
  const own = [
    { name: 'title', type: 'text' },
    { name: 'prio', type: 'integer' },
    { name: 'buyer_id', type: 'model_list', target_table: 'buyers' },
  ]
  await makeTable(service, 'buyers', [name])
  await makeTable(service, 'orders', own)
  expect((await put('buyers', [name, { ...total, filter: { prio: { _gt: 1 } } }])).status).toBe(200)
  const acme = (await data('POST', '/api/e/buyers', { name: 'Acme' })).id
  await data('POST', '/api/e/orders', { title: 'Alpha', prio: 5, buyer_id: acme })
  await data('POST', '/api/sys/roles', {
    name: 'reader',
    permissions: ['orders.read', 'buyers.read'],
    rules: [{ table: 'orders', action: 'read', filter: { _or: [{ prio: { _gt: 4 } }, { 'buyer_id.total': 1 }] } }],
    fields: { orders: { read: ['title', 'prio'] } },
  })
  const view = { model: 'orders', columns: ['title', 'prio'], filter: { prio: { _gt: 4 } }, sort: ['-prio'] }
  const { id: shared } = await data('POST', '/api/sys/views', { ...view, name: 'Urgent', scope: 'shared' })
  const { id: mine } = await data('POST', '/api/sys/views', { ...view, name: 'Mine' })

  const { id: mapping } = await data('POST', '/api/sys/import-mappings', {
    name: 'Orders',
    model: 'orders',
    mapping: { Prio: 'prio', Title: 'title' },
    mode: 'upsert',
    key: 'title',
  })

  const saved = await data('PUT', '/api/sys/entities/name/orders', {
    table_fields: renamed({ prio: 'urgency', title: 'subject' }, own),
  })
  const after = { columns: ['subject', 'urgency'], filter: { urgency: { _gt: 4 } }, sort: ['-urgency'], problem: null }
  expect(await data('GET', `/api/sys/views/${shared}`)).toMatchObject(after)
  expect(await data('GET', `/api/sys/views/${mine}`)).toMatchObject(after)
  expect(await data('GET', `/api/sys/import-mappings/${mapping}`)).toMatchObject({
    mapping: { Prio: 'urgency', Title: 'subject' },
    key: 'subject',
    problem: null,
  })
  const role = (await data('GET', '/api/sys/roles')).find((one: any) => one.name === 'reader')
  expect(role.rules[0].filter).toEqual({ _or: [{ urgency: { _gt: 4 } }, { 'buyer_id.total': 1 }] })
  expect(role.fields).toEqual({ orders: { read: ['subject', 'urgency'] } })
  const buyers = await data('GET', '/api/sys/entities/name/buyers')
  expect(buyers.table_fields[1]).toMatchObject({ of: 'urgency', filter: { urgency: { _gt: 1 } } })
  await data('POST', '/api/e/orders', { subject: 'Beta', urgency: 7, buyer_id: acme })
  await expect.poll(async () => (await data('GET', `/api/e/buyers/${acme}`)).data.total).toBe(12)

  const script = `const t = $api.get('orders', 1); if (t) $data.name = String(t.prio)`
  await data('PUT', '/api/sys/entities/name/buyers', {
    automations: [{ kind: 'before_update', name: 'copy', script }],
  })
  // What is sent again says no more.
  const again = await put('orders', renamed({ prio: 'urgency', title: 'subject' }, own))
  expect([again.status, again.body.data.version]).toEqual([200, saved.version])
  expect(again.body.warnings).toEqual([
    {
      path: 'tables.buyers.automations.0.script',
      code: 'dangling',
      message: 'The hook copy of buyers names prio, which is called urgency now in orders.',
    },
  ])
})

it('a name that is free again is a field of its own: the values of the renamed and of the removed one stay away', async () => {
  const [a, b] = [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'text' },
  ]
  await makeTable(service, 'letters', [a, b])
  const { id } = await data('POST', '/api/e/letters', { a: 'was a', b: 'was b' })
  const read = async () => (await data('GET', `/api/e/letters/${id}`)).data
  // b goes; a takes its name, and a new a is empty.
  await data('PUT', '/api/sys/entities/name/letters', { table_fields: [a] })
  await data('PUT', '/api/sys/entities/name/letters', { table_fields: [{ ...b, renamed_from: 'a' }, a] })
  expect(await read()).toEqual({ b: 'was a' })
  await data('PATCH', `/api/e/letters/${id}`, { a: 'new a' })
  expect(await read()).toEqual({ a: 'new a', b: 'was a' })
  expect((await list('letters', 'filter=%7B%22a%22%3A%22new%20a%22%7D')).meta.total).toBe(1)
  expect((await list('letters', 'filter=%7B%22a%22%3A%22was%20a%22%7D')).meta.total).toBe(0)
  // Two fields swap their names, once, however often the document is sent.
  const swap = [
    { ...a, renamed_from: 'b' },
    { ...b, renamed_from: 'a' },
  ]
  await data('PUT', '/api/sys/entities/name/letters', { table_fields: swap })
  await data('PUT', '/api/sys/entities/name/letters', { table_fields: swap })
  expect(await read()).toEqual({ a: 'was a', b: 'new a' })
  const history = await data('GET', `/api/sys/history/letters/${id}`)
  expect(history[0].changes).toEqual({ b: { old: null, new: 'new a' } })
  expect(history[1].changes.a).toEqual({ old: null, new: 'was a' })
  // The field removed first comes back under a free name of its own only as a new one.
  await data('PUT', '/api/sys/entities/name/letters', { table_fields: [{ ...b, name: 'c', renamed_from: 'b' }, a] })
  expect(await read()).toEqual({ a: 'was a', c: 'new a' })
  await data('PUT', '/api/sys/entities/name/letters', { table_fields: [a, b, { ...b, name: 'c' }] })
  expect(await read()).toEqual({ a: 'was a', b: 'was b', c: 'new a' })
})

it('refuses renames that would lose values, or mean nothing', async () => {
  const [a, b] = [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'text' },
  ]
  await makeTable(service, 'pairs', [a, b])
  await data('POST', '/api/e/pairs', { a: 'was a', b: 'was b' })
  const refused = async (table_fields: object[]) => {
    const { status, body } = await put('pairs', table_fields)
    return [
      status,
      Object.values(body.errors ?? {})
        .flat()
        .join(' '),
    ]
  }
  expect(await refused([{ ...b, renamed_from: 'a' }])).toEqual([422, expect.stringMatching(/has a field b already/)])
  expect(await refused([a, { ...b, renamed_from: 'a' }])).toEqual([422, expect.stringMatching(/both a and b/)])
  expect(await refused([a, b, { ...b, name: 'c', renamed_from: 'aa' }])).toEqual([
    422,
    expect.stringMatching(/no field aa in pairs.*a\?/),
  ])
  expect(await refused([{ ...a, renamed_from: 'a' }, b])).toEqual([422, expect.stringMatching(/its own name/)])
  expect(await refused([{ ...a, name: 'c', renamed_from: 'a' }, { ...a, name: 'd', renamed_from: 'a' }, b])).toEqual([
    422,
    expect.stringMatching(/becomes c already/),
  ])
  expect(await refused([{ name: 'n', type: 'integer', renamed_from: 'a' }, b])).toEqual([
    422,
    expect.stringMatching(/may not change from text to integer/),
  ])
  const { status, body } = await api('PUT', '/api/sys/entities/name/sys_org_units', {
    table_fields: [
      { name: 'name', type: 'text' },
      { name: 'above', type: 'org_unit', renamed_from: 'parent_id' },
    ],
  })
  expect([status, body.errors['table_fields.1.renamed_from'][0]]).toEqual([422, expect.stringMatching(/built in/)])
})

it('fields of every kind of content keep it: references, files, numbers', async () => {
  const own = [
    { name: 'title', type: 'text' },
    { name: 'owner_id', type: 'model_list', target_table: 'keepers', on_delete: 'set_null' },
    { name: 'photo', type: 'file' },
    { name: 'number', type: 'auto_number', prefix: 'A-', digits: 4 },
  ]
  await makeTable(service, 'keepers', [{ name: 'name', type: 'text' }])
  await makeTable(service, 'animals', own)
  const keeper = (await data('POST', '/api/e/keepers', { name: 'Ann' })).id
  const photo = await upload(service)
  const { id } = await data('POST', '/api/e/animals', { title: 'Owl', owner_id: keeper, photo })
  const names = { owner_id: 'keeper_id', photo: 'picture', number: 'tag' }
  await data('PUT', '/api/sys/entities/name/animals', { table_fields: renamed(names, own) })

  const read = await data('GET', `/api/e/animals/${id}`)
  expect(read.data).toEqual({ title: 'Owl', keeper_id: keeper, picture: photo, tag: 'A-0001' })
  expect((await data('POST', '/api/e/animals', { title: 'Fox' })).data.tag).toBe('A-0002')
  expect((await api('GET', `/api/files?path=${photo}`)).status).toBeLessThan(400)
  const filter = encodeURIComponent('{"keeper_id.name":"Ann"}')
  expect((await list('animals', `filter=${filter}&expand=keeper_id`)).meta.total).toBe(1)
  // The file is still claimed by its record, and the reference is still found from the other side.
  await data('PATCH', `/api/e/animals/${id}`, { title: 'Snowy owl' })
  expect((await api('DELETE', `/api/e/keepers/${keeper}`)).status).toBe(204)
  await expect.poll(async () => (await data('GET', `/api/e/animals/${id}`)).data.keeper_id ?? null).toBe(null)

  // What is exported is imported again under the new names.
  const csv = await service.api('GET', '/api/e/animals/export?format=csv', { token: service.admin.token })
  expect(String(csv.body).split('\n')[0]).toMatch(/title.*keeper_id.*picture.*tag/)
  const rows = [{ title: 'Owl 2', tag: 'A-0001' }]
  const imported = await api('POST', '/api/e/animals/import', { rows, mode: 'update', key: 'tag' })
  expect([imported.status, imported.body.errors]).toEqual([200, undefined])
  expect((await data('GET', `/api/e/animals/${id}`)).data.title).toBe('Owl 2')
})

it('a document of configuration as code may swap names, and is applied once', async () => {
  const [a, b] = [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'text' },
  ]
  await makeTable(service, 'notes', [a, b])
  const { id } = await data('POST', '/api/e/notes', { a: 'was a', b: 'was b' })
  const read = async () => (await data('GET', `/api/e/notes/${id}`)).data
  const swap = [
    { ...a, renamed_from: 'b' },
    { ...b, renamed_from: 'a' },
  ]
  const apply = (label: string, query = '') =>
    data('PUT', `/api/sys/config${query}`, {
      tables: [{ name: 'notes', label, title_field: null, table_fields: swap, automations: [] }],
    })
  await apply('Note')
  expect(await read()).toEqual({ a: 'was b', b: 'was a' })
  expect((await apply('Note', '?dry_run=true')).changed).toEqual([])
  expect(await apply('Note')).toMatchObject({ changed: [], unchanged: 1 })
  expect((await apply('Notes')).differences['tables.notes']).toEqual(['label: "Note" → "Notes"'])
  expect((await apply('Notes')).changed).toEqual([])
  expect(await read()).toEqual({ a: 'was b', b: 'was a' })
})

it('private views follow renames and swaps, of their table and of those that it refers to', async () => {
  const own = [
    { name: 'low', type: 'integer' },
    { name: 'high', type: 'integer' },
    { name: 'maker_id', type: 'model_list', target_table: 'makers' },
  ]
  const ofMaker = [{ name: 'name', type: 'text' }]
  await makeTable(service, 'makers', ofMaker)
  await makeTable(service, 'tools', own)
  const maker = (await data('POST', '/api/e/makers', { name: 'Acme' })).id
  await data('POST', '/api/e/tools', { low: 1, high: 9, maker_id: maker })
  await data('POST', '/api/e/tools', { low: 8, high: 2 })
  const filter = { _and: [{ low: { _lt: 5 } }, { 'maker_id.name': 'Acme' }] }
  const body = { model: 'tools', columns: ['low', 'maker_id.name'], filter, sort: ['-high'] }
  const { id } = await data('POST', '/api/sys/views', { ...body, name: 'Mine', is_default: true })
  const seen = async () => (await list('tools', `view=${id}`)).data.map((one: any) => one.expanded.maker_id)
  const swap = renamed({ low: 'high', high: 'low' }, own) as (typeof own)[number][]
  await data('PUT', '/api/sys/entities/name/tools', { table_fields: swap })
  const swapped = {
    columns: ['high', 'maker_id.name'],
    filter: { _and: [{ high: { _lt: 5 } }, { 'maker_id.name': 'Acme' }] },
    sort: ['-low'],
    problem: null,
    version: 1,
  }
  expect(await data('GET', `/api/sys/views/${id}`)).toMatchObject(swapped)
  expect(await seen()).toHaveLength(1)
  // Another default view writes this one, which keeps its meaning; a save keeps the words of now.
  const { id: other } = await data('POST', '/api/sys/views', {
    ...swapped,
    model: 'tools',
    name: 'Other',
    is_default: true,
  })
  await data('PUT', `/api/sys/views/${id}`, { name: 'Still mine' })
  await data('PUT', '/api/sys/entities/name/makers', { table_fields: renamed({ name: 'brand' }, ofMaker) })
  await data('PUT', '/api/sys/entities/name/tools', {
    table_fields: renamed(
      { maker_id: 'by_id', high: 'least' },
      swap.map(({ renamed_from: _, ...field }: any) => field),
    ),
  })
  const after = {
    columns: ['least', 'by_id.brand'],
    filter: { _and: [{ least: { _lt: 5 } }, { 'by_id.brand': 'Acme' }] },
    sort: ['-low'],
    problem: null,
  }
  for (const one of [id, other]) expect(await data('GET', `/api/sys/views/${one}`)).toMatchObject(after)
  expect((await data('GET', '/api/sys/views/counts?model=tools')).map(({ count }: any) => count)).toEqual([1, 1])
})

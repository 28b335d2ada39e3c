import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const save = (table_fields: readonly object[], model = 'drafts') =>
  api('POST', '/api/sys/entities', { name: model, table_fields })
const create = (body: object, model = 'orders') => api('POST', `/api/e/${model}`, body)
const change = (id: number, body: object, model = 'orders') => api('PATCH', `/api/e/${model}/${id}`, body)
const made = async (body: object, model = 'orders'): Promise<number> => {
  const answer = await create(body, model)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data.id
}
const refusal = ({ status, body }: { status: number; body: { errors?: unknown } }) => [status, body.errors]

const orders = [
  { name: 'title', type: 'text', required: true, min_length: 3 },
  { name: 'code', type: 'text', pattern: { regex: '^[A-Z]{2}-\\d+$', message: 'A code looks like AB-12.' } },
  { name: 'slogan', type: 'text', pattern: { regex: 'great' } },
  {
    name: 'kind',
    type: 'value_list',
    options: [{ slug: 'own' }, { slug: 'rented' }, { slug: 'leased', is_active: false }],
  },
  { name: 'lessor', type: 'text', required_if: { kind: 'rented' }, visible_if: { kind: { _neq: 'own' } } },
  { name: 'deposit', type: 'integer', required: true, visible_if: { kind: 'rented' } },
  { name: 'amount', type: 'integer', readonly_if: { status: { _in: ['sent', 'closed'] } } },
  { name: 'fixed', type: 'text', readonly_if: { version: { _gt: 1 } } },
  { name: 'reason', type: 'textarea' },
  { name: 'owner', type: 'user', default: '$CURRENT_USER' },
  { name: 'due', type: 'date', default: '$TODAY(+2 days)' },
  { name: 'opened_at', type: 'datetime', default: '$NOW' },
  {
    name: 'status',
    type: 'state_model',
    states: [
      { slug: 'new', is_initial: true },
      { slug: 'sent' },
      { slug: 'closed' },
      { slug: 'void' },
      { slug: 'old', is_active: false },
    ],
    transitions: [
      { from: 'new', to: 'sent', condition: { amount: { _gt: 0 } } },
      { from: '*', to: 'closed', required_fields: ['reason', 'code', 'deposit'] },
      { from: '*', to: 'old' },
      { from: 'closed', to: 'void', condition: { title: { _contains: 'void' } }, required_fields: ['code'] },
      { from: 'closed', to: 'void', roles: ['clerk'] },
    ],
  },
]

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'orders', orders)
})
afterAll(() => service?.stop())

describe('a pattern', () => {
  it('refuses what does not match it, with its own message or that of Laravel', async () => {
    expect(refusal(await create({ title: 'Desk', kind: 'own', code: 'ab-12', slogan: 'bad' }))).toEqual([
      422,
      { code: ['A code looks like AB-12.'], slogan: ['The slogan format is invalid.'] },
    ])
  })

  it('matches anywhere unless it is anchored, and lets empty values be', async () => {
    await made({ title: 'Desk', kind: 'own', code: 'AB-12', slogan: 'a great day' })
    await made({ title: 'Desk', kind: 'own', code: '', slogan: null })
  })

  it.each([
    ['(?=x)', /not valid in the syntax of RE2.*\(\?=.*never backtracks/],
    ['(a)\\1', /not valid in the syntax of RE2.*never backtracks/],
    ['[a', /not valid in the syntax of RE2: missing closing \]/],
    ['(?:[a-z]{30}){30}', /compiles to \d+ instructions, 500 are allowed/],
  ])('%s is refused when the table is saved', async (regex, message) => {
    const { status, body } = await save([{ name: 'code', type: 'text', pattern: { regex } }])
    expect([status, Object.keys(body.errors)]).toEqual([422, ['table_fields.0.pattern.regex']])
    expect(body.errors['table_fields.0.pattern.regex'][0]).toMatch(message)
  })

  it('has to fit the default of its field', async () => {
    const { body } = await save([{ name: 'code', type: 'text', pattern: { regex: '^A' }, default: 'B' }])
    expect(body.errors).toEqual({ 'table_fields.0.default': ['The code format is invalid.'] })
  })
})

describe('a default', () => {
  it('may be who writes the record, and when', async () => {
    const { body } = await create({ title: 'Desk', kind: 'own' })
    const { owner, due, opened_at } = body.data.data
    expect(owner).toBe(body.data.created_by)
    expect(Math.abs(Date.parse(opened_at) - Date.parse(body.data.created_at))).toBeLessThan(60_000)
    expect(Date.parse(due) - Date.parse(opened_at.slice(0, 10))).toBeLessThanOrEqual(3 * 86_400_000)
    expect(Date.parse(due) - Date.parse(opened_at.slice(0, 10))).toBeGreaterThanOrEqual(86_400_000)
  })

  it.each([
    [
      { type: 'user', default: '$CURENT_USER' },
      'There is no variable $CURENT_USER for a user. Did you mean $CURRENT_USER?',
    ],
    [{ type: 'date', default: '$TODAI' }, /is not a valid date\. Write a variable such as \$NOW/],
    [{ type: 'text', default: '$CURRENT_USER' }, /does not stand for a text: \$CURRENT_USER is for users/],
    [{ type: 'integer', default: '$NOW' }, 'The it must be a number.'],
  ])('%o is refused when the table is saved', async (field, message) => {
    const { status, body } = await save([{ name: 'it', ...field }])
    expect([status, Object.keys(body.errors)]).toEqual([422, ['table_fields.0.default']])
    expect(body.errors['table_fields.0.default'][0]).toMatch(message)
  })
})

describe('required_if', () => {
  it('demands a value in records that match it, on every write', async () => {
    const lessor = { lessor: ['The lessor field is required.'] }
    expect(refusal(await create({ title: 'Car', kind: 'rented', deposit: 1 }))).toEqual([422, lessor])
    const id = await made({ title: 'Car', kind: 'rented', deposit: 1, lessor: 'Ann' })
    expect(refusal(await change(id, { lessor: null }))).toEqual([422, lessor])
    expect((await change(id, { lessor: '', kind: 'own' })).status).toBe(200)
    expect(refusal(await change(id, { kind: 'rented' }))).toEqual([422, lessor])
  })

  it('and required ask for nothing that is not visible', async () => {
    expect((await create({ title: 'Car', kind: 'own' })).status).toBe(201)
    expect(refusal(await create({ title: 'Car', kind: 'rented', lessor: 'Ann' }))).toEqual([
      422,
      { deposit: ['The deposit field is required.'] },
    ])
  })
})

describe('readonly_if', () => {
  it('refuses a changed value in records that match it as they would be stored, not an unchanged one', async () => {
    const id = await made({ title: 'Desk', kind: 'own', amount: 5 })
    const frozen = [422, { amount: ['The amount is read-only in this record and may not be changed.'] }]
    expect(refusal(await change(id, { status: 'sent', amount: 6 }))).toEqual(frozen)
    expect((await change(id, { status: 'sent', amount: 5 })).status).toBe(200)
    expect(refusal(await change(id, { amount: 6 }))).toEqual(frozen)
    expect((await change(id, { title: 'Desk 2', amount: 5 })).status).toBe(200)
  })

  it('with the version lets a value be set once', async () => {
    const id = await made({ title: 'Desk', kind: 'own', fixed: 'once' })
    expect(refusal(await change(id, { fixed: 'twice' }))).toEqual([
      422,
      { fixed: ['The fixed is read-only in this record and may not be changed.'] },
    ])
  })

  it('lets a new record have only what it gets by itself', async () => {
    await makeTable(service, 'numbered', [{ name: 'n', type: 'integer', default: 7, readonly_if: {} }])
    expect((await create({ n: 7 }, 'numbered')).status).toBe(201)
    expect((await create({}, 'numbered')).body.data.data).toEqual({ n: 7 })
    expect((await create({ n: 8 }, 'numbered')).status).toBe(422)
  })
})

describe('a condition', () => {
  it.each([
    [{ statsu: 'x' }, 'required_if.statsu', 'There is no field statsu in drafts. Did you mean status?'],
    [{ status: 'opne' }, 'required_if.status', /there is no such option. Did you mean open\?/],
    [
      { client_id: { name: 'x' } },
      'required_if.client_id.name',
      /looks at the record alone, and client_id\.name is a field of another/,
    ],
    [{ 'client_id.name': 'x' }, 'required_if.client_id.name', /looks at the record alone/],
    [{ id: 1 }, 'required_if.id', /may not look at id/],
    [{ status: { _has: 1 } }, 'required_if.status._has', /There is no operator _has/],
  ])('%o is refused when the table is saved', async (condition, path, message) => {
    const { status, body } = await save([
      { name: 'status', type: 'value_list', options: [{ slug: 'open' }] },
      { name: 'client_id', type: 'company' },
      { name: 'it', type: 'text', required_if: condition },
    ])
    expect([status, Object.keys(body.errors)]).toEqual([422, [`table_fields.2.${path}`]])
    expect(body.errors[`table_fields.2.${path}`][0]).toMatch(message)
  })

  it('keeps its table from losing a field that it names', async () => {
    const fields = [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text', visible_if: { a: 'x' } },
    ]
    await makeTable(service, 'pairs', fields)
    const { status, body } = await api('PUT', '/api/sys/entities/name/pairs', {
      name: 'pairs',
      table_fields: [fields[1]],
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['table_fields.0.visible_if.a']])
  })
})

describe('a transition', () => {
  const ready = { title: 'Desk', kind: 'own', code: 'AB-1', reason: 'done' }

  it('from * leads there from every state', async () => {
    const id = await made({ ...ready, amount: 5 })
    expect((await change(id, { status: 'sent' })).status).toBe(200)
    expect((await change(id, { status: 'closed' })).status).toBe(200)
  })

  it('names each field that it lacks, but none that is not visible', async () => {
    const id = await made({ title: 'Desk', kind: 'own' })
    expect(refusal(await change(id, { status: 'closed' }))).toEqual([
      422,
      {
        code: ['The code field is required when status is closed.'],
        reason: ['The reason field is required when status is closed.'],
      },
    ])
    expect((await change(id, { status: 'closed', reason: 'done', code: 'AB-1' })).status).toBe(200)
  })

  it('refuses a record that does not meet its condition', async () => {
    const id = await made(ready)
    expect(refusal(await change(id, { status: 'sent' }))).toEqual([
      422,
      { status: ['The status may not move from new to sent: the record does not meet the condition of this move.'] },
    ])
    await change(id, { amount: 1 })
    expect((await change(id, { status: 'sent' })).status).toBe(200)
  })

  it('may lead where another does not: of several moves one is enough', async () => {
    const { token } = await userWith(service, ['orders.*'])
    const id = await made(ready)
    await change(id, { status: 'closed' })
    const asOther = await api('PATCH', `/api/e/orders/${id}`, { status: 'void' }, token)
    expect(asOther.body.errors.status[0]).toMatch(/does not meet the condition/)
    // An administrator passes every role.
    expect((await change(id, { status: 'void' })).status).toBe(200)
  })

  it('does not lead to an inactive state', async () => {
    const id = await made(ready)
    expect((await change(id, { status: 'old' })).body.errors.status[0]).toMatch(/the state old is not active/)
  })

  it('has to require fields that there are', async () => {
    const { body } = await save([
      { name: 'reason', type: 'text' },
      {
        name: 'status',
        type: 'state_model',
        states: [{ slug: 'a', is_initial: true }, { slug: 'b' }],
        transitions: [{ from: '*', to: 'b', required_fields: ['reson'] }],
      },
    ])
    expect(body.errors).toEqual({
      'table_fields.1.transitions.0.required_fields.0': ['There is no field reson. Did you mean reason?'],
    })
  })
})

describe('an inactive option', () => {
  it('is refused for new values, and stays on records that have it', async () => {
    expect((await create({ title: 'Car', kind: 'leased' })).body.errors.kind[0]).toBe(
      'The selected kind is invalid: the option leased is not active. There are: own, rented.',
    )
    const active = { name: 'kind', type: 'value_list', options: [{ slug: 'a' }, { slug: 'b' }] }
    await makeTable(service, 'kinds', [active, { name: 'note', type: 'text' }])
    const id = await made({ kind: 'b' }, 'kinds')
    const inactive = { ...active, options: [{ slug: 'a' }, { slug: 'b', is_active: false }] }
    const saved = await api('PUT', '/api/sys/entities/name/kinds', {
      name: 'kinds',
      table_fields: [inactive, { name: 'note', type: 'text' }],
    })
    expect(saved.status).toBe(200)
    expect((await change(id, { kind: 'b', note: 'x' }, 'kinds')).status).toBe(200)
    expect((await change(id, { kind: 'a' }, 'kinds')).status).toBe(200)
    expect((await change(id, { kind: 'b' }, 'kinds')).status).toBe(422)
    const { body } = await api('GET', `/api/sys/history/kinds/${id}`)
    const restored = await api('POST', `/api/e/kinds/${id}/restore`, { as_of: body.data.at(-1).created_at })
    expect([restored.status, restored.body.data?.data.kind]).toEqual([200, 'b'])
  })
})

describe('a unique field that is case insensitive', () => {
  it('takes a value in one case only', async () => {
    await makeTable(service, 'tags', [{ name: 'tag', type: 'text', unique: true, case_insensitive: true }])
    const id = await made({ tag: 'Red' }, 'tags')
    expect(refusal(await create({ tag: 'RED' }, 'tags'))).toEqual([422, { tag: ['The tag has already been taken.'] }])
    expect((await change(id, { tag: 'red' }, 'tags')).body.data.data.tag).toBe('red')
    expect((await create({ tag: 'Red' }, 'tags')).status).toBe(422)
    await api('DELETE', `/api/e/tags/${id}`)
    expect((await create({ tag: 'RED' }, 'tags')).status).toBe(201)
  })
})

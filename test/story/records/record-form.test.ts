import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const formOf = async (id?: number, token?: string) => {
  const { status, body } = await api('GET', `/api/e/loans/form${id === undefined ? '' : `?id=${id}`}`, undefined, token)
  return status === 200 ? body.data : [status, body.code]
}
const fieldOf = (form: { fields: { name: string }[] }, name: string) => form.fields.find((one) => one.name === name)

const loans = [
  { name: 'title', label: 'Title', type: 'text', required: true, max_length: 50 },
  {
    name: 'kind',
    type: 'value_list',
    default: 'book',
    options: [{ slug: 'book', label: 'Book' }, { slug: 'film' }, { slug: 'tape', is_active: false }],
  },
  { name: 'region', type: 'text', visible_if: { kind: 'film' }, required_if: { kind: 'film' } },
  { name: 'amount', type: 'integer', readonly_if: { status: 'closed' } },
  { name: 'owner', type: 'user', default: '$CURRENT_USER' },
  { name: 'secret', type: 'text', default: 'x' },
  {
    name: 'status',
    type: 'state_model',
    states: [
      { slug: 'new', label: 'New', is_initial: true },
      { slug: 'out', label: 'Out' },
      { slug: 'closed', label: 'Closed' },
    ],
    transitions: [
      {
        from: 'new',
        to: 'out',
        label: 'Hand out',
        condition: { amount: { _gt: 0 } },
        required_fields: ['title', 'region'],
      },
      { from: '*', to: 'closed', roles: ['librarian'] },
    ],
  },
]
let id: number

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'loans', loans)
  id = (await api('POST', '/api/e/loans', { title: 'Emma', amount: 1 })).body.data.id
})
afterAll(() => service?.stop())

describe('the form of a new record', () => {
  it('has the fields in order, what they need, and the defaults', async () => {
    const form = await formOf()
    expect(form).toMatchObject({ model: 'loans', id: null, version: null, transitions: [] })
    expect(form.data).toEqual({ kind: 'book', owner: service.admin.userId, secret: 'x', status: 'new' })
    expect(form.fields.map(({ name }: { name: string }) => name)).toEqual(loans.map(({ name }) => name))
    expect(fieldOf(form, 'title')).toEqual({
      name: 'title',
      label: 'Title',
      type: 'text',
      required: true,
      readonly: false,
      visible: true,
      settings: { max_length: 50 },
    })
    expect(fieldOf(form, 'kind')).toMatchObject({
      label: 'kind',
      options: [
        { slug: 'book', label: 'Book' },
        { slug: 'film', label: 'film' },
      ],
    })
    expect(fieldOf(form, 'region')).toMatchObject({ visible: false, required: false })
    expect(fieldOf(form, 'status')).toMatchObject({ options: [{ slug: 'new', label: 'New' }] })
  })

  it('is for those who may create one', async () => {
    const { token } = await userWith(service, ['loans.read', 'loans.update'])
    expect(await formOf(undefined, token)).toEqual([403, 'forbidden'])
    const creator = await userWith(service, ['loans.create'])
    expect(await formOf(undefined, creator.token)).toMatchObject({ data: { owner: creator.id } })
    expect(await formOf(id, creator.token)).toEqual([403, 'forbidden'])
  })
})

describe('the form of a record', () => {
  it('has its values, and the moves that its state, conditions and the roles of the caller allow', async () => {
    const form = await formOf(id)
    expect(form).toMatchObject({ id, version: 1, data: { title: 'Emma', amount: 1, status: 'new' } })
    expect(form.transitions).toEqual([
      { field: 'status', from: 'new', to: 'out', label: 'Hand out', required_fields: ['title'] },
      { field: 'status', from: 'new', to: 'closed', label: 'Closed', required_fields: [] },
    ])
    const { token } = await userWith(service, ['loans.*'])
    expect((await formOf(id, token)).transitions.map(({ to }: { to: string }) => to)).toEqual(['out'])
    await api('PATCH', `/api/e/loans/${id}`, { amount: 0 })
    expect((await formOf(id, token)).transitions).toEqual([])
  })

  it('shows and locks fields as its values demand', async () => {
    const film = (await api('POST', '/api/e/loans', { title: 'Alien', kind: 'film', region: 'EU' })).body.data.id
    expect(fieldOf(await formOf(film), 'region')).toMatchObject({ visible: true, required: true })
    expect(fieldOf(await formOf(film), 'amount')).toMatchObject({ readonly: false })
    await api('PATCH', `/api/e/loans/${film}`, { status: 'closed' })
    expect(fieldOf(await formOf(film), 'amount')).toMatchObject({ readonly: true })
  })

  it('leaves out what the caller may not read, and locks what they may not change', async () => {
    const fields = { loans: { read: ['title', 'amount', 'status'], write: ['title'] } }
    const { token } = await userWith(service, ['loans.read', 'loans.update'], [], fields)
    const form = await formOf(id, token)
    expect(form.fields.map(({ name, readonly }: { name: string; readonly: boolean }) => [name, readonly])).toEqual([
      ['title', false],
      ['amount', true],
      ['status', true],
    ])
    expect(Object.keys(form.data).toSorted()).toEqual(['amount', 'status', 'title'])
    expect(form.transitions).toEqual([])
  })

  it('is read-only for those who may not update the record, and 404 for those who may not see it', async () => {
    const { token } = await userWith(service, ['loans.read'])
    const form = await formOf(id, token)
    expect(new Set(form.fields.map(({ readonly }: { readonly: boolean }) => readonly))).toEqual(new Set([true]))
    const blind = await userWith(service, ['loans.read'], [{ table: 'loans', action: 'read', filter: { title: 'no' } }])
    expect(await formOf(id, blind.token)).toEqual([404, 'record_not_found'])
    expect(await formOf(999)).toEqual([404, 'record_not_found'])
    expect((await api('GET', '/api/e/loans/form?id=x')).status).toBe(422)
  })
})

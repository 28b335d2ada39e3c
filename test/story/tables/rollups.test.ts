import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.api(method, path, { token: service.admin.token, body, ...(headers && { headers }) })
const name = { name: 'name', type: 'text' }
const over = (aggregate: string, more: object = {}) => ({
  type: 'rollup',
  table: 'orders',
  field: 'client_id',
  aggregate,
  ...more,
})
const rollups = [
  { name: 'orders', ...over('count') },
  { name: 'open', ...over('count', { filter: { is_open: true } }) },
  { name: 'turnover', ...over('sum', { of: 'amount' }) },
  { name: 'average', ...over('avg', { of: 'amount' }) },
  { name: 'latest', ...over('max', { of: 'ordered_on' }) },
  { name: 'net', type: 'computed', formula: 'turnover / 2', result: 'float' },
]

beforeAll(async () => {
  service = await startService({ log: () => {}, environment: { SETTLE_MS: '100', REPAIR_AFTER_MS: '0' } })
  await makeTable(service, 'clients', [name])
  await makeTable(service, 'orders', [
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
    { name: 'amount', type: 'integer' },
    { name: 'ordered_on', type: 'date' },
    { name: 'is_open', type: 'boolean' },
  ])
  const { status, body } = await api('PUT', '/api/sys/entities/name/clients', { table_fields: [name, ...rollups] })
  if (status !== 200) throw new Error(JSON.stringify(body))
  await finishedJob(service, body.data.rebuilding.job_id)
})
afterAll(() => service?.stop())

const create = async (model: string, data: object): Promise<any> => {
  const { status, body } = await api('POST', `/api/e/${model}`, data)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}
/** An average of nothing is null: of a client that never had an order the field was never written. */
const withAverage = (data: object): object => ({ average: null, ...data })
const read = async (id: number): Promise<any> => {
  const { body } = await api('GET', `/api/e/clients/${id}`)
  return { ...body.data, data: withAverage(body.data.data) }
}

/** Polls until the client's values are these; answers how long it took. */
async function becomes(id: number, values: object): Promise<number> {
  const started = Date.now()
  for (;;) {
    const { data } = await read(id)
    try {
      expect(data).toMatchObject(values)
      return Date.now() - started
    } catch (error) {
      if (Date.now() - started > 60_000) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** What the rollups of a client are, from all its orders. */
async function fromScratch(id: number): Promise<object> {
  const filter = encodeURIComponent(JSON.stringify({ client_id: id }))
  const { body } = await api('GET', `/api/e/orders?filter=${filter}&per_page=1000`)
  const amounts = body.data.map((one: any) => one.data.amount).filter((amount: unknown) => typeof amount === 'number')
  const turnover = amounts.reduce((sum: number, amount: number) => sum + amount, 0)
  return {
    orders: body.meta.total,
    turnover,
    average: amounts.length > 0 ? turnover / amounts.length : null,
    net: turnover / 2,
  }
}

const step = fc.record({
  kind: fc.constantFrom('create', 'create', 'change', 'change', 'delete', 'restore', 'import'),
  who: fc.nat(3),
  which: fc.nat(),
  amount: fc.option(fc.integer({ min: -1_000, max: 1_000 })),
  is_open: fc.boolean(),
})

describe('rollups', () => {
  it('are of no records at first, and follow creates, changes, moves, deletes and restores without waiting for a sweep', async () => {
    const [ada, bob] = [await create('clients', { name: 'Ada' }), await create('clients', { name: 'Bob' })]
    expect(ada.data).toMatchObject({ orders: 0, open: 0, turnover: 0, net: 0 })
    const first = await create('orders', { client_id: ada.id, amount: 10, ordered_on: '2026-01-01', is_open: true })
    await becomes(ada.id, { orders: 1, open: 1, turnover: 10, average: 10, latest: '2026-01-01', net: 5 })
    await create('orders', { client_id: ada.id, amount: 20, ordered_on: '2026-02-01' })
    // The first one also loaded the functions.
    const took = await becomes(ada.id, { orders: 2, open: 1, turnover: 30, average: 15, latest: '2026-02-01', net: 15 })
    expect(took).toBeLessThan(15_000)
    await api('PATCH', `/api/e/orders/${first.id}`, { client_id: bob.id, amount: 11 })
    await becomes(ada.id, { orders: 1, open: 0, turnover: 20 })
    await becomes(bob.id, { orders: 1, open: 1, turnover: 11 })
    await api('DELETE', `/api/e/orders/${first.id}`)
    await becomes(bob.id, { orders: 0, turnover: 0, average: null, latest: null })
    const restored = await api('POST', `/api/e/orders/${first.id}/restore`, { as_of: first.created_at })
    expect(restored.status).toBe(200)
    await becomes(ada.id, { orders: 2, turnover: 30 })
  })

  it('are filtered and sorted by in lists', async () => {
    const client = await create('clients', { name: 'Cleo' })
    await create('orders', { client_id: client.id, amount: 5_000 })
    await becomes(client.id, { turnover: 5_000 })
    const filter = encodeURIComponent(JSON.stringify({ turnover: { _gt: 1_000 } }))
    const { body } = await api('GET', `/api/e/clients?filter=${filter}&sort=-turnover`)
    expect(body.data.map(({ id }: any) => id)).toEqual([client.id])
  })

  it('change nothing for whoever has the record open', async () => {
    const client = await create('clients', { name: 'Dora' })
    const order = await create('orders', { client_id: client.id, amount: 1 })
    await becomes(client.id, { orders: 1 })
    const now = await read(client.id)
    expect(now).toMatchObject({ updated_at: client.updated_at, updated_by: client.updated_by })
    expect(now.version).toBeGreaterThan(client.version)
    const saved = await api(
      'PATCH',
      `/api/e/clients/${client.id}`,
      { name: 'Dora B.' },
      { 'if-match': `"${client.version}"` },
    )
    expect([saved.status, saved.body.data.data]).toEqual([200, expect.objectContaining({ name: 'Dora B.', orders: 1 })])
    const stale = await api(
      'PATCH',
      `/api/e/clients/${client.id}`,
      { name: 'X' },
      { 'if-match': `"${client.version}"` },
    )
    expect(stale.status).toBe(412)
    await api('DELETE', `/api/e/orders/${order.id}`)
    await becomes(client.id, { orders: 0 })
    const history = (await api('GET', `/api/sys/history/clients/${client.id}`)).body.data
    expect(history.find((one: any) => one.source === 'rollup')).toMatchObject({ user: { id: 0 }, action: 'update' })
  })

  it('are read-only', async () => {
    const client = await create('clients', { name: 'Eve' })
    expect((await api('PATCH', `/api/e/clients/${client.id}`, { orders: 7 })).body.errors.orders[0]).toMatch(
      /read-only/,
    )
    expect((await api('POST', '/api/e/clients', { turnover: 7 })).status).toBe(422)
  })

  it('count what an import brings, together', async () => {
    const [one, two] = [await create('clients', { name: 'F' }), await create('clients', { name: 'G' })]
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ client_id: n % 4 === 0 ? one.id : two.id, amount: 1 }))
    expect((await api('POST', '/api/e/orders/import', { rows })).body.data).toMatchObject({ created: 1_000 })
    await becomes(one.id, { orders: 250, turnover: 250 })
    await becomes(two.id, { orders: 750, turnover: 750 })
    // Eleven transactions touched each, and no more versions were made.
    expect((await read(two.id)).version).toBeLessThanOrEqual(12)
  })

  it('of decimals are exact', async () => {
    await makeTable(service, 'lines', [
      { name: 'client_id', type: 'model_list', target_table: 'clients' },
      { name: 'amount', type: 'decimal' },
    ])
    const { table_fields } = (await api('GET', '/api/sys/entities/name/clients')).body.data
    const paid = { name: 'paid', type: 'rollup', table: 'lines', field: 'client_id', aggregate: 'sum', of: 'amount' }
    const { body } = await api('PUT', '/api/sys/entities/name/clients', { table_fields: [...table_fields, paid] })
    await finishedJob(service, body.data.rebuilding.job_id)
    const client = await create('clients', { name: 'K' })
    for (const amount of ['0.10', '0.20']) await create('lines', { client_id: client.id, amount })
    await becomes(client.id, { paid: '0.30' })
  })

  it('of a record that comes back count what still refers to it', async () => {
    const client = await create('clients', { name: 'H' })
    await create('orders', { client_id: client.id, amount: 3 })
    await becomes(client.id, { orders: 1 })
    await api('DELETE', `/api/e/clients/${client.id}`)
    expect((await api('POST', `/api/e/clients/${client.id}/restore`, { as_of: client.created_at })).status).toBe(200)
    await becomes(client.id, { orders: 1, turnover: 3 })
  })

  it('that are added or changed are made for all records in a job', async () => {
    const client = await create('clients', { name: 'I' })
    await create('orders', { client_id: client.id, amount: 9, is_open: true })
    await becomes(client.id, { open: 1 })
    const changed = rollups.map((one) => (one.name === 'open' ? { ...one, filter: { is_open: { _neq: true } } } : one))
    const { body } = await api('PUT', '/api/sys/entities/name/clients', { table_fields: [name, ...changed] })
    expect(await finishedJob(service, body.data.rebuilding.job_id)).toMatchObject({ status: 'done' })
    expect((await read(client.id)).data).toMatchObject({ open: 0, orders: 1 })
  })

  it('and computed fields equal what is made from scratch after any mixture of writes', { timeout: 240_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        const clients = await Promise.all(['a', 'b', 'c'].map((one) => create('clients', { name: one })))
        const client = (n: number): number | null => clients[n]?.id ?? null
        const orders: any[] = []
        for (const { kind, who, which, amount, is_open } of steps) {
          const data = { client_id: client(who), amount, is_open }
          const order = orders[which % Math.max(1, orders.length)]
          if (kind === 'create' || !order) orders.push(await create('orders', data))
          else if (kind === 'change') await api('PATCH', `/api/e/orders/${order.id}`, data)
          else if (kind === 'delete') await api('DELETE', `/api/e/orders/${order.id}`)
          else if (kind === 'restore')
            await api('POST', `/api/e/orders/${order.id}/restore`, { as_of: order.created_at })
          else await api('POST', '/api/e/orders/import', { rows: [data, { ...data, client_id: client(who + 1) }] })
        }
        for (const { id } of clients) await becomes(id, await fromScratch(id))
        const page = await api(
          'GET',
          `/api/e/clients?filter=${encodeURIComponent(JSON.stringify({ id: { _in: clients.map(({ id }) => id) } }))}`,
        )
        for (const { id, data } of page.body.data) expect(withAverage(data)).toMatchObject(await fromScratch(id))
      }),
      { numRuns: 3, endOnFailure: true },
    ),
  )

  it('that are wrong are right again after the night', async () => {
    const client = await create('clients', { name: 'J' })
    await create('orders', { client_id: client.id, amount: 4 })
    await becomes(client.id, { turnover: 4 })
    await service.cloud.idle()
    const row = recordKey({ id: service.tenant.id }, 'clients', client.id)
    const { data } = (await service.store.get({ id: service.tenant.id }, row)) as { data: string }
    await service.store.write(
      { id: service.tenant.id },
      {
        update: row,
        change: {
          expression: 'SET #d = :d',
          names: { '#d': 'data' },
          values: { ':d': data.replace('"turnover":4', '"turnover":5') },
        },
      },
    )
    expect((await read(client.id)).data.turnover).toBe(5)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await service.cloud.invoke('nightly-repair')).toEqual({ started: 1 })
    await becomes(client.id, { turnover: 4, net: 2 })
  })

  it('are checked when the table is saved, and when the table that they roll up changes', async () => {
    const put = async (field: object) =>
      (await api('PUT', '/api/sys/entities/name/clients', { table_fields: [name, { name: 'x', ...field }] })).body
        .errors
    expect(await put(over('count', { table: 'order' }))).toEqual({
      'table_fields.1.table': ['There is no table order. Did you mean orders?'],
    })
    expect((await put(over('count', { field: 'amount' })))['table_fields.1.field'][0]).toMatch(
      /does not refer to clients/,
    )
    expect((await put(over('sum')))['table_fields.1.of'][0]).toMatch(/is required/)
    expect((await put(over('sum', { of: 'ordered_on' })))['table_fields.1.of'][0]).toMatch(/no sum of ordered_on/)
    expect((await put(over('count', { filter: { is_opn: true } })))['table_fields.1.filter.is_opn'][0]).toMatch(
      /is_open/,
    )
    expect(
      (await put(over('count', { filter: { ordered_on: { _lt: '$TODAY' } } })))['table_fields.1.filter'][0],
    ).toMatch(/kept/)
    const { table_fields } = (await api('GET', '/api/sys/entities/name/orders')).body.data
    const without = table_fields.filter((field: any) => field.name !== 'amount')
    const refused = await api('PUT', '/api/sys/entities/name/orders', { table_fields: without })
    expect(refused.body.errors.table_fields[0]).toMatch(/The rollup clients.turnover would not work any more/)
    expect((await api('DELETE', '/api/sys/entities/name/orders')).status).toBe(409)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { searchReader } from '../../make/builders/search-reader.ts'
import { makeTable } from '../../make/builders/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let model: string
let made = 0
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const create = async (body: object) => (await api('POST', `/api/e/${model}`, body)).body.data.id as number
const reader = () => searchReader(service)
const caughtUp = () => service.cloud.idle()

const fields = [
  { name: 'title', type: 'text' },
  { name: 'note', type: 'textarea' },
  { name: 'secret', type: 'text', searchable: false },
  { name: 'status', type: 'value_list', options: [{ slug: 'open' }, { slug: 'closed' }] },
  { name: 'urgent', type: 'boolean' },
  { name: 'priority', type: 'integer', min: 1, max: 5 },
  { name: 'amount', type: 'integer' },
]

beforeAll(async () => {
  service = await startService({ log: () => {} })
})
afterAll(() => service?.stop())
beforeEach(async () => {
  model = `things_${++made}`
  await makeTable(service, model, fields)
})

describe('search', () => {
  it('ignores case and diacritics, and finds words of every script', async () => {
    const cafe = await create({ title: 'Café MÜNCHEN' })
    const moscow = await create({ title: 'Принтер в Москве' })
    const tokyo = await create({ title: '東京のプリンター' })
    await caughtUp()
    expect(await reader().find(model, 'cafe munchen')).toEqual([cafe])
    expect(await reader().find(model, 'ПРИНТЕР')).toEqual([moscow])
    expect(await reader().find(model, '東')).toEqual([tokyo])
  })

  it('matches the last word as a prefix, and only the last', async () => {
    const jam = await create({ title: 'printer jammed' })
    await caughtUp()
    expect(await reader().find(model, 'printer ja')).toEqual([jam])
    expect(await reader().find(model, 'print jammed')).toEqual([])
  })

  it('requires all words, in any field and order', async () => {
    const both = await create({ title: 'printer', note: 'on the second floor' })
    await create({ title: 'printer' })
    await caughtUp()
    expect(await reader().find(model, 'floor printer')).toEqual([both])
  })

  it('ranks matches in the title first, then by number of occurrences, then newest first', async () => {
    const once = await create({ note: 'toner' })
    const often = await create({ note: 'toner, toner and toner' })
    const titled = await create({ title: 'toner' })
    const again = await create({ note: 'toner' })
    await caughtUp()
    expect(await reader().find(model, 'toner')).toEqual([titled, often, again, once])
  })

  it('leaves out fields that are not searchable', async () => {
    await create({ title: 'open', secret: 'hunter2' })
    await caughtUp()
    expect(await reader().find(model, 'hunter2')).toEqual([])
  })

  it('follows updates and deletes', async () => {
    const id = await create({ title: 'printer', note: 'slow' })
    await caughtUp()
    await api('PATCH', `/api/e/${model}/${id}`, { title: 'scanner' })
    await caughtUp()
    expect([await reader().find(model, 'printer'), await reader().find(model, 'scanner slow')]).toEqual([[], [id]])
    await api('DELETE', `/api/e/${model}/${id}`)
    await caughtUp()
    expect(await reader().find(model, 'scanner')).toEqual([])
  })

  it('has no answer for a single letter, but for a word and a letter', async () => {
    const id = await create({ title: 'printer xerox' })
    await create({ title: 'printer canon' })
    await caughtUp()
    expect(await reader().find(model, 'x')).toBeUndefined()
    expect(await reader().find(model, 'printer x')).toEqual([id])
  })

  it('shows a new record within two seconds, with the batching window of the template', async () => {
    const patient = await startService({ log: () => {}, maxBatchingWindowMs: undefined })
    try {
      await makeTable(patient, 'notes', fields)
      await patient.cloud.warm()
      const { body } = await patient.api('POST', '/api/e/notes', {
        token: patient.admin.token,
        body: { title: 'seen soon' },
      })
      const answeredAt = Date.now()
      while ((await searchReader(patient).find('notes', 'soon'))?.[0] !== body.data.id) {
        expect(Date.now() - answeredAt).toBeLessThan(2000)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    } finally {
      await patient.stop()
    }
  }, 60_000)

  it('serves the search of lists, best match first', async () => {
    const noted = await create({ title: 'b', note: 'printer jammed' })
    const titled = await create({ title: 'printer jam' })
    await create({ title: 'scanner jammed' })
    await caughtUp()
    const { body } = await api('GET', `/api/e/${model}?search=${encodeURIComponent('Printer JAM')}`)
    expect([body.data.map(({ id }: { id: number }) => id), body.meta.total]).toEqual([[titled, noted], 2])
  })

  it('finds records of the searched table only', async () => {
    await create({ title: 'private' })
    await makeTable(service, `${model}_other`, fields)
    await caughtUp()
    expect(await reader().find(`${model}_other`, 'private')).toEqual([])
  })
})

describe('value counters', () => {
  it('count the records of each value, and those without one, through creates, updates and deletes', async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        create({
          title: `n ${at}`,
          status: at % 3 === 0 ? 'closed' : 'open',
          urgent: at < 10,
          ...(at < 12 && { priority: 1 + (at % 5) }),
        }),
      ),
    )
    await caughtUp()
    expect(await reader().counts(model, 'status')).toEqual({ open: 20, closed: 10 })
    expect(await reader().counts(model, 'priority')).toEqual({ 1: 3, 2: 3, 3: 2, 4: 2, 5: 2, null: 18 })
    await Promise.all(
      ids.slice(0, 5).map((id) => api('PATCH', `/api/e/${model}/${id}`, { status: null, urgent: null })),
    )
    await Promise.all(ids.slice(5, 10).map((id) => api('DELETE', `/api/e/${model}/${id}`)))
    await caughtUp()
    expect(await reader().counts(model, 'urgent')).toEqual({ false: 20, null: 5 })
    expect(await reader().count(model, 'status', null)).toBe(5)
    expect(await reader().count(model, 'status', 'open')).toBe(14)
  })

  it('are not kept for fields with many values', async () => {
    expect(await reader().count(model, 'amount', 1)).toBeUndefined()
    expect(await reader().counts(model, 'title')).toBeUndefined()
  })
})

describe('a failure of the search indexer', () => {
  it('never aborts a write, and is corrected when the message is delivered again', async () => {
    const functionName = service.cloud.functions.find((name) => name.toLowerCase().includes('search')) as string
    const fault = service.cloud.faults.inject({
      functionName,
      operation: 'TransactWriteItems',
      action: 'crash-before',
      times: 2,
    })
    const { status, body } = await api('POST', `/api/e/${model}`, { title: 'stubborn', status: 'open' })
    expect(status).toBe(201)
    await caughtUp()
    expect(fault.struck).toBe(2)
    expect(await reader().find(model, 'stubborn')).toEqual([body.data.id])
    expect(await reader().counts(model, 'status')).toEqual({ open: 1 })
  })
})

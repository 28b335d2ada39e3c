import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let model: string
let made = 0
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const create = async (body: object) => (await api('POST', `/api/e/${model}`, body)).body.data.id as number
/** The ids of the first page, best match first. */
const find = async (text: string, of = model): Promise<number[]> => {
  const { body } = await api('GET', `/api/e/${of}?search=${encodeURIComponent(text)}`)
  return body.data.map(({ id }: { id: number }) => id)
}
const caughtUp = () => service.cloud.idle()

const fields = [
  { name: 'title', type: 'text' },
  { name: 'note', type: 'textarea' },
  { name: 'secret', type: 'text', searchable: false },
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
    expect(await find('cafe munchen')).toEqual([cafe])
    expect(await find('ПРИНТЕР')).toEqual([moscow])
    expect(await find('東')).toEqual([tokyo])
  })

  it('matches the last word as a prefix, and only the last', async () => {
    const jam = await create({ title: 'printer jammed' })
    await caughtUp()
    expect(await find('printer ja')).toEqual([jam])
    expect(await find('print jammed')).toEqual([])
  })

  it('requires all words, in any field and order', async () => {
    const both = await create({ title: 'printer', note: 'on the second floor' })
    await create({ title: 'printer' })
    await caughtUp()
    expect(await find('floor printer')).toEqual([both])
  })

  it('ranks matches in the title first, then by number of occurrences, then newest first', async () => {
    const once = await create({ note: 'toner' })
    const often = await create({ note: 'toner, toner and toner' })
    const titled = await create({ title: 'toner' })
    const again = await create({ note: 'toner' })
    await caughtUp()
    expect(await find('toner')).toEqual([titled, often, again, once])
  })

  it('leaves out fields that are not searchable', async () => {
    await create({ title: 'open', secret: 'hunter2' })
    await caughtUp()
    expect(await find('hunter2')).toEqual([])
  })

  it('follows updates and deletes', async () => {
    const id = await create({ title: 'printer', note: 'slow' })
    await caughtUp()
    await api('PATCH', `/api/e/${model}/${id}`, { title: 'scanner' })
    await caughtUp()
    expect([await find('printer'), await find('scanner slow')]).toEqual([[], [id]])
    await api('DELETE', `/api/e/${model}/${id}`)
    await caughtUp()
    expect(await find('scanner')).toEqual([])
  })

  it('finds words by their first letter', async () => {
    const id = await create({ title: 'printer xerox' })
    await create({ title: 'printer canon' })
    await caughtUp()
    expect(await find('x')).toEqual([id])
    expect(await find('printer x')).toEqual([id])
  })

  it('shows a record as soon as its create is answered', async () => {
    const patient = await startService({ log: () => {}, maxBatchingWindowMs: undefined })
    try {
      await makeTable(patient, 'notes', fields)
      const { token } = patient.admin
      // The functions that answer are started before.
      await patient.api('POST', '/api/e/notes', { token, body: { title: 'first' } })
      await patient.api('GET', '/api/e/notes?search=first', { token })
      const { body } = await patient.api('POST', '/api/e/notes', { token, body: { title: 'seen at once' } })
      const found = await patient.api('GET', '/api/e/notes?search=once', { token })
      expect(found.body.data.map(({ id }: { id: number }) => id)).toEqual([body.data.id])
    } finally {
      await patient.stop()
    }
  })

  it('tells how many records match', async () => {
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
    expect(await find('private', `${model}_other`)).toEqual([])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { searchReader } from '../../make/builders/search-reader.ts'
import { makeTable } from '../../make/builders/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let model: string
let made = 0
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const create = async (body: object) => (await api('POST', `/api/e/${model}`, body)).body.data.id as number
const document = async () => (await api('GET', `/api/sys/entities/name/${model}`)).body.data
const change = async (table_fields: readonly object[]) =>
  api('PUT', `/api/sys/entities/name/${model}`, { name: model, table_fields })

const title = { name: 'title', type: 'text' }
const code = { name: 'code', type: 'text' }
const size = { name: 'size', type: 'float' }

/** Waits for the end of a job. */
async function ended(id: number) {
  for (;;) {
    const { data } = (await api('GET', `/api/sys/jobs/${id}`)).body
    if (data.status === 'done' || data.status === 'failed') return data
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Changes the table and waits for the rebuild. */
async function rebuilt(fields: readonly object[]) {
  const { status, body } = await change(fields)
  expect([status, body.message]).toEqual([200, 'OK'])
  return ended(body.data.rebuilding.job_id)
}

/** Ids in a slot of the table, in its order; undefined when readers may not use it. */
async function idsInSlot(field: string): Promise<number[] | undefined> {
  const assigned = (await searchReader(service).table(model)).slots.find((slot) => slot.field === field)
  if (!assigned?.covers_missing) return undefined
  const { items } = await service.store.query(
    { id: 1 },
    { pk: `T#1#${model}#${field}`, index: `slot${String(assigned.slot).padStart(2, '0')}` },
  )
  return items.map(({ sk }) => Number(sk))
}

beforeAll(async () => {
  service = await startService({ log: () => {}, environment: { SETTLE_MS: '200' } })
})
afterAll(() => service?.stop())
beforeEach(async () => {
  model = `things_${++made}`
  await makeTable(service, model, [title, code, size])
})

/** Creates and changes records during `work`; answers the ids of the created ones. */
async function whileWriting(work: () => Promise<unknown>): Promise<number[]> {
  let going = true
  const ids: number[] = []
  const writer = (async () => {
    while (going) {
      const id = await create({ title: `late ${ids.length}`, size: ids.length })
      await api('PATCH', `/api/e/${model}/${id}`, { size: -ids.length })
      ids.push(id)
    }
  })()
  await work()
  going = false
  await writer
  return ids
}

describe('a change of a table that holds records', () => {
  it('indexes a field in the background while records are written, without new versions or history entries', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, (_, at) => create({ title: `t ${at}`, size: 40 - at })))
    const empty = await create({ title: 'without' })
    const late = await whileWriting(async () => {
      const job = await rebuilt([title, code, { ...size, indexed: true }])
      expect(job).toMatchObject({ kind: 'rebuild', status: 'done', errors: [] })
      expect(job.done).toBeGreaterThanOrEqual(41)
    })
    await service.cloud.idle()
    const expected = [...late.map((id, at) => [id, -at]), ...ids.map((id, at) => [id, 40 - at])].sort(
      ([a = 0, x = 0], [b = 0, y = 0]) => x - y || a - b,
    )
    expect(await idsInSlot('size')).toEqual([...expected.map(([id]) => id), empty])
    expect((await document()).rebuilding).toBeUndefined()
    expect((await api('GET', `/api/e/${model}/${empty}`)).body.data.version).toBe(1)
    expect((await api('GET', `/api/sys/history/${model}/${empty}`)).body.data).toHaveLength(1)
  })

  it('hides a slot from readers while it is built, and shows the progress', async () => {
    const slow = await startService({ log: () => {}, environment: { SETTLE_MS: '600000' } })
    try {
      const { token } = slow.admin
      await makeTable(slow, 'slow', [title, size])
      await slow.api('POST', '/api/e/slow', { token, body: { title: 'a', size: 1 } })
      const { body } = await slow.api('PUT', '/api/sys/entities/name/slow', {
        token,
        body: { name: 'slow', table_fields: [title, { ...size, indexed: true }] },
      })
      expect(body.data.rebuilding).toEqual({ job_id: expect.any(Number), done: 0, total: 1 })
      const table = await searchReader(slow).table('slow')
      expect(table.slots).toEqual([])
      expect(table.writtenSlots).toEqual([{ field: 'size', slot: 3, covers_missing: false, building: true }])
      const { data } = (await slow.api('GET', `/api/sys/jobs/${body.data.rebuilding.job_id}`, { token })).body
      expect(data).toMatchObject({ kind: 'rebuild', total: 1, done: 0, errors: [], result: null })
      // A document that is read during the rebuild can be sent back as it is.
      const read = (await slow.api('GET', '/api/sys/entities/name/slow', { token })).body.data
      const again = await slow.api('PUT', '/api/sys/entities/name/slow', {
        token,
        body: { ...read, label: 'Slow things' },
      })
      expect([again.status, again.body.data.rebuilding.job_id]).toEqual([200, body.data.rebuilding.job_id])
    } finally {
      await slow.stop()
    }
  }, 60_000)

  it('removes the index of a field', async () => {
    await create({ title: 'a', size: 1 })
    await rebuilt([title, code, { ...size, indexed: true }])
    await rebuilt([title, code, size])
    expect((await searchReader(service).table(model)).writtenSlots).toEqual([])
    const [item] = (await service.store.query({ id: 1 }, { pk: `T#1#R#${model}` })).items
    expect(item).not.toHaveProperty('p03')
  })

  it('makes a field unique when no two records share a value, and refuses new duplicates', async () => {
    const [first] = await Promise.all([create({ code: 'A' }), create({ code: 'B' }), create({})])
    expect(await rebuilt([title, { ...code, unique: true }, size])).toMatchObject({ status: 'done', errors: [] })
    expect((await api('POST', `/api/e/${model}`, { code: 'A' })).body.errors).toEqual({
      code: ['The code has already been taken.'],
    })
    await api('PATCH', `/api/e/${model}/${first}`, { code: 'C' })
    expect((await api('POST', `/api/e/${model}`, { code: 'A' })).status).toBe(201)
    await api('DELETE', `/api/e/${model}/${first}`)
    expect((await api('POST', `/api/e/${model}`, { code: 'C' })).status).toBe(201)
  })

  it('lists the duplicates that keep a field from being unique, and leaves the field unchanged', async () => {
    const ids: number[] = []
    for (const value of ['A', 'B', 'A', null, null, 'B', 'A']) ids.push(await create({ code: value }))
    const job = await rebuilt([title, { ...code, unique: true }, { ...size, indexed: true }])
    expect(job).toMatchObject({ status: 'failed', result: { not_unique: ['code'] } })
    expect(
      job.errors.map(({ value, ids: [holder, id] }: { value: string; ids: [number, number] }) => [
        value,
        id !== holder,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['A', true],
        ['B', true],
        ['A', true],
      ]),
    )
    expect(job.errors).toHaveLength(3)
    const { table_fields, rebuilding } = await document()
    expect([table_fields[1], rebuilding]).toEqual([code, undefined])
    // The other changes of the same request are kept.
    expect(await idsInSlot('size')).toHaveLength(7)
    expect((await api('POST', `/api/e/${model}`, { code: 'A' })).status).toBe(201)
  })

  it('ignores old unique guards when a field becomes unique again', async () => {
    const id = await create({ code: 'A' })
    await rebuilt([title, { ...code, unique: true }, size])
    await change([title, code, size])
    await api('PATCH', `/api/e/${model}/${id}`, { code: 'B' })
    await rebuilt([title, { ...code, unique: true }, size])
    expect((await api('POST', `/api/e/${model}`, { code: 'A' })).status).toBe(201)
    expect((await api('POST', `/api/e/${model}`, { code: 'B' })).status).toBe(422)
  })

  it('makes the words of a field searchable, and no longer searchable when that is turned off', async () => {
    await change([title, { ...code, searchable: false }, size])
    const id = await create({ title: 'printer', code: 'xerox' })
    await service.cloud.idle()
    expect(await searchReader(service).find(model, 'xerox')).toEqual([])
    await rebuilt([title, code, size])
    expect(await searchReader(service).find(model, 'xerox')).toEqual([id])
    await rebuilt([title, { ...code, searchable: false }, size])
    expect(await searchReader(service).find(model, 'xerox')).toEqual([])
  })

  it('counts the values of a new field, and older records as records without a value', async () => {
    await Promise.all([create({ title: 'a' }), create({ title: 'b' })])
    await service.cloud.idle()
    const flag = { name: 'flag', type: 'boolean' }
    await rebuilt([title, code, size, flag])
    await create({ title: 'c', flag: true })
    await service.cloud.idle()
    expect(await searchReader(service).counts(model, 'flag')).toEqual({ true: 1, null: 2 })
    expect(await idsInSlot('flag')).toHaveLength(3)
  })

  it('replaces an earlier one whose rebuild is still running', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, at) => create({ title: `t ${at}`, size: at })))
    const first = (await change([title, code, { ...size, indexed: true }])).body.data.rebuilding.job_id
    const second = (await change([title, { ...code, indexed: true }, { ...size, indexed: true }])).body.data.rebuilding
      ?.job_id
    expect((await ended(second ?? first)).status).toBe('done')
    await ended(first)
    expect(await idsInSlot('size')).toHaveLength(10)
    expect(await idsInSlot('code')).toHaveLength(10)
    expect((await document()).rebuilding).toBeUndefined()
  })

  it('is finished by the next runner when a runner dies half-way', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, at) => create({ title: `t ${at}`, size: at })))
    const functionName = service.cloud.functions.find((name) => name.toLowerCase().includes('jobrunner')) as string
    const fault = service.cloud.faults.inject({
      functionName,
      operation: 'TransactWriteItems',
      skip: 12,
      action: 'crash-before',
    })
    expect(await rebuilt([title, code, { ...size, indexed: true }])).toMatchObject({ status: 'done' })
    expect(fault.struck).toBe(1)
    expect(await idsInSlot('size')).toHaveLength(30)
  })
})

describe('a job', () => {
  it('is visible to the user who started it and to administrators only', async () => {
    await create({ title: 'a' })
    const { body } = await change([title, code, { ...size, indexed: true }])
    const path = `/api/sys/jobs/${body.data.rebuilding.job_id}`
    const { token } = await userWith(service, ['*'])
    expect((await service.api('GET', path, { token })).status).toBe(404)
    expect((await service.api('GET', path)).status).toBe(401)
    expect((await api('GET', '/api/sys/jobs/999999')).status).toBe(404)
    expect((await api('GET', path)).status).toBe(200)
  })
})

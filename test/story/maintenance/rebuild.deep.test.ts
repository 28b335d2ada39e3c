import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { searchReader } from '../../make/builders/lists/search-reader.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
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
  it('is applied in the background while records are written, without new versions or history entries', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, (_, at) => create({ title: `t ${at}`, code: `c${at}` })))
    const empty = await create({ title: 'without' })
    const late = await whileWriting(async () => {
      const job = await rebuilt([title, { ...code, unique: true }, size])
      expect(job).toMatchObject({ kind: 'rebuild', status: 'done', errors: [] })
      expect(job.done).toBeGreaterThanOrEqual(41)
    })
    await service.cloud.idle()
    expect(late.length).toBeGreaterThan(0)
    expect((await api('POST', `/api/e/${model}`, { code: 'c7' })).status).toBe(422)
    expect((await document()).rebuilding).toBeUndefined()
    for (const id of [empty, ids[0] as number]) {
      expect((await api('GET', `/api/e/${model}/${id}`)).body.data.version).toBe(1)
      expect((await api('GET', `/api/sys/history/${model}/${id}`)).body.data).toHaveLength(1)
    }
  })

  it('shows the progress of its rebuild', async () => {
    const slow = await startService({ log: () => {}, environment: { SETTLE_MS: '600000' } })
    try {
      const { token } = slow.admin
      await makeTable(slow, 'slow', [title, code])
      await slow.api('POST', '/api/e/slow', { token, body: { title: 'a', code: '1' } })
      const { body } = await slow.api('PUT', '/api/sys/entities/name/slow', {
        token,
        body: { name: 'slow', table_fields: [title, { ...code, unique: true }] },
      })
      expect(body.data.rebuilding).toEqual({ job_id: expect.any(Number), done: 0, total: 1 })
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
  })

  it('of an index rebuilds nothing', async () => {
    await create({ title: 'a', size: 1 })
    const { status, body } = await change([title, code, { ...size, indexed: true }])
    expect([status, body.data.rebuilding, body.data.table_fields[2]]).toEqual([
      200,
      undefined,
      { ...size, indexed: true },
    ])
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

  it('makes upper and lower case the same in a unique field, when no two records differ only in it', async () => {
    const folded = [title, { ...code, unique: true, case_insensitive: true }, size]
    await change([title, { ...code, unique: true }, size])
    await create({ code: 'Red' })
    await create({ code: 'Blue' })
    expect(await rebuilt(folded)).toMatchObject({ status: 'done', errors: [] })
    expect((await api('POST', `/api/e/${model}`, { code: 'RED' })).body.errors).toEqual({
      code: ['The code has already been taken.'],
    })
  })

  it('lists records that differ only in case, and leaves the field without uniqueness', async () => {
    const [first, second] = [await create({ code: 'Red' }), await create({ code: 'RED' })]
    const job = await rebuilt([title, { ...code, unique: true, case_insensitive: true }, size])
    expect(job).toMatchObject({ status: 'failed', errors: [{ field: 'code', ids: [first, second] }] })
    const { body } = await api('GET', `/api/sys/entities/name/${model}`)
    expect(body.data.table_fields[1]).toEqual(code)
  })

  it('lists the duplicates that keep a field from being unique, and leaves the field unchanged', async () => {
    const ids: number[] = []
    for (const value of ['A', 'B', 'A', null, null, 'B', 'A']) ids.push(await create({ code: value }))
    const job = await rebuilt([{ ...title, searchable: false }, { ...code, unique: true }, size])
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
    // The other changes of the same request are kept.
    expect([table_fields, rebuilding]).toEqual([[{ ...title, searchable: false }, code, size], undefined])
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

  it('replaces an earlier one whose rebuild is still running, and takes over its work', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, at) => create({ title: `t${at}`, code: `c${at}`, size: at })))
    await service.cloud.idle()
    const first = (await change([title, { ...code, searchable: false }, size])).body.data.rebuilding.job_id
    const both = [title, { ...code, searchable: false }, { ...size, unique: true }]
    const second = (await change(both)).body.data.rebuilding.job_id
    expect((await ended(second)).status).toBe('done')
    await ended(first)
    expect((await api('POST', `/api/e/${model}`, { size: 3 })).status).toBe(422)
    expect(await searchReader(service).find(model, 'c3')).toEqual([])
    expect((await document()).rebuilding).toBeUndefined()
  })

  it('is finished by the next runner when a runner dies half-way', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, at) => create({ title: `t ${at}`, code: `c${at}` })))
    const functionName = service.cloud.functions.find((name) => name.toLowerCase().includes('jobrunner')) as string
    const fault = service.cloud.faults.inject({
      functionName,
      operation: 'TransactWriteItems',
      skip: 12,
      action: 'crash-before',
    })
    expect(await rebuilt([title, { ...code, unique: true }, size])).toMatchObject({ status: 'done' })
    expect(fault.struck).toBe(1)
    for (const taken of ['c0', 'c12', 'c29'])
      expect((await api('POST', `/api/e/${model}`, { code: taken })).status).toBe(422)
  })
})

describe('a job', () => {
  it('is visible to the user who started it and to administrators only', async () => {
    await create({ title: 'a' })
    const { body } = await change([title, { ...code, unique: true }, size])
    const path = `/api/sys/jobs/${body.data.rebuilding.job_id}`
    const { token } = await userWith(service, ['*'])
    expect((await service.api('GET', path, { token })).status).toBe(404)
    expect((await service.api('GET', path)).status).toBe(401)
    expect((await api('GET', '/api/sys/jobs/999999')).status).toBe(404)
    expect((await api('GET', path)).status).toBe(200)
  })
})

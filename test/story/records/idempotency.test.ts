import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, inARow, makeProcess, start } from '../../make/builders/processes/processes.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { functionNamed } from '../../make/services/function-named.ts'
import { type ApiAnswer, type TestService, sharedService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
})
afterEach(() => service.cloud.faults.clear())
afterAll(() => service?.stop())

const create = (
  body: object,
  key: string,
  { model = 'clients', token = service.admin.token } = {},
): Promise<ApiAnswer> => service.api('POST', `/api/e/${model}`, { token, body, headers: { 'idempotency-key': key } })
const totalOf = async (model: string): Promise<number> =>
  (await service.api('GET', `/api/e/${model}`, { token: service.admin.token })).body.meta.total

describe('a create with an Idempotency-Key', () => {
  it('answers a repeat with the first record and creates no second', async () => {
    const first = await create({ name: 'Ann' }, 'one')
    const before = await totalOf('clients')
    await service.api('PATCH', `/api/e/clients/${first.body.data.id}`, {
      token: service.admin.token,
      body: { name: 'Annabel' },
    })
    const second = await create({ name: 'Ann' }, 'one')
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('etag')).toBe('"1"')
    expect(await totalOf('clients')).toBe(before)
  })

  it('creates one record when it is sent ten times at once', async () => {
    const before = await totalOf('requests')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ title: 'x', code: 'ONCE' }, 'ten', { model: 'requests' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await totalOf('requests')).toBe(before + 1)
  })

  describe('of a table without unique fields', () => {
    const operation = 'TransactWriteItems'
    const ofRequests = ({ functionName }: { readonly functionName: string }) => functionName.startsWith('Records')
    const named = async (name: string): Promise<unknown[]> =>
      (await service.api('GET', `/api/e/clients?filter={"name":"${name}"}`, { token: service.admin.token })).body.data

    it('creates one record when five requests have all found the key unused before one of them writes', async () => {
      const before = await totalOf('clients')
      const all = Promise.withResolvers<void>()
      let arrived = 0
      const held = service.cloud.faults.inject({
        operation,
        times: 5,
        when: (call) => {
          if (!ofRequests(call)) return false
          arrived += 1
          if (arrived === 5) all.resolve()
          return true
        },
        action: { delay: all.promise },
      })
      const send = () => create({ name: 'Five' }, 'five-at-once')
      const answers = await Promise.all(Array.from({ length: 5 }, send))
      expect(held.struck).toBe(5)
      answers.push(await send())
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201))
      expect(answers.map(({ body }) => body)).toEqual(Array(6).fill(answers[0]?.body))
      expect(await named('Five')).toHaveLength(1)
      expect(await totalOf('clients')).toBe(before + 1)
    })

    /** The answers of a request, and of another one that overtakes it after it has found the key unused. */
    async function overtaken(key: string, name: string): Promise<readonly [slower: ApiAnswer, faster: ApiAnswer]> {
      const faster = Promise.withResolvers<ApiAnswer>()
      service.cloud.faults.inject({
        operation,
        when: ofRequests,
        action: {
          delay: async () => {
            faster.resolve(await create({ name }, key))
          },
        },
      })
      const slower = await create({ name: 'Slow' }, key)
      return [slower, await faster.promise]
    }

    it('answers the record of an equal request that was faster', async () => {
      const before = await totalOf('clients')
      const [slower, faster] = await overtaken('overtaken', 'Slow')
      expect([slower.status, faster.status]).toEqual([201, 201])
      expect(slower.body).toEqual(faster.body)
      expect(await named('Slow')).toHaveLength(1)
      expect(await totalOf('clients')).toBe(before + 1)
    })

    it('is refused when a request with another body was faster', async () => {
      const before = await totalOf('clients')
      const [slower, faster] = await overtaken('overtaken-by-another', 'Fast')
      expect([slower.status, faster.status]).toEqual([422, 201])
      expect(slower.body.code).toBe('idempotency_key_reused')
      expect(await named('Fast')).toHaveLength(1)
      expect(await totalOf('clients')).toBe(before + 1)
    })
  })

  it('is refused with another body', async () => {
    await create({ name: 'Ann' }, 'two')
    const { status, body } = await create({ name: 'Bob' }, 'two')
    expect(status).toBe(422)
    expect(body.errors).toEqual({ 'Idempotency-Key': ['The Idempotency-Key was used for another request before.'] })
  })

  it('is scoped to the user and the table', async () => {
    const first = await create({ name: 'Ann' }, 'three')
    const someone = await userWith(service, ['clients.create', 'clients.read'])
    const second = await create({ name: 'Bob' }, 'three', someone)
    expect(second.status).toBe(201)
    expect(second.body.data.id).not.toBe(first.body.data.id)
    expect((await create({ title: 'x' }, 'three', { model: 'requests' })).status).toBe(201)
  })

  it('leaves the key unused when it is refused', async () => {
    expect((await create({}, 'four')).status).toBe(422)
    expect((await create({ name: 'Ann' }, 'four')).status).toBe(201)
  })

  it('is answered by the repeat when its answer was lost', async () => {
    const before = await totalOf('clients')
    service.cloud.faults.inject({
      functionName: functionNamed(service, 'Records'),
      operation: 'TransactWriteItems',
      action: 'crash-after',
    })
    expect((await create({ name: 'Ann' }, 'five')).status).toBe(500)
    const again = await create({ name: 'Ann' }, 'five')
    expect(again.status).toBe(201)
    expect(await totalOf('clients')).toBe(before + 1)
  })

  it('of 300 KB is answered again, too', async () => {
    const note = Array.from({ length: 30_000 }, (_, n) => `${n * 7919}`).join(' ')
    const first = await create({ title: 'x', note }, 'long', { model: 'requests' })
    expect(first.status).toBe(201)
    expect((await create({ title: 'x', note }, 'long', { model: 'requests' })).body).toEqual(first.body)
  })

  it.each(['', 'with space', 'x'.repeat(129), 'ümlaut'])('is refused with the key %j', async (key) => {
    const { status, body } = await create({ name: 'x' }, key)
    expect(status).toBe(422)
    expect(body.errors).toHaveProperty('Idempotency-Key')
  })

  it('costs one more round trip', async () => {
    const { token } = service.admin
    service.cloud.recordCalls()
    const answer = await service.api('POST', '/api/e/clients', {
      token,
      body: { name: 'x' },
      headers: { 'idempotency-key': 'cost' },
    })
    expect(service.cloud.callsOf(answer.headers.get('apigw-requestid') as string).roundTrips).toBe(4)
    service.cloud.recordCalls(false)
  })
})

describe('a start of a process with an Idempotency-Key', () => {
  const path = '/api/sys/process-instances'
  const begin = (record_id: number, key: string): Promise<ApiAnswer> =>
    service.api('POST', path, {
      token: service.admin.token,
      body: { template_code: 'once', record_id },
      headers: { 'idempotency-key': key },
    })
  const startedFor = async (id: number): Promise<number> =>
    (await service.api('GET', `${path}?model=clients&record_id=${id}`, { token: service.admin.token })).body.meta.total
  const newClient = async (): Promise<number> => (await create({ name: 'Ann' }, crypto.randomUUID())).body.data.id

  beforeAll(() => makeProcess(service, 'clients', 'once', bpmn(inARow(start, '<userTask id="look"/>', end))))

  it('answers a repeat with the same instance and starts no second', async () => {
    const id = await newClient()
    const first = await begin(id, 'start')
    expect(first.status).toBe(201)
    expect(await begin(id, 'start')).toMatchObject({ status: 201, body: first.body })
    expect(await startedFor(id)).toBe(1)
  })

  it('starts one instance when it is sent five times at once', async () => {
    const id = await newClient()
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin(id, 'five-starts')))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await startedFor(id)).toBe(1)
  })

  it('is answered by the repeat with the started instance when its answer was lost', async () => {
    const id = await newClient()
    service.cloud.faults.inject({
      functionName: functionNamed(service, 'Processes'),
      operation: 'TransactWriteItems',
      action: 'crash-after',
    })
    expect((await begin(id, 'lost-start')).status).toBe(500)
    const { body } = await begin(id, 'lost-start')
    expect(body.data).toMatchObject({ record_id: id, status: 'running' })
    expect(body.data.history.map(({ element_id }: { element_id: string }) => element_id)).toEqual(['start', 'look'])
    expect(await startedFor(id)).toBe(1)
  })

  it('is refused for another record', async () => {
    const [id, other] = [await newClient(), await newClient()]
    expect((await begin(id, 'one-record')).status).toBe(201)
    expect((await begin(other, 'one-record')).body.errors).toEqual({
      'Idempotency-Key': ['The Idempotency-Key was used for another request before.'],
    })
    expect(await startedFor(other)).toBe(0)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleRecord, sampleTable } from '../../../infra/operate/cost/sample-table.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

const records = `/api/e/${sampleTable.name}`
const filter = encodeURIComponent(JSON.stringify({ source: 'mail', priority: { _gte: 2 } }))

let service: TestService
beforeAll(async () => {
  service = await sharedService()
  await service.api('POST', '/api/sys/entities', { token: service.admin.token, body: sampleTable })
  for (let n = 0; n < 60; n += 1) await send('POST', records, sampleRecord(n))
  // From now on the instance has cached the token and the table.
  await send('GET', `${records}/1`)
  await service.cloud.idle()
  // And the columns of the filter.
  await send('GET', `${records}?filter=${filter}`)
})
afterAll(() => service?.stop())

/** Sends a request and returns its id. */
async function send(method: string, path: string, body?: unknown): Promise<string> {
  const answer = await service.api(method, path, { token: service.admin.token, body })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.headers.get('apigw-requestid') as string
}

describe('the request units of DynamoDB, for a table with twelve filterable fields,', () => {
  it.each<[string, number, number, string, string, unknown?]>([
    ['a create', 5, 4, 'POST', records, sampleRecord(100)],
    ['a patch of one field', 4, 4, 'PATCH', `${records}/7`, { priority: 4 }],
    ['a get', 0, 4, 'GET', `${records}/7`],
    ['a list page of 25', 0, 15, 'GET', `${records}?per_page=25`],
    ['a filtered page', 0, 25, 'GET', `${records}?filter=${filter}&per_page=25`],
    ['a delete', 16, 8, 'DELETE', `${records}/9`],
  ])('are at most, for %s: %d writes, %d reads', async (_, writes, reads, method, path, body) => {
    service.cloud.recordCalls()
    const { readUnits, writeUnits, calls } = service.cloud.callsOf(await send(method, path, body))
    service.cloud.recordCalls(false)
    await service.cloud.idle()
    const charges = calls.flatMap(({ operation, charges: of }) =>
      of.map(({ kind, index = 'table', units }) => `${operation} ${index}: ${units} ${kind}`),
    )
    expect(writeUnits, charges.join('\n')).toBeLessThanOrEqual(writes)
    expect(readUnits, charges.join('\n')).toBeLessThanOrEqual(reads)
    expect(writeUnits > 0).toBe(method !== 'GET')
  })
})

describe('a table without rules', () => {
  it('pays nothing for the rules of others: its writes take the calls that the stores of a record need', async () => {
    const plain = {
      name: 'plain',
      table_fields: [
        { name: 'title', type: 'text' },
        { name: 'amount', type: 'integer' },
      ],
    }
    const ruled = {
      name: 'ruled',
      table_fields: [
        { name: 'title', type: 'text', min_length: 2, pattern: { regex: '^[a-z ]+$', message: 'Letters.' } },
        { name: 'amount', type: 'integer', max: 1000, required_if: { title: 'many' } },
        { name: 'number', type: 'auto_number', prefix: 'N-' },
        { name: 'twice', type: 'computed', formula: 'amount * 2', result: 'decimal' },
        { name: 'note', type: 'text', readonly_if: { amount: { _gt: 5 } }, visible_if: { amount: { _gt: 1 } } },
      ],
    }
    for (const body of [plain, ruled])
      await service.api('POST', '/api/sys/entities', { token: service.admin.token, body })
    const costs = async (name: string) => {
      const costOf = async (method: string, path: string, body?: unknown) => {
        service.cloud.recordCalls()
        const { readUnits, writeUnits, calls } = service.cloud.callsOf(await send(method, path, body))
        service.cloud.recordCalls(false)
        await service.cloud.idle()
        return { readUnits, writeUnits, calls: calls.map(({ operation }) => operation) }
      }
      for (const title of ['first', 'second']) await send('POST', `/api/e/${name}`, { title, amount: 1 })
      await send('DELETE', `/api/e/${name}/2`)
      await service.cloud.idle()
      return [
        await costOf('POST', `/api/e/${name}`, { title: 'one', amount: 2 }),
        await costOf('PATCH', `/api/e/${name}/1`, { amount: 3 }),
        await costOf('GET', `/api/e/${name}/1`),
        await costOf('DELETE', `/api/e/${name}/1`),
      ]
    }
    const [without, withRules] = [await costs('plain'), await costs('ruled')]
    // Of a create, a change, a read and a delete: what is read with the caller, the record, and the transactions.
    for (const each of [without, withRules])
      for (const [index, most] of [3, 2, 2, 3].entries())
        expect(each[index]?.calls.length, each[index]?.calls.join(', ')).toBeLessThanOrEqual(most)
    expect(withRules.map(({ writeUnits }) => writeUnits)).toEqual(without.map(({ writeUnits }) => writeUnits))
    expect(without.map(({ writeUnits }) => writeUnits)).toEqual([3, 3, 0, 16])
  })
})

describe('a meter that runs until the cloud is idle', () => {
  it('counts a create and the consumers of its change, told apart by function', async () => {
    service.cloud.meter.start()
    service.cloud.recordCalls()
    const { readUnits, writeUnits } = service.cloud.callsOf(await send('POST', records, sampleRecord(101)))
    await service.cloud.idle()
    service.cloud.recordCalls(false)
    const { functions, total } = service.cloud.meter.stop()
    const named = (start: string) => Object.entries(functions).find(([name]) => name.startsWith(start))?.[1]

    expect(named('RecordsFunction')).toMatchObject({
      invocations: 1,
      readUnits,
      writeUnits,
      http: { requests: 1, receivedBytes: expect.toSatisfy((bytes: number) => bytes > 500) },
    })
    expect(named('AuditFunction')).toMatchObject({
      invocations: 1,
      operations: { 'dynamodbstreams.GetRecords': { requests: 1 } },
    })
    expect(named('AuditFunction')?.writeUnits).toBeGreaterThan(0)
    expect(named('FanOutFunction')?.operations['sqs.SendMessageBatch']?.requests).toBeGreaterThan(0)

    const all = Object.values(functions)
    expect(total.invocations).toBe(all.reduce((sum, usage) => sum + usage.invocations, 0))
    expect(total.writeUnits).toBe(all.reduce((sum, usage) => sum + usage.writeUnits, 0))
    expect(total.writeUnits).toBe(Object.values(total.units).reduce((sum, units) => sum + units.writeUnits, 0))
    expect(total.gbSeconds).toBeGreaterThan(0)
  })

  it('counts nothing once it is stopped', async () => {
    service.cloud.meter.start()
    service.cloud.meter.stop()
    await send('GET', `${records}/1`)
    expect(service.cloud.meter.stop().functions).toEqual({})
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeRecords } from '../../make/builders/records/records.ts'
import { relationRequests } from '../../make/builders/records/relations.ts'
import { runs } from '../../make/depth.ts'
import { linkRows, linkRowsOf, orphanedLinkRows } from '../../make/oracles/link-rows.ts'
import { functionNamed } from '../../make/services/function-named.ts'
import { type ApiCall, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let uses: number
let parts: number
const api: ApiCall = (method, path, body, token = service.admin.token) => service.api(method, path, { token, body })
const { create, add, unlink, related, makeDevices } = relationRequests(api)

beforeAll(async () => {
  service = await sharedService()
  ;({ uses, parts } = await makeDevices(service))
})
afterAll(() => service?.stop())

describe('linking', () => {
  it('shows records on both sides, newest first, and adds nothing when repeated', async () => {
    const [ticket, other] = [await create('tickets', 'A'), await create('tickets', 'B')]
    const [d1, d2, d3] = [await create('devices', '1'), await create('devices', '2'), await create('devices', '3')] as [
      number,
      number,
      number,
    ]
    const first = await add(uses, 'l_table', ticket, [d1, d2, d1])
    expect([first.status, first.body.data]).toEqual([200, { added: [d1, d2], existing: [] }])
    expect((await add(uses, 'l_table', ticket, [d3, d2])).body.data).toEqual({ added: [d3], existing: [d2] })
    expect((await add(uses, 'r_table', d1, [other, ticket])).body.data).toEqual({ added: [other], existing: [ticket] })
    expect(await related(uses, 'tickets', ticket)).toEqual([d3, d2, d1])
    expect(await related(uses, 'devices', d1)).toEqual([other, ticket])
    expect((await add(uses, 'l_table', ticket, [])).body.data).toEqual({ added: [], existing: [] })
  })

  it('makes the lists answer whole records', async () => {
    const [ticket, device] = [await create('tickets', 'A'), await create('devices', 'Printer')]
    await add(uses, 'l_table', ticket, [device])
    const { body } = await api('GET', `/api/sys/related_instances/${uses}/tickets/${ticket}`)
    expect(body.data).toEqual([(await api('GET', `/api/e/devices/${device}`)).body.data])
    expect(body.meta).toMatchObject({ current_page: 1, total: 1, next_cursor: null })
  })

  it('is refused as a whole when an id does not exist, and names the id', async () => {
    const [ticket, device] = [await create('tickets', 'A'), await create('devices', 'D')]
    const gone = await create('devices', 'gone')
    await api('DELETE', `/api/e/devices/${gone}`)
    const { status, body } = await add(uses, 'l_table', ticket, [device, 99_999, gone])
    expect([status, body.errors]).toEqual([
      422,
      { 'ids.1': ['The selected ids.1 is invalid.'], 'ids.2': ['The selected ids.2 is invalid.'] },
    ])
    expect(await related(uses, 'tickets', ticket)).toEqual([])
    expect((await add(uses, 'l_table', ticket, ['1'])).status).toBe(422)
    expect(
      (
        await add(
          uses,
          'l_table',
          ticket,
          Array.from({ length: 1001 }, (_, index) => index + 1),
        )
      ).body.errors,
    ).toEqual({
      ids: ['The ids may not have more than 1000 items.'],
    })
  })

  it.each([
    ['relation', () => add(9999, 'l_table', 1, [])],
    ['record', () => add(uses, 'l_table', 99_999, [])],
    ['position', () => add(uses, 'm_table', 1, [])],
    ['record to unlink from', () => unlink(uses, 'l_table', 99_999)],
    ['record to list', () => api('GET', `/api/sys/related_instances/${uses}/tickets/99999`)],
    ['table in this relation', () => api('GET', `/api/sys/related_instances/${uses}/people/1`)],
  ])('answers 404 for an unknown %s', async (_, call) => expect((await call()).status).toBe(404))

  it('more records than a transaction holds takes one call, and their list is paged like every list', async () => {
    const ticket = await create('tickets', 'many')
    const ids = await storeRecords(service, 'devices', 120)
    expect((await add(uses, 'l_table', ticket, [...ids, 99_999])).status).toBe(422)
    expect(await related(uses, 'tickets', ticket)).toEqual([])
    expect((await add(uses, 'l_table', ticket, ids)).body.data.added).toEqual(ids)
    const newestFirst = ids.toReversed()
    const page = async (query: string) =>
      (await api('GET', `/api/sys/related_instances/${uses}/tickets/${ticket}?${query}`)).body
    const second = await page('page=2&per_page=50')
    expect(second.data.map(({ id }: { id: number }) => id)).toEqual(newestFirst.slice(50, 100))
    expect(second.meta).toMatchObject({ current_page: 2, from: 51, to: 100, total: 120, last_page: 3 })
    expect((await page('page=9&per_page=50')).data).toEqual([])
    const byCursor: number[] = []
    for (let cursor = ''; ;) {
      const { data, meta } = await page(`per_page=50&cursor=${cursor}`)
      byCursor.push(...data.map(({ id }: { id: number }) => id))
      if (!meta.next_cursor) break
      cursor = meta.next_cursor
    }
    expect(byCursor).toEqual(newestFirst)
    expect((await api('GET', `/api/sys/related_instances/${uses}/tickets/${ticket}?cursor=x`)).status).toBe(422)
  })

  it('creates neither a version nor a history entry', async () => {
    const [ticket, device] = [await create('tickets', 'A'), await create('devices', 'D')]
    await add(uses, 'l_table', ticket, [device])
    expect((await api('GET', `/api/e/tickets/${ticket}`)).body.data.version).toBe(1)
    expect((await api('GET', `/api/sys/history/tickets/${ticket}`)).body.data).toHaveLength(1)
  })
})

describe('a relation of a table with itself', () => {
  it('has two directions, which position selects', async () => {
    const [whole, part] = [await create('devices', 'whole'), await create('devices', 'part')]
    await add(parts, 'l_table', whole, [part])
    expect(await related(parts, 'devices', whole)).toEqual([part])
    expect(await related(parts, 'devices', whole, '?position=r_table')).toEqual([])
    expect(await related(parts, 'devices', part, '?position=r_table')).toEqual([whole])
    expect((await api('GET', `/api/sys/related_instances/${parts}/devices/${part}?position=up`)).status).toBe(422)
  })

  it('can link a record with itself, once', async () => {
    const one = await create('devices', 'one')
    expect((await add(parts, 'l_table', one, [one])).body.data).toEqual({ added: [one], existing: [] })
    expect((await add(parts, 'r_table', one, [one])).body.data).toEqual({ added: [], existing: [one] })
    await api('DELETE', `/api/e/devices/${one}`)
    expect((await linkRows(service, parts)).filter(({ l }) => l === one)).toEqual([])
  })
})

describe('unlinking', () => {
  const three = async () => {
    const device = await create('devices', 'D')
    const tickets = [await create('tickets', '1'), await create('tickets', '2'), await create('tickets', '3')] as [
      number,
      number,
      number,
    ]
    await add(uses, 'r_table', device, tickets)
    return { device, tickets }
  }

  it('removes the links to the named records, and answers how many it removed', async () => {
    const { device, tickets } = await three()
    const { status, body } = await unlink(uses, 'l_table', device, {
      ids: [tickets[0], tickets[2], 99_999, tickets[0]],
    })
    expect([status, body.data]).toEqual([200, { removed: 2 }])
    expect(await related(uses, 'devices', device)).toEqual([tickets[1]])
    expect(await related(uses, 'tickets', tickets[0])).toEqual([])
    expect((await unlink(uses, 'l_table', device, { ids: [tickets[0]] })).body.data).toEqual({ removed: 0 })
    expect((await unlink(uses, 'l_table', device, { ids: [] })).body.data).toEqual({ removed: 0 })
  })

  it('removes every link of the record without a body, but none with a misspelt body', async () => {
    const { device } = await three()
    expect((await unlink(uses, 'l_table', device, { id: [1] })).status).toBe(422)
    expect((await unlink(uses, 'l_table', device)).body.data).toEqual({ removed: 3 })
    expect(await related(uses, 'devices', device)).toEqual([])
  })

  it('counts each link once when several requests remove it at once', async () => {
    const { device } = await three()
    const answers = await Promise.all(Array.from({ length: 4 }, () => unlink(uses, 'l_table', device)))
    expect(answers.reduce((sum, { body }) => sum + body.data.removed, 0)).toBe(3)
  })
})

describe('deleting a record', () => {
  it('removes its links of every relation, on both sides', async () => {
    const [ticket, device, other] = [
      await create('tickets', 'T'),
      await create('devices', 'D'),
      await create('devices', 'E'),
    ] as [number, number, number]
    await add(uses, 'l_table', ticket, [device, other])
    await add(parts, 'l_table', device, [other])
    await add(parts, 'r_table', device, [other])
    expect((await api('DELETE', `/api/e/devices/${device}`)).status).toBe(204)
    expect(await related(uses, 'tickets', ticket)).toEqual([other])
    expect(await linkRowsOf(service, [uses, parts], device)).toEqual([])
    expect(await orphanedLinkRows(service, [uses, parts])).toEqual([])
  })

  it('hides its links at once, before they are removed', async () => {
    const ticket = await create('tickets', 'T')
    const [device, other] = [await create('devices', 'D'), await create('devices', 'E')]
    await add(uses, 'l_table', ticket, [device, other])
    const functionName = functionNamed(service, 'Records')
    service.cloud.faults.inject({ functionName, operation: 'TransactWriteItems', action: 'crash-after' })
    expect((await api('DELETE', `/api/e/devices/${device}`)).status).toBe(500)
    expect(await related(uses, 'tickets', ticket)).toEqual([other])
    expect((await add(uses, 'l_table', ticket, [device])).status).toBe(422)
    expect((await api('GET', `/api/sys/related_instances/${uses}/devices/${device}`)).status).toBe(404)
  })

  it('with thousands of links continues in the background and leaves none', async () => {
    const many = runs(5000, 2000)
    const device = await create('devices', 'popular')
    const tickets = await storeRecords(service, 'tickets', many)
    for (let start = 0; start < many; start += 1000) {
      expect((await add(uses, 'r_table', device, tickets.slice(start, start + 1000))).status).toBe(200)
    }
    expect((await api('GET', `/api/sys/related_instances/${uses}/devices/${device}?per_page=1`)).body.meta.total).toBe(
      many,
    )
    expect((await api('DELETE', `/api/e/devices/${device}`)).status).toBe(204)
    expect(await related(uses, 'tickets', tickets[0] as number)).toEqual([])
    await service.cloud.idle()
    expect(await linkRowsOf(service, [uses], device)).toEqual([])
    expect(
      (
        await service.store.query(service.tenant, {
          pk: `T#${service.tenant.id}#R#devices`,
          from: String(device).padStart(12, '0'),
          limit: 1,
        })
      ).items,
    ).toEqual([])
  })
})

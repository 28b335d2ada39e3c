import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { historyCursors } from '../../../shared/records/history/read-history.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const historyOf = (id: number, query = '') => api('GET', `/api/sys/history/requests/${id}${query}`)
const create = async (body: object) => (await api('POST', '/api/e/requests', body)).body.data

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
})
afterAll(() => service?.stop())

describe('the history of a record', () => {
  it('lists every change, newest first, and is kept after the delete', async () => {
    const { id } = await create({ title: 'Printer', note: null })
    await api('PATCH', `/api/e/requests/${id}`, { priority: 5 })
    await api('DELETE', `/api/e/requests/${id}`)
    const { status, body } = await historyOf(id)
    expect(status).toBe(200)
    expect(body.meta).toMatchObject({ total: 3, current_page: 1 })
    expect(body.meta).not.toHaveProperty('pending')
    const user = { id: service.admin.userId, name: 'Grace Hopper' }
    expect(body.data.map(({ created_at, ...entry }: { created_at: string }) => entry)).toEqual([
      {
        id: 3,
        action: 'delete',
        user,
        changes: {
          title: { old: 'Printer', new: null },
          priority: { old: 5, new: null },
          status: { old: 'new', new: null },
        },
      },
      { id: 2, action: 'update', user, changes: { priority: { old: 3, new: 5 } } },
      {
        id: 1,
        action: 'create',
        user,
        changes: {
          title: { old: null, new: 'Printer' },
          priority: { old: null, new: 3 },
          status: { old: null, new: 'new' },
        },
      },
    ])
    expect((await api('GET', `/api/e/requests/${id}`)).status).toBe(404)
  })

  it('answers a cursor past its newest version with the newest entries, without waiting', async () => {
    const { id } = await create({ title: 'Printer' })
    await service.cloud.idle()
    service.cloud.recordCalls()
    const { status, body, headers } = await historyOf(id, `?cursor=${historyCursors.write({ version: 1000 })}`)
    const { calls } = service.cloud.callsOf(headers.get('apigw-requestid') as string)
    service.cloud.recordCalls(false)
    expect([status, body.data.map((entry: { id: number }) => entry.id), body.meta.pending]).toEqual([
      200,
      [1],
      undefined,
    ])
    // Who waits looks again and again.
    expect(calls.filter(({ operation }) => operation === 'Query')).toHaveLength(1)
  })

  it('limits a page to 4 MB: a cursor ends it early, a page number is refused with the number of entries that fit', async () => {
    const { id } = await create({ title: 'long', note: 'a'.repeat(340_000) })
    for (const letter of 'bcdefghi') await api('PATCH', `/api/e/requests/${id}`, { note: letter.repeat(340_000) })
    const whole = await historyOf(id)
    expect([whole.status, whole.body.errors]).toEqual([
      422,
      { per_page: ['A page of 25 entries is larger than 4 MB here; 6 fit. Use a cursor or a smaller per_page.'] },
    ])
    const idsOf = ({ body }: { body: { data: { id: number }[] } }) => body.data.map((entry) => entry.id)
    const first = await historyOf(id, '?per_page=1')
    const second = await historyOf(id, `?cursor=${first.body.meta.next_cursor}`)
    const last = await historyOf(id, `?cursor=${second.body.meta.next_cursor}`)
    expect([idsOf(first), idsOf(second), idsOf(last), last.body.meta.next_cursor]).toEqual([
      [9],
      [8, 7, 6, 5, 4, 3],
      [2, 1],
      null,
    ])
  })

  it('includes each of 200 updates in the read that follows it', async () => {
    const { id } = await create({ title: 'n0' })
    for (let n = 1; n <= 200; n += 1) {
      await api('PATCH', `/api/e/requests/${id}`, { title: `n${n}` })
      const { body } = await historyOf(id, '?per_page=1')
      expect(body.data).toEqual([
        expect.objectContaining({ id: n + 1, changes: { title: { old: `n${n - 1}`, new: `n${n}` } } }),
      ])
    }
  })

  it('loses none of 40 concurrent updates', async () => {
    const { id } = await create({ title: 'start' })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => api('PATCH', `/api/e/requests/${id}`, { title: `writer ${n}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
    const { body } = await historyOf(id, '?per_page=100')
    expect(body.data.map((entry: { id: number }) => entry.id)).toEqual(Array.from({ length: 41 }, (_, n) => 41 - n))
    const written = body.data
      .slice(0, 40)
      .map((entry: { changes: { title: { new: string } } }) => entry.changes.title.new)
    expect(new Set(written).size).toBe(40)
    // Each entry starts with the value that the one before left: no update overwrote another unnoticed.
    for (let n = 0; n < 39; n += 1) expect(body.data[n].changes.title.old).toBe(written[n + 1])
  })

  it('is paged, by page and by cursor', async () => {
    const { id } = await create({ title: 'n0' })
    for (let n = 1; n < 7; n += 1) await api('PATCH', `/api/e/requests/${id}`, { title: `n${n}` })
    const ids = (answer: { body: { data: { id: number }[] } }) => answer.body.data.map((entry) => entry.id)
    const first = await historyOf(id, '?per_page=3')
    expect([ids(first), first.body.meta.total, first.body.meta.last_page]).toEqual([[7, 6, 5], 7, 3])
    expect(ids(await historyOf(id, '?per_page=3&page=3'))).toEqual([1])
    expect(ids(await historyOf(id, `?per_page=3&cursor=${first.body.meta.next_cursor}`))).toEqual([4, 3, 2])
    expect((await historyOf(id, '?page=9')).body.data).toEqual([])
    expect((await historyOf(id, '?cursor=abc')).status).toBe(422)
  })

  it('shows the current name of the user', async () => {
    const user = await userWith(service, ['*'])
    const { id } = (await service.api('POST', '/api/e/requests', { token: user.token, body: { title: 'x' } })).body.data
    const { body } = await api('GET', `/api/sys/users/${user.id}`)
    await api('PUT', `/api/sys/users/${user.id}`, { name: 'Renamed', email: body.data.email, roles: body.data.roles })
    expect((await historyOf(id)).body.data[0].user).toEqual({ id: user.id, name: 'Renamed' })
  })

  it('keeps large values whole', async () => {
    const note = Array.from({ length: 40_000 }, (_, n) => ((n * 2654435761) % 4294967296).toString(36))
      .join('')
      .slice(0, 330_000)
    const { id } = await create({ title: 'large', note })
    await api('PATCH', `/api/e/requests/${id}`, { note: note.split('').reverse().join('') })
    const { body } = await historyOf(id)
    expect(body.data[0].changes.note.old).toBe(note)
    expect(body.data[1].changes.note.new).toBe(note)
  })

  it('requires read permission, and a record that exists or existed', async () => {
    const user = await userWith(service, ['clients.read'])
    expect((await service.api('GET', '/api/sys/history/requests/1', { token: user.token })).status).toBe(403)
    expect((await historyOf(999_999)).status).toBe(404)
    expect((await api('GET', '/api/sys/history/nowhere/1')).status).toBe(404)
  })

  it('names the pending versions when the change feed is stuck', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const fault = service.cloud.faults.inject({
      service: 'lambda',
      functionName: await nameOf('audit'),
      action: { delay: held },
    })
    try {
      const { id } = await create({ title: 'waiting' })
      const { status, body } = await historyOf(id)
      expect([status, body.data, body.meta.pending]).toEqual([200, [], [1]])
      expect(fault.struck).toBe(1)
      release()
      expect((await historyOf(id)).body.data).toHaveLength(1)
    } finally {
      release()
      service.cloud.faults.clear()
    }
  })
})

const nameOf = async (part: string): Promise<string> =>
  service.cloud.functions.find((name) => name.toLowerCase().includes(part)) ?? part

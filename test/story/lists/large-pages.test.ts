import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const versions = 40

/** A record whose every change holds 300 KB before and after. */
beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'notes', [{ name: 'text', type: 'textarea' }])
  const { id } = (await api('POST', '/api/e/notes', { text: '0' })).body.data
  for (let version = 2; version <= versions; version += 1) {
    const changed = await api('PATCH', `/api/e/notes/${id}`, { text: `${version} `.padEnd(300_000, 'long text ') })
    if (changed.status !== 200) throw new Error(JSON.stringify(changed.body))
  }
  await service.cloud.idle()
})
afterAll(() => service?.stop())

interface Walked {
  readonly ids: readonly (string | number)[]
  readonly pages: number
}

/** Walks a list by cursor to its end. Every page must be one that Lambda can carry. */
async function walk(path: string, perPage: number): Promise<Walked> {
  const ids: (string | number)[] = []
  for (let cursor = '', pages = 1; ; pages += 1) {
    const { status, body } = await api('GET', `${path}per_page=${perPage}${cursor}`)
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
    expect(JSON.stringify(JSON.stringify(body)).length).toBeLessThan(6_291_556)
    ids.push(...body.data.map(({ id }: { id: string | number }) => id))
    if (body.meta.next_cursor === null) return { ids, pages }
    cursor = `&cursor=${encodeURIComponent(body.meta.next_cursor)}`
  }
}
const firstCursor = async (path: string): Promise<string> =>
  encodeURIComponent((await api('GET', `${path}per_page=1`)).body.meta.next_cursor)

describe.each([
  ['the trail', '/api/sys/audit?model=notes&'],
  ['the history of a record', '/api/sys/history/notes/1?'],
])('%s with large changes', (_what, path) => {
  it('refuses a numbered page that is too large, and says how much fits', async () => {
    const { status, body } = await api('GET', `${path}per_page=25`)
    expect([status, body.code]).toEqual([422, 'page_too_large'])
    const fit = Number(/(\d+) fit/.exec(body.errors.per_page[0])?.[1])
    expect(fit).toBeGreaterThan(0)
    expect((await api('GET', `${path}per_page=${fit}`)).status).toBe(200)
    expect((await api('GET', `${path}per_page=${fit + 1}`)).status).toBe(422)
  })

  it('ends a page early under a cursor, and loses and repeats nothing', async () => {
    const start = await firstCursor(path)
    const { body } = await api('GET', `${path}per_page=1000&cursor=${start}`)
    expect(body.data.length).toBeLessThan(versions - 1)
    expect(body.meta.next_cursor).not.toBeNull()
    const { ids } = await walk(path, 3)
    expect(new Set(ids).size).toBe(versions)
    expect(ids).toHaveLength(versions)
  })

  it('reads about what it answers', async () => {
    const start = await firstCursor(path)
    service.cloud.recordCalls(true)
    const { body } = await api('GET', `${path}per_page=1000&cursor=${start}`)
    const { readUnits } = service.cloud.callsOf()
    service.cloud.recordCalls(false)
    const answeredUnits = JSON.stringify(body).length / 4096
    expect(readUnits).toBeLessThan(5 * answeredUnits)
  })
})

describe('the trail', () => {
  it('is empty in a period that ends before it begins', async () => {
    const { status, body } = await api('GET', '/api/sys/audit?from=2026-02-01&to=2026-01-01')
    expect([status, body.data]).toEqual([200, []])
  })
})

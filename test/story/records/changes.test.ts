import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const changes = (query: string, token?: string) => api('GET', `/api/changes${query}`, undefined, token)

/** Follows a feed until a call finds nothing new and it has found `count` changes, or a minute has passed. */
async function follow(since: string, count: number, token?: string) {
  const found: any[] = []
  for (const end = Date.now() + 60_000; found.length < count && Date.now() < end;) {
    const { body } = await changes(`?since=${since}`, token)
    found.push(...body.data.changes)
    since = body.data.next_since
  }
  return { found: found.map(({ table, id, version, deleted }) => ({ table, id, version, deleted })), since }
}

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'assets', [
    { name: 'title', type: 'text' },
    { name: 'is_public', type: 'boolean' },
  ])
  await makeTable(service, 'rooms', [{ name: 'title', type: 'text' }])
})
afterAll(() => service?.stop())

describe('the feed of changes', () => {
  it('has creates, updates and deletes of the tables that one may read, each once', async () => {
    const start = (await changes('?since=now&tables=assets,rooms')).body.data
    expect(start).toMatchObject({ changes: [], has_more: false, tables: ['assets', 'rooms'], lag_seconds: 10 })
    const { id } = (await api('POST', '/api/e/assets', { title: 'Lamp' })).body.data
    const { id: room } = (await api('POST', '/api/e/rooms', { title: 'Hall' })).body.data
    const made = await follow(start.next_since, 2)
    expect(made.found).toEqual([
      { table: 'assets', id, version: 1, deleted: false },
      { table: 'rooms', id: room, version: 1, deleted: false },
    ])
    await api('PATCH', `/api/e/assets/${id}`, { title: 'Desk lamp' })
    const changed = await follow(made.since, 1)
    expect(changed.found).toEqual([{ table: 'assets', id, version: 2, deleted: false }])
    await api('DELETE', `/api/e/assets/${id}`)
    const gone = await follow(changed.since, 1)
    expect(gone.found).toEqual([{ table: 'assets', id, version: 3, deleted: true }])
    expect((await changes(`?since=${gone.since}`)).body.data.changes).toEqual([])
  })

  it('shows a record that row rules hide as deleted, and ends when the rules change', async () => {
    const rules = [{ table: 'assets', action: 'read', filter: { is_public: true } }]
    const { token, roleId } = await userWith(service, ['assets.read'], rules)
    const start = (await changes('?since=now', token)).body.data
    expect(start.tables).toEqual(['assets'])
    const { id } = (await api('POST', '/api/e/assets', { title: 'Shown', is_public: true })).body.data
    const shown = await follow(start.next_since, 1, token)
    expect(shown.found.at(-1)).toMatchObject({ id, deleted: false })
    await api('PATCH', `/api/e/assets/${id}`, { is_public: false })
    const hidden = await follow(shown.since, 1, token)
    expect(hidden.found).toEqual([{ table: 'assets', id, version: 2, deleted: true }])
    await api('PUT', `/api/sys/roles/${roleId}`, { rules: [] })
    expect((await changes(`?since=${hidden.since}`, token)).body).toMatchObject({ code: 'cursor_expired' })
  })

  it('names no record that row rules hide, nor its delete, and tells of those that leave what one may see', async () => {
    const rules = [{ table: 'assets', action: 'read', filter: { is_public: true } }]
    const { token } = await userWith(service, ['assets.read'], rules)
    const make = async (is_public: boolean): Promise<number> =>
      (await api('POST', '/api/e/assets', { title: 'One', is_public })).body.data.id
    const change = (id: number, body: object) => api('PATCH', `/api/e/assets/${id}`, body)
    const start = {
      whole: (await changes('?since=now')).body.data,
      own: (await changes('?since=now', token)).body.data,
    }
    const old = { shown: await make(true), hidden: await make(false) }
    const began = await follow(start.own.next_since, 1, token)
    expect(began.found.map(({ id }) => id)).toContain(old.shown)
    const secret = await make(false)
    await change(secret, { title: 'Two' })
    const removed = await make(false)
    await change(removed, { title: 'Two' })
    await api('DELETE', `/api/e/assets/${removed}`)
    await change(old.hidden, { title: 'Two' })
    await api('DELETE', `/api/e/assets/${old.hidden}`)
    // Seen for a moment between two calls only: a copy may have it.
    const between = await make(false)
    await change(between, { is_public: true })
    await change(between, { is_public: false })
    await change(between, { title: 'Three' })
    const gone = await make(true)
    await api('DELETE', `/api/e/assets/${gone}`)
    await change(old.shown, { is_public: false })
    await api('DELETE', `/api/e/assets/${old.shown}`)
    const all = await follow(start.whole.next_since, 6)
    expect(all.found.map(({ id }) => id)).toEqual(expect.arrayContaining([secret, removed, between, gone]))
    const told = await follow(began.since, 3, token)
    const relevant = told.found.filter(({ id }) => [...Object.values(old), secret, removed, between, gone].includes(id))
    expect(relevant.map(({ id, deleted }) => [id, deleted])).toEqual([
      [between, true],
      [gone, true],
      [old.shown, true],
    ])
    for (const since of [began.since, told.since]) {
      const text = Buffer.from(since, 'base64url').toString().split('\u0000').slice(2).join(' ')
      for (const id of [secret, removed, old.hidden]) expect(text).not.toContain(`#${String(id).padStart(16, '0')}#`)
    }
    const anew = (await changes('?tables=assets', token)).body.data.changes
    expect(anew.every(({ deleted }: { deleted: boolean }) => !deleted)).toBe(true)
    expect((await changes('?tables=assets&limit=1', token)).body.data.changes.length).toBeLessThanOrEqual(1)
  })

  it('refuses tables that do not exist or may not be read, and names what is wrong', async () => {
    const { token } = await userWith(service, ['assets.read'])
    expect((await changes('?tables=asets', token)).body.errors.tables[0]).toContain('Did you mean assets?')
    expect((await changes('?tables=rooms', token)).status).toBe(403)
    expect((await changes('?since=tomorrow')).body).toMatchObject({ code: 'invalid_cursor' })
  })
})

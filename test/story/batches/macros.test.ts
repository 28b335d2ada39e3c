import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable, requestFields } from '../../make/builders/records/tables.ts'
import { sharedService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
let token: string
let agent: { token: string; id: number }
const api = (method: string, path: string, body?: unknown, as = token): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })
async function data(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await api(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const make = async (title: string): Promise<number> => (await data('POST', '/api/e/requests', { title })).id
const run = (id: number, macro: number, as = agent.token): Promise<ApiAnswer> =>
  api('POST', `/api/e/requests/${id}/macros/${macro}`, undefined, as)
const commentsOf = async (id: number) => data('GET', `/api/e/requests/${id}/comments`)

beforeAll(async () => {
  service = await sharedService()
  token = service.admin.token
  await makeTable(service, 'clients', [{ name: 'name', type: 'text', required: true }])
  await makeTable(service, 'requests', [...requestFields, { name: 'owner_id', type: 'user' }])
  agent = await userWith(service, ['requests.read', 'requests.update'])
})
afterAll(() => service?.stop())

describe('a macro', () => {
  it('sets fields, moves the state, gives the record to who runs it, and comments, as one step', async () => {
    const macro = await data('POST', '/api/sys/macros', {
      name: 'Take',
      model: 'requests',
      set: { priority: 5 },
      transition: 'open',
      assign: '$CURRENT_USER',
      comment: { body: 'Taken.' },
    })
    expect(macro).toMatchObject({ assign: '$CURRENT_USER', next: false, problem: null, version: 1 })
    const id = await make('To take')
    const { status, body } = await run(id, macro.id)
    expect([status, body.data]).toMatchObject([
      200,
      { id, version: 2, data: { priority: 5, status: 'open', owner_id: agent.id } },
    ])
    expect(await commentsOf(id)).toMatchObject([{ body: 'Taken.', user: { id: agent.id } }])
    expect((await data('GET', `/api/sys/history/requests/${id}`))[0]).toMatchObject({ source: 'macro' })
    // The move is not open any more: neither fields nor comment.
    await api('PATCH', `/api/e/requests/${id}`, { priority: 1 })
    const closing = await data('POST', '/api/sys/macros', {
      name: 'Close',
      model: 'requests',
      set: { priority: 2 },
      transition: 'closed',
      comment: { body: 'Closed.' },
    })
    expect(await run(id, closing.id)).toMatchObject({ status: 422, body: { errors: { status: [expect.any(String)] } } })
    expect(await commentsOf(id)).toHaveLength(1)
    expect(await data('GET', `/api/e/requests/${id}`)).toMatchObject({ data: { priority: 1, status: 'open' } })
  })

  it('is seen and run by those who may do what it does', async () => {
    const internal = await data('POST', '/api/sys/macros', {
      name: 'Note',
      model: 'requests',
      comment: { body: 'Among us.', is_internal: true },
    })
    const id = await make('To note')
    expect((await run(id, internal.id)).status).toBe(404)
    expect((await api('GET', `/api/sys/macros/${internal.id}`, undefined, agent.token)).status).toBe(404)
    const listed = await api('GET', '/api/sys/macros', undefined, agent.token)
    expect(listed.body.data.map(({ name }: { name: string }) => name)).not.toContain('Note')
    expect((await api('POST', '/api/sys/macros', { name: 'Mine', model: 'requests' }, agent.token)).status).toBe(403)
    expect((await run(id, internal.id, token)).status).toBe(200)
    expect(await commentsOf(id)).toMatchObject([{ body: 'Among us.', is_internal: true }])
  })

  it('names the record that followed in the view, although the macro takes the record out of it', async () => {
    const view = await data('POST', '/api/sys/views', {
      name: 'By title',
      model: 'requests',
      scope: 'private',
      filter: { note: 'queue' },
      sort: ['title'],
    })
    const ids = await Promise.all(
      ['Queue C', 'Queue A', 'Queue B'].map(
        async (title) => (await data('POST', '/api/e/requests', { title, note: 'queue' })).id,
      ),
    )
    await service.cloud.idle()
    const { id: macro } = await data('POST', '/api/sys/macros', {
      name: 'Done with it',
      model: 'requests',
      set: { note: 'done' },
      next: true,
    })
    const next = async (id: number, query = `?view=${view.id}`) =>
      (await api('POST', `/api/e/requests/${id}/macros/${macro}${query}`)).body.meta
    expect(await next(ids[1])).toEqual({ next: ids[2] })
    expect(await next(ids[2])).toEqual({ next: ids[0] })
    expect(await next(ids[0])).toEqual({ next: null })
    expect(await next(ids[1], '')).toEqual({ next: ids[1] - 1 })
    expect((await api('POST', `/api/e/requests/${ids[0]}/macros/${macro}?view=999`)).status).toBe(404)
  })

  it('comments on records that it does not change, once each, also in bulk', async () => {
    const { id: macro } = await data('POST', '/api/sys/macros', {
      name: 'Remark',
      model: 'requests',
      set: { priority: 3 },
      comment: { body: 'Seen.' },
    })
    const id = await make('To remark')
    expect((await run(id, macro)).body.data).toMatchObject({ version: 1 })
    const done = await data('POST', '/api/e/requests/bulk', { ids: [id], macro })
    expect(done).toMatchObject({ changed: 1, failed: 0 })
    expect(await commentsOf(id)).toHaveLength(2)
    await api('PATCH', `/api/e/requests/${id}`, { priority: 5 })
    expect(await data('POST', `/api/sys/batches/${done.batch_id}/undo`)).toMatchObject({ unchanged: 1, kept: [] })
    expect(await data('GET', `/api/e/requests/${id}`)).toMatchObject({ data: { priority: 5 } })
    await api('DELETE', `/api/e/requests/${id}`)
    expect((await run(id, macro)).status).toBe(404)
  })

  it('runs on many records at once, with a comment on each, and its fields are undone', async () => {
    const macro = await data('POST', '/api/sys/macros', {
      name: 'Escalate',
      model: 'requests',
      set: { priority: 4, note: 'urgent' },
      comment: { body: 'Escalated.' },
    })
    const ids = await Promise.all(['One', 'Two', 'Three'].map(make))
    const dry = await data('POST', '/api/e/requests/bulk', { ids, macro: macro.id, dry_run: true })
    expect(dry).toMatchObject({ batch_id: null, matched: 3, changed: 3 })
    const done = await data('POST', '/api/e/requests/bulk', { ids, macro: macro.id })
    expect(done).toMatchObject({ matched: 3, changed: 3, failed: 0 })
    expect((await Promise.all(ids.map(commentsOf))).map((all) => all.length)).toEqual([1, 1, 1])
    const undone = await data('POST', `/api/sys/batches/${done.batch_id}/undo`)
    expect(undone).toMatchObject({ matched: 3, changed: 3, failed: 0, kept: [] })
    expect(await data('GET', `/api/e/requests/${ids[1]}`)).toMatchObject({
      version: 3,
      data: { priority: 3, note: null },
    })
  })

  it.each([
    [{ model: 'request', set: { priority: 1 } }, { model: ['There is no table request. Did you mean requests?'] }],
    [{ model: 'requests' }, { set: ['Say what the macro does: one of set, transition, comment and assign.'] }],
    [{ model: 'requests', set: { titel: 'x' } }, { 'set.titel': ['The titel field is unknown. Did you mean title?'] }],
    [{ model: 'requests', transition: 'opne' }, { transition: [expect.any(String)] }],
    [{ model: 'clients', transition: 'open' }, { transition: ['The table clients has no field of states.'] }],
    [
      { model: 'clients', assign: '$CURRENT_USER' },
      { assign: ['The table clients does not say which field of a user is meant: name it in set.'] },
    ],
  ])('is checked when it is saved: %j', async (macro, errors) => {
    expect(await api('POST', '/api/sys/macros', { name: 'Wrong', ...macro })).toMatchObject({
      status: 422,
      body: { errors },
    })
  })

  it('is a part of the configuration', async () => {
    const { macros } = await data('GET', '/api/sys/config')
    expect(macros.map(({ name }: { name: string }) => name)).toContain('Take')
    const applied = await data('PUT', '/api/sys/config', {
      macros: [{ name: 'From a document', model: 'requests', set: { priority: 1 } }],
    })
    expect(applied.created).toEqual(['macros.From a document'])
  })
})

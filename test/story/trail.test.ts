import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../make/people.ts'
import { startService, type TestService } from '../make/service.ts'
import { makeTable } from '../make/tables.ts'

let service: TestService
let user: { token: string; id: number }
const trail = async (query = '', token = service.admin.token) => service.api('GET', `/api/sys/audit${query}`, { token })
const told = ({ body }: { body: { data: { model: string; record_id: number; version: number; action: string }[] } }) =>
  body.data.map(({ model, record_id, version, action }) => `${model} ${record_id}.${version} ${action}`)

beforeAll(async () => {
  service = await startService()
  for (const name of ['notes', 'tasks']) await makeTable(service, name, [{ name: 'text', type: 'text' }])
  user = await userWith(service, ['*'])
  const { token } = service.admin
  await service.api('POST', '/api/e/notes', { token, body: { text: 'a' } })
  await service.api('POST', '/api/e/tasks', { token: user.token, body: { text: 'b' } })
  await service.api('PATCH', '/api/e/notes/1', { token: user.token, body: { text: 'c' } })
  await service.api('DELETE', '/api/e/tasks/1', { token })
  await service.cloud.idle()
})
afterAll(() => service?.stop())

describe('the trail of a tenant', () => {
  it('tells what happened in every table, newest first, with who and what', async () => {
    const answer = await trail()
    expect(told(answer)).toEqual(['tasks 1.2 delete', 'notes 1.2 update', 'tasks 1.1 create', 'notes 1.1 create'])
    expect(answer.body.data[1]).toMatchObject({ user: { id: user.id }, changes: { text: { old: 'a', new: 'c' } } })
    expect(answer.body.meta).toMatchObject({ total: 4, from: 1, to: 4 })
  })

  it.each([
    ['?model=notes', ['notes 1.2 update', 'notes 1.1 create']],
    ['?action=create', ['tasks 1.1 create', 'notes 1.1 create']],
    ['?model=tasks&action=delete', ['tasks 1.2 delete']],
    ['?from=2999-01-01', []],
    ['?to=2000-01-01', []],
  ])('%s', async (query, lines) => expect(told(await trail(query))).toEqual(lines))

  it('of one user, and between two moments', async () => {
    expect(told(await trail(`?user_id=${user.id}`))).toEqual(['notes 1.2 update', 'tasks 1.1 create'])
    const { created_at } = (await trail('?model=tasks&action=create')).body.data[0]
    expect(told(await trail(`?from=${created_at}`))).toEqual(['tasks 1.2 delete', 'notes 1.2 update', 'tasks 1.1 create'])
    expect(told(await trail(`?to=${created_at}`))).toEqual(['tasks 1.1 create', 'notes 1.1 create'])
  })

  it('can be walked by page and by cursor', async () => {
    expect(told(await trail('?per_page=3&page=2'))).toEqual(['notes 1.1 create'])
    const first = await trail('?per_page=3')
    const second = await trail(`?per_page=3&cursor=${first.body.meta.next_cursor}`)
    expect([told(second), second.body.meta.next_cursor]).toEqual([['notes 1.1 create'], null])
  })

  it('is for administrators, of their own tenant', async () => {
    expect((await trail('', user.token)).status).toBe(403)
    expect((await trail('', (await otherTenant(service)).token)).body.data).toEqual([])
  })

  it.each(['user_id=x', 'action=nonsense', 'from=yesterday', 'cursor=abc'])('refuses %s', async (query) => {
    const { status, body } = await trail(`?${query}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, [query.split('=')[0]]])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let record: number
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const at = (comment?: number) => `/api/e/requests/${record}/comments${comment === undefined ? '' : `/${comment}`}`
const write = async (token: string): Promise<number> =>
  (await api('POST', at(), { body: 'Secret' }, token)).body.data.id
const trail = async (comment: number): Promise<any[]> =>
  (await api('GET', '/api/sys/audit?model=sys_comments')).body.data.filter((one: any) => one.record_id === comment)

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'requests', [{ name: 'title', type: 'text' }])
  record = (await api('POST', '/api/e/requests', { title: 'Printer' })).body.data.id
})
afterAll(() => service?.stop())

describe("a comment that is not the administrator's own", () => {
  it('leaves in the trail who deleted whose comment on which record, and not what it said', async () => {
    const author = await userWith(service, ['requests.read', 'requests.comment'])
    const comment = await write(author.token)
    expect((await api('DELETE', at(comment))).status).toBe(204)
    const [event, ...more] = await trail(comment)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      action: 'delete',
      model: 'sys_comments',
      user: { id: service.admin.userId },
      name: `comment on requests ${record}`,
      changes: {
        model: { old: 'requests', new: null },
        record_id: { old: record, new: null },
        user_id: { old: author.id, new: null },
      },
    })
    expect(JSON.stringify(event)).not.toContain('Secret')
  })

  it('leaves both ids when an administrator edits or deletes it as its author', async () => {
    const author = await userWith(service, ['requests.read', 'requests.comment'])
    const comment = await write(author.token)
    const { token } = (await api('POST', `/api/impersonate/${author.id}`)).body
    expect((await api('PUT', at(comment), { body: 'Changed' }, token)).status).toBe(200)
    expect((await api('DELETE', at(comment), undefined, token)).status).toBe(204)
    expect(await trail(comment)).toMatchObject(
      ['delete', 'update'].map((action) => ({
        action,
        user: { id: author.id },
        impersonator: { id: service.admin.userId },
      })),
    )
  })

  it('leaves nothing when people edit and delete their own', async () => {
    const author = await userWith(service, ['requests.read', 'requests.comment'])
    for (const token of [author.token, service.admin.token]) {
      const comment = await write(token)
      await api('PUT', at(comment), { body: 'Changed' }, token)
      await api('DELETE', at(comment), undefined, token)
      expect(await trail(comment)).toEqual([])
    }
  })
})

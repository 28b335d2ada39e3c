import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

type User = Awaited<ReturnType<typeof userWith>>

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const person = (...permissions: string[]): Promise<User> =>
  userWith(service, ['requests.read', 'requests.create', ...permissions])
const create = async (data: object = {}, token?: string) =>
  (await api('POST', '/api/e/requests', { title: 'Printer', ...data }, token)).body.data.id as number
const at = (id: number) => `/api/e/requests/${id}/watchers`
const watchers = async (id: number, token?: string) =>
  (await api('GET', at(id), undefined, token)).body.data.watchers.map((one: any) => [one.id, one.reasons])
const comment = async (id: number, body: string, token?: string, more: object = {}) => {
  const answer = await api('POST', `/api/e/requests/${id}/comments`, { body, ...more }, token)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  await service.cloud.idle()
  return answer.body.data.id as number
}
/** What rang in the bell of a user, the oldest first. */
const rang = async ({ token }: User) =>
  (await api('GET', '/api/notifications', undefined, token)).body.data
    .map(({ category, title, text }: any) => [category, title, text])
    .toReversed()

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text' },
    { name: 'owner_id', type: 'user' },
    { name: 'helper_id', type: 'user' },
    { name: 'backup_id', type: 'user' },
  ])
})
afterAll(() => service?.stop())

describe('watchers', () => {
  it('are the creator, the users in fields and whoever has commented', async () => {
    const [creator, owner, helper, writer] = [
      await person(),
      await person(),
      await person(),
      await person('requests.comment'),
    ]
    const id = await create({ owner_id: owner.id, helper_id: helper.id, backup_id: creator.id }, creator.token)
    await comment(id, 'Hello', writer.token)
    expect(await watchers(id)).toEqual([
      [creator.id, ['creator', 'assignee']],
      [owner.id, ['assignee']],
      [helper.id, ['assignee']],
      [writer.id, ['commenter']],
    ])
  })

  it('may be anybody who reads the record, and stop it, also when they watch by themselves', async () => {
    const [creator, reader] = [await person(), await person()]
    const id = await create({}, creator.token)
    const added = await api('POST', at(id), undefined, reader.token)
    expect([added.status, added.body.data.is_watching]).toEqual([200, true])
    expect(await watchers(id)).toEqual([
      [reader.id, ['added']],
      [creator.id, ['creator']],
    ])
    expect((await api('DELETE', at(id), undefined, creator.token)).status).toBe(204)
    expect((await api('DELETE', at(id), undefined, reader.token)).status).toBe(204)
    expect(await watchers(id)).toEqual([])
    await api('POST', at(id), undefined, creator.token)
    expect(await watchers(id)).toEqual([[creator.id, ['added', 'creator']]])
  })

  it('are added and removed for others by those who may update the record', async () => {
    const [agent, reader] = [await person('requests.update'), await person()]
    const id = await create({}, agent.token)
    const others = { user_ids: [agent.id] }
    expect((await api('POST', at(id), others, reader.token)).body.code).toBe('record_forbidden')
    expect((await api('DELETE', at(id), others, reader.token)).status).toBe(403)
    expect((await api('POST', at(id), { user_ids: [reader.id, 999] }, agent.token)).body.errors).toEqual({
      'user_ids.1': ['There is no active user with this id.'],
    })
    expect((await api('POST', at(id), { user_ids: [reader.id] }, agent.token)).status).toBe(200)
    expect((await api('DELETE', at(id), { user_ids: [agent.id] }, agent.token)).status).toBe(204)
    expect(await watchers(id)).toEqual([[reader.id, ['added']]])
  })

  it('are 404 for a record that does not exist, was deleted, or row rules hide', async () => {
    const own = [{ table: 'requests', action: 'read', filter: { created_by: '$CURRENT_USER' } }]
    const stranger = await userWith(service, ['requests.read', 'requests.update'], own)
    const gone = await create()
    await api('DELETE', `/api/e/requests/${gone}`)
    for (const [id, token] of [
      [gone, undefined],
      [99_999, undefined],
      [await create(), stranger.token],
    ] as const)
      for (const method of ['GET', 'POST', 'DELETE'])
        expect([method, (await api(method, at(id), undefined, token)).status]).toEqual([method, 404])
  })

  it('do not give away a field or an internal comment that a reader may not see', async () => {
    const [agent, owner, updater] = [
      await person('requests.comment_internal'),
      await person(),
      await person('requests.update'),
    ]
    const limited = await userWith(service, ['requests.read'], [], { requests: { read: ['title'] } })
    const id = await create({ owner_id: owner.id })
    await comment(id, 'Among us', agent.token, { is_internal: true })
    const all = [
      [service.admin.userId, ['creator']],
      [owner.id, ['assignee']],
      [agent.id, ['commenter']],
    ]
    expect(await watchers(id)).toEqual(all)
    for (const { token } of [owner, updater]) expect(await watchers(id, token)).toEqual(all.slice(0, 2))
    expect(await watchers(id, limited.token)).toEqual(all.slice(0, 1))
  })
})

describe('a comment', () => {
  it('rings the bell of watchers and of those it mentions, each once, and never of its author', async () => {
    const [creator, owner, other] = [await person('requests.comment'), await person(), await person()]
    const id = await create({ owner_id: owner.id }, creator.token)
    const made = await comment(id, `@[${owner.id}] and @[${other.id}], look.`, creator.token)
    const names = (await api('GET', `/api/e/requests/${id}/comments`)).body.data[0]
    const [ownerName, otherName] = names.mentions.map(({ name }: any) => name)
    const author = names.user.name
    const mentioned = ['mention', `${author} mentioned you in Requests ${id}`, `@${ownerName} and @${otherName}, look.`]
    expect([await rang(creator), await rang(owner), await rang(other)]).toEqual([[], [mentioned], [mentioned]])
    const path = `/api/e/requests/${id}/comments/${made}`
    await api('PUT', path, { body: `@[${owner.id}] and @[${service.admin.userId}]` }, creator.token)
    await service.cloud.idle()
    expect(await rang(owner)).toEqual([mentioned])
    await comment(id, 'On it.')
    const commented = (title: string) => ['comment', expect.stringMatching(`commented on Requests ${title}$`), 'On it.']
    expect([await rang(creator), (await rang(owner))[1], await rang(other)]).toEqual([
      [commented(`${id}`)],
      commented(`${id}`),
      [mentioned],
    ])
  })

  it('rings no bell of those who may not read it', async () => {
    const [creator, agent] = [await person('requests.update'), await person('requests.comment_internal')]
    const outsider = await userWith(service, [])
    const own = { table: 'requests', action: 'read', filter: { created_by: '$CURRENT_USER' } }
    const elsewhere = await userWith(service, ['requests.read'], [own])
    const id = await create({ owner_id: outsider.id, helper_id: agent.id, backup_id: elsewhere.id }, creator.token)
    const all = [creator, agent, outsider, elsewhere]
    await comment(id, all.map((one) => `@[${one.id}]`).join(), undefined, { is_internal: true })
    expect((await Promise.all(all.map(rang))).map(({ length }) => length)).toEqual([0, 1, 0, 0])
    await comment(id, 'For all')
    expect((await Promise.all(all.map(rang))).map(({ length }) => length)).toEqual([1, 2, 0, 0])
  })

  it('rings where a user wants it', async () => {
    const creator = await person()
    await api('PUT', '/api/user/preferences', { notifications: { comment: { bell: false } } }, creator.token)
    const id = await create({}, creator.token)
    await comment(id, 'Quiet')
    await comment(id, `@[${creator.id}]`)
    expect((await rang(creator)).map(([category]: string[]) => category)).toEqual(['mention'])
  })

  it('is not announced to those who stopped watching, unless it mentions them', async () => {
    const creator = await person()
    const id = await create({}, creator.token)
    await api('DELETE', at(id), undefined, creator.token)
    await comment(id, 'Quiet')
    expect(await rang(creator)).toEqual([])
    await comment(id, `But @[${creator.id}]`)
    expect(await rang(creator)).toHaveLength(1)
  })
})

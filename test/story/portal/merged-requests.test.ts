import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

interface Person {
  readonly token: string
  readonly id: number
}

let service: TestService
let admin: string
let item: number
let agent: Person
const api = (method: string, path: string, body?: unknown, as = admin): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })
async function data(method: string, path: string, body?: unknown, as = admin): Promise<any> {
  const answer = await api(method, path, body, as)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const of = (id: number): string => `/api/portal/requests/${id}`
const said = ({ conversation }: { conversation: readonly { body: string }[] }): string[] =>
  conversation.map(({ body }) => body)

/** A request of somebody new, with its record. */
async function requestOf(title: string, files: (token: string) => Promise<string[]> = async () => []) {
  const person = await userWith(service, [])
  const paths = await files(person.token)
  const sent = { item_id: item, data: { title }, files: paths }
  const { id } = await data('POST', '/api/portal/requests', sent, person.token)
  const filter = encodeURIComponent(JSON.stringify({ title }))
  const [record] = await data('GET', `/api/e/faults?filter=${filter}`)
  const read = (): Promise<any> => data('GET', of(id), undefined, person.token)
  return { ...person, request: id as number, record: record.id as number, paths, read }
}

beforeAll(async () => {
  service = await sharedService()
  admin = service.admin.token
  await makeTable(service, 'faults', [
    { name: 'title', type: 'text', required: true },
    { name: 'place', type: 'text' },
    {
      name: 'state',
      type: 'state_model',
      states: [
        { slug: 'new', label: 'New', is_initial: true },
        { slug: 'closed', label: 'Closed', is_final: true },
      ],
      transitions: [
        { from: 'new', to: 'closed' },
        { from: 'closed', to: 'new' },
      ],
    },
  ])
  agent = await userWith(service, ['faults.*'])
  const offered = { name: 'A fault', model: 'faults', fields: ['title', 'place'], reopen_state: 'new' }
  item = (await data('POST', '/api/sys/portal/items', offered)).id
})
afterAll(() => service?.stop())

describe('the requests of two people whose records were merged', () => {
  it('show each their own words and files, the answers of the team since, and the state of the survivor', async () => {
    const kept = await requestOf('Printer', async (token) => [await upload(service, { name: 'own.png', token })])
    const gone = await requestOf('Printer too', async (token) => [await upload(service, { name: 'sick.png', token })])
    await data('POST', `${of(gone.request)}/comments`, { body: 'I am on sick leave' }, gone.token)
    await data('POST', `/api/e/faults/${kept.record}/comments`, { body: 'Only for the first' }, agent.token)
    await data('POST', `/api/e/faults/${kept.record}/watchers`, undefined, agent.token)
    await data('POST', `/api/e/faults/${gone.record}/merge`, { into: kept.record })
    await data('POST', `/api/e/faults/${kept.record}/comments`, { body: 'Solved for both' }, agent.token)
    await data('PATCH', `/api/e/faults/${kept.record}`, { state: 'closed' })

    const [first, second] = [await kept.read(), await gone.read()]
    expect([first.title, said(first), first.is_closed]).toEqual([
      'Printer',
      ['own.png', 'Only for the first', 'Solved for both'],
      true,
    ])
    expect([second.title, said(second), second.is_closed]).toEqual([
      'Printer too',
      ['sick.png', 'I am on sick leave', 'Solved for both'],
      true,
    ])
    const opens = async (who: typeof kept, path: string): Promise<number> =>
      (await api('GET', `${of(who.request)}/files?path=${encodeURIComponent(path)}`, undefined, who.token)).status
    for (const [who, path, status] of [
      [kept, kept.paths[0], 200],
      [kept, gone.paths[0], 404],
      [gone, gone.paths[0], 200],
      [gone, kept.paths[0], 404],
    ] as const)
      expect([who.request, path, await opens(who, path as string)]).toEqual([who.request, path, status])
  })

  it('take a comment to the survivor, of which the team is notified, nobody is mailed, and an unmerge gives it back', async () => {
    const kept = await requestOf('Scanner')
    const gone = await requestOf('Scanner too')
    await data('POST', `/api/e/faults/${kept.record}/watchers`, undefined, agent.token)
    await data('POST', `/api/e/faults/${gone.record}/merge`, { into: kept.record })
    await service.cloud.idle()
    await data('POST', `${of(gone.request)}/comments`, { body: 'Mine still fails' }, gone.token)
    await service.cloud.idle()
    const bells = async ({ token }: Person): Promise<string> =>
      JSON.stringify(await data('GET', '/api/notifications', undefined, token))
    expect(await bells(agent)).toContain('Mine still fails')
    expect(await bells(kept)).not.toContain('Mine still fails')
    expect(said(await kept.read())).toEqual([])
    const onSurvivor = await data('GET', `/api/e/faults/${kept.record}/comments`)
    expect(onSurvivor.map(({ body }: { body: string }) => body)).toContain('Mine still fails')
    await data('POST', `/api/e/faults/${gone.record}/unmerge`)
    expect(said(await gone.read())).toEqual(['Mine still fails'])
    expect(await data('GET', `/api/e/faults/${kept.record}/comments`)).toEqual([])
  })

  it('hold no rating of an earlier closing, nor of a closing of another record', async () => {
    const kept = await requestOf('Screen')
    const gone = await requestOf('Screen too')
    const set = (id: number, state: string): Promise<unknown> => data('PATCH', `/api/e/faults/${id}`, { state })
    const rate = (stars: number): Promise<any> => data('POST', `${of(gone.request)}/rating`, { stars }, gone.token)
    await set(gone.record, 'closed')
    expect((await rate(2)).rating.stars).toBe(2)
    await set(gone.record, 'new')
    await set(gone.record, 'closed')
    expect((await gone.read()).rating).toBeNull()
    expect((await rate(3)).rating.stars).toBe(3)
    await set(kept.record, 'closed')
    await data('POST', `/api/e/faults/${gone.record}/merge`, { into: kept.record })
    expect((await gone.read()).rating).toBeNull()
    expect((await rate(4)).rating.stars).toBe(4)
    await set(kept.record, 'new')
    await set(kept.record, 'closed')
    expect((await gone.read()).rating).toBeNull()
    // Each closing has its own record, and what was said of an earlier one stays.
    const ofRequest = encodeURIComponent(JSON.stringify({ request_id: gone.request }))
    const ratings = await data('GET', `/api/e/sys_ratings?filter=${ofRequest}&sort=id`)
    expect(ratings.map((one: { data: { stars: number } }) => one.data.stars)).toEqual([2, 3, 4])
  })

  it('are nothing to another company, under any route', async () => {
    const kept = await requestOf('Phone')
    const gone = await requestOf('Phone too')
    await data('POST', `/api/e/faults/${gone.record}/merge`, { into: kept.record })
    const { token } = await otherTenant(service)
    const refused = async (method: string, path: string, body?: unknown): Promise<void> => {
      const answer = await api(method, path, body, token)
      expect([path, answer.status]).toEqual([path, 404])
      expect(JSON.stringify(answer.body)).not.toContain('Phone')
    }
    for (const id of [kept.record, gone.record]) {
      await refused('GET', `/api/e/faults/${id}`)
      await refused('POST', `/api/e/faults/${id}/merge`, { into: kept.record })
      await refused('POST', `/api/e/faults/${id}/unmerge`)
      await refused('GET', `/api/e/faults/${id}/comments`)
    }
    for (const id of [kept.request, gone.request]) {
      await refused('GET', of(id))
      await refused('POST', `${of(id)}/comments`, { body: 'hello' })
      await refused('POST', `${of(id)}/rating`, { stars: 1 })
      await refused('POST', `${of(id)}/reopen`)
    }
    expect(said(await gone.read())).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let reader: { token: string; id: number; role: string }
let other: { token: string; id: number }
const api = (method: string, path: string, body?: unknown, as = service.admin.token): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })
async function data(method: string, path: string, body?: unknown, as = service.admin.token): Promise<any> {
  const answer = await api(method, path, body, as)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const write = async (article: object): Promise<number> => (await data('POST', '/api/e/sys_articles', article)).id
const titles = async (query: string, as = reader.token): Promise<string[]> =>
  (await data('GET', `/api/portal/articles${query}`, undefined, as)).map(({ title }: any) => title)

beforeAll(async () => {
  service = await sharedService()
  reader = await userWith(service, [])
  other = await userWith(service, [])
})
afterAll(() => service?.stop())

describe('an article', () => {
  it('is in the portal once it is published, for those it is for', async () => {
    const jam = await write({ title: 'The printer is jammed', body: 'Open tray 2.', category: 'Hardware' })
    const travel = await write({ title: 'Book a journey', body: 'By train.', state: 'published', roles: [reader.role] })
    const odd = await write({ title: 'For nobody', state: 'published', roles: 'everybody' })
    await service.cloud.idle()
    expect(await titles('')).toEqual(['Book a journey'])
    expect(await titles('', other.token)).toEqual([])
    for (const [id, as] of [
      [jam, reader],
      [travel, other],
      [odd, reader],
    ] as const)
      expect(await api('GET', `/api/portal/articles/${id}`, undefined, as.token)).toMatchObject({
        status: 404,
        body: { code: 'article_not_found' },
      })
    await data('PATCH', `/api/e/sys_articles/${jam}`, { state: 'published' })
    await service.cloud.idle()
    expect(await titles('?search=tray')).toEqual(['The printer is jammed'])
    const steps = '## First\n\nSwitch it **off**, [really](https://example.com), 5 \\* 3.\n- Wait'
    await data('PATCH', `/api/e/sys_articles/${travel}`, { body: steps })
    await service.cloud.idle()
    expect((await data('GET', '/api/portal/articles?search=journey', undefined, reader.token))[0].excerpt).toBe(
      'First\n\nSwitch it off, really, 5 * 3.\nWait',
    )
    expect(await titles('?sort=title')).toEqual(['Book a journey', 'The printer is jammed'])
    expect(await data('GET', `/api/portal/articles/${jam}`, undefined, other.token)).toEqual({
      id: jam,
      title: 'The printer is jammed',
      category: 'Hardware',
      body: 'Open tray 2.',
      updated_at: expect.any(String),
      votes: { helpful: 0, not_helpful: 0 },
      my_vote: null,
    })
    expect((await api('GET', '/api/e/sys_articles', undefined, reader.token)).status).toBe(403)
  })

  it('is voted on once a person, who may change it', async () => {
    const id = await write({ title: 'Coffee', state: 'published' })
    const vote = (helpful: boolean, as: { token: string }) =>
      data('POST', `/api/portal/articles/${id}/vote`, { helpful }, as.token)
    expect(await vote(true, reader)).toMatchObject({ votes: { helpful: 1, not_helpful: 0 }, my_vote: 'helpful' })
    expect(await vote(true, reader)).toMatchObject({ votes: { helpful: 1, not_helpful: 0 } })
    await Promise.all([vote(false, other), vote(false, reader)])
    expect(await data('GET', `/api/portal/articles/${id}`, undefined, other.token)).toMatchObject({
      votes: { helpful: 0, not_helpful: 2 },
      my_vote: 'not_helpful',
    })
    expect((await api('POST', `/api/portal/articles/${id}/vote`, { helpful: 'yes' }, reader.token)).status).toBe(422)
  })

  it('counts every vote of people who vote at the same time, the first ones too', async () => {
    const voters = await Promise.all(Array.from({ length: 4 }, () => userWith(service, [])))
    for (const title of ['Tea', 'Water']) {
      const id = await write({ title, state: 'published' })
      await Promise.all(
        voters.map(({ token }) => data('POST', `/api/portal/articles/${id}/vote`, { helpful: true }, token)),
      )
      const read = await data('GET', `/api/portal/articles/${id}`, undefined, reader.token)
      expect(read.votes).toEqual({ helpful: 4, not_helpful: 0 })
    }
  })

  it('is suggested while somebody types, and so are items', async () => {
    await makeTable(service, 'wishes', [{ name: 'title', type: 'text' }])
    await data('POST', '/api/sys/portal/items', { name: 'Keyboard', model: 'wishes', fields: ['title'] })
    await write({ title: 'Clean your keyboard', body: 'With a brush.', state: 'published' })
    await write({ title: 'Secret keyboard', body: 'x', state: 'draft' })
    for (let n = 1; n <= 6; n += 1) await write({ title: `Screen ${n}`, state: 'published' })
    await service.cloud.idle()
    const suggest = (text: string): Promise<any> =>
      data('GET', `/api/portal/suggest?text=${encodeURIComponent(text)}`, undefined, reader.token)
    const found = await suggest('the screen and the keyb')
    expect(found.articles.map(({ title }: any) => title)).toEqual([
      'Clean your keyboard',
      expect.any(String),
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ])
    expect(found.items).toMatchObject([{ name: 'Keyboard' }])
    expect(await suggest('a')).toEqual({ articles: [], items: [] })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const list = (query = '', model = 'notes') =>
  service.api('GET', `/api/e/${model}${query}`, { token: service.admin.token })
const idsOf = (answer: { body: { data: { id: number }[] } }) => answer.body.data.map(({ id }) => id)
const make = (model: string, body: object) =>
  service.api('POST', `/api/e/${model}`, { token: service.admin.token, body })
const rangeDown = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'notes', [{ name: 'text', type: 'textarea' }])
  for (let index = 1; index <= 60; index += 1) await make('notes', { text: `n${index}` })
})
afterAll(() => service?.stop())

describe('a list', () => {
  it('is paged like Laravel, newest first', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(idsOf({ body })).toEqual(rangeDown(60, 36))
    expect(body.meta).toEqual({
      current_page: 1,
      from: 1,
      to: 25,
      per_page: 25,
      last_page: 3,
      total: 60,
      next_cursor: expect.any(String),
    })
    expect(body.links).toEqual({
      first: `${service.url}/api/e/notes?page=1&per_page=25`,
      last: `${service.url}/api/e/notes?page=3&per_page=25`,
      prev: null,
      next: `${service.url}/api/e/notes?page=2&per_page=25`,
    })
  })

  it('has a last page, and empty pages after it', async () => {
    const last = await list('?page=3')
    expect(idsOf(last)).toEqual(rangeDown(10, 1))
    expect(last.body.meta).toMatchObject({ current_page: 3, from: 51, to: 60, next_cursor: null })
    const past = await list('?page=9')
    expect([past.status, past.body.data, past.body.meta.from, past.body.meta.to]).toEqual([200, [], null, null])
  })

  it('has last_page 1 when it is empty', async () => {
    await makeTable(service, 'nothing', [])
    expect((await list('', 'nothing')).body.meta).toMatchObject({
      total: 0,
      last_page: 1,
      from: null,
      to: null,
      next_cursor: null,
    })
  })

  it.each([
    ['?per_page=0', 1],
    ['?per_page=-5', 1],
    ['?per_page=5000', 1000],
    ['?per_page=7', 7],
  ])('clamps %s to %d', async (query, perPage) => expect((await list(query)).body.meta.per_page).toBe(perPage))

  it.each(['page=x', 'per_page=1.5', 'cursor=nonsense', 'sort=nothing'])('refuses %s', async (query) => {
    const { status, body } = await list(`?${query}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, [query.split('=')[0]]])
  })

  it.each([
    ['/api/sys/entities', 1000],
    ['/api/sys/roles', 25],
    ['/api/sys/process-templates', 25],
  ])('of configuration is paged in the same way, by page and by cursor: %s', async (path, perPage) => {
    const read = async (query: string) =>
      (await service.api('GET', `${path}${query}`, { token: service.admin.token })).body
    const whole = await read('')
    expect(whole.meta.per_page).toBe(perPage)
    const byCursor: number[] = []
    for (let cursor = ''; byCursor.length < whole.meta.total;) {
      const { data, meta } = await read(`?per_page=1${cursor && `&cursor=${cursor}`}`)
      byCursor.push(...data.map(({ id }: { id: number }) => id))
      if (meta.next_cursor === null) break
      cursor = meta.next_cursor
    }
    expect(byCursor).toEqual(idsOf({ body: whole }))
    expect((await read('?cursor=nonsense')).errors).toHaveProperty('cursor')
  })

  it('read by cursor has every record once, even while others write', async () => {
    const seen: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await list(`?per_page=7${cursor && `&cursor=${cursor}`}`)
      seen.push(...idsOf(answer))
      if (seen.length === 14) await make('notes', { text: 'meanwhile' })
      cursor = answer.body.meta.next_cursor
    }
    expect(seen).toEqual(rangeDown(60, 1))
  })

  it('is oldest first with sort=id', async () =>
    expect(idsOf(await list('?sort=id&per_page=3&page=2'))).toEqual([4, 5, 6]))

  it('shows a create and a delete at once, in its rows and in its total', async () => {
    const { total } = (await list()).body.meta
    const { id } = (await make('notes', { text: 'new' })).body.data
    expect([idsOf(await list('?per_page=1')), (await list()).body.meta.total]).toEqual([[id], total + 1])
    await service.api('DELETE', `/api/e/notes/${id}`, { token: service.admin.token })
    expect(idsOf(await list('?per_page=1'))).not.toContain(id)
    expect((await list()).body.meta.total).toBe(total)
  })

  it('has the right pages where ids are missing', async () => {
    await makeTable(service, 'holes', [{ name: 'n', type: 'integer' }])
    for (let n = 1; n <= 30; n += 1) await make('holes', { n })
    for (const id of [2, 3, 11, 29, 30])
      await service.api('DELETE', `/api/e/holes/${id}`, { token: service.admin.token })
    const left = rangeDown(30, 1).filter((id) => ![2, 3, 11, 29, 30].includes(id))
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?per_page=10&page=${page}`, 'holes')))
    expect(pages.flatMap(idsOf)).toEqual(left)
    expect(idsOf(await list('?per_page=10&page=2&sort=id', 'holes'))).toEqual(left.toReversed().slice(10, 20))
  })

  it('limits a page to 4 MB: a cursor ends it early, a page number is refused with the number of records that fit', async () => {
    await makeTable(service, 'large', [{ name: 'text', type: 'textarea' }])
    for (let n = 1; n <= 16; n += 1) await make('large', { text: `${n}`.padEnd(300_000, 'x') })
    const whole = await list('?per_page=16', 'large')
    expect(whole.status).toBe(422)
    expect(whole.body.errors.per_page[0]).toContain('13 fit')
    const first = await list('?per_page=2', 'large')
    const rest = await list(`?per_page=100&cursor=${first.body.meta.next_cursor}`, 'large')
    expect(idsOf(rest)).toEqual(rangeDown(14, 2))
    expect(idsOf(await list(`?per_page=100&cursor=${rest.body.meta.next_cursor}`, 'large'))).toEqual([1])
  })

  it.each([
    ['bytes', 'ж', 12],
    ['quotes, which take two bytes in JSON and four in what carries it', '"', 8],
  ])('limits a page to 4 MB where its text is long in %s', async (_, letter, fit) => {
    const model = `long_${letter === '"' ? 'quotes' : 'letters'}`
    await makeTable(service, model, [{ name: 'text', type: 'textarea' }])
    for (let n = 1; n <= 14; n += 1) await make(model, { text: letter.repeat(170_000) })
    const whole = await list('?per_page=14', model)
    expect([whole.status, whole.body.errors]).toEqual([
      422,
      { per_page: [`A page of 14 records is larger than 4 MB here; ${fit} fit. Use a cursor or a smaller per_page.`] },
    ])
    const first = await list('?per_page=1', model)
    const rest = await list(`?per_page=100&cursor=${first.body.meta.next_cursor}`, model)
    expect([rest.status, rest.body.data?.length]).toEqual([200, fit])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable, requestFields } from '../../make/builders/records/tables.ts'
import { runs } from '../../make/depth.ts'
import { sharedService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
let clerk: { token: string }
const post = (body: object, { model = 'requests', query = '', token = service.admin.token } = {}) =>
  service.api('POST', `/api/e/${model}/list-server${query}`, { token, body })
const get = (parameters: Record<string, string>, token = service.admin.token) =>
  service.api('GET', `/api/e/requests?${new URLSearchParams(parameters)}`, { token })
const make = async (model: string, body: object) => {
  const { status, body: answer } = await service.api('POST', `/api/e/${model}`, { token: service.admin.token, body })
  if (status !== 201) throw new Error(JSON.stringify(answer))
  return answer.data.id as number
}
const titles = ({ body }: ApiAnswer): string[] => body.data.map(({ data }: { data: { title: string } }) => data.title)
const matching = async (filter: object, sort: string[] = ['id']): Promise<string[]> => {
  const answer = await post({ filter, sort })
  expect(answer.body).toMatchObject({ success: true })
  expect(answer.body.meta.total).toBe(answer.body.data.length)
  return titles(answer)
}

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text', required: true, indexed: true },
    { name: 'city', type: 'text' },
  ])
  await makeTable(service, 'requests', [
    ...requestFields,
    { name: 'due', type: 'date' },
    { name: 'owner', type: 'user' },
    { name: 'unit', type: 'org_unit' },
  ])
  await make('clients', { name: 'Ann', city: 'Bern' })
  await make('clients', { name: 'Bob', city: 'Rome' })
  await make('requests', {
    title: 'alpha',
    priority: 1,
    source: 'mail',
    client_id: 1,
    due: '2026-01-10',
    note: 'The printer is jammed',
    owner: service.admin.userId,
  })
  await make('requests', {
    title: 'Beta',
    priority: 5,
    source: 'phone',
    client_id: 2,
    due: '2026-02-10',
    note: 'Drucker, ÄRGER with the printing press',
  })
  await make('requests', { title: 'gamma', priority: 3, source: 'mail', client_id: 1, note: 'nothing of the kind' })
  await make('requests', { title: 'Delta printer', priority: 3, code: 'D-1', note: '' })
  await make('requests', { title: 'epsilon', priority: 2, source: 'phone', due: '2030-01-01' })
  clerk = await userWith(service, ['requests.read'])
})
afterAll(() => service?.stop())

describe('a filter', () => {
  it.each<[object, string[]]>([
    [{ priority: { _eq: 3 } }, ['gamma', 'Delta printer']],
    [{ priority: { _neq: 3 } }, ['alpha', 'Beta', 'epsilon']],
    [{ priority: { _lt: 2 } }, ['alpha']],
    [{ priority: { _lte: 2 } }, ['alpha', 'epsilon']],
    [{ priority: { _gt: 3 } }, ['Beta']],
    [{ priority: { _gte: 3 } }, ['Beta', 'gamma', 'Delta printer']],
    [{ priority: { _in: [1, 5] } }, ['alpha', 'Beta']],
    [{ priority: { _nin: [1, 5] } }, ['gamma', 'Delta printer', 'epsilon']],
    [{ due: { _between: ['2026-01-01', '2026-01-31'] } }, ['alpha']],
    [{ due: { _null: true } }, ['gamma', 'Delta printer']],
    [{ due: { _nnull: true } }, ['alpha', 'Beta', 'epsilon']],
    [{ title: { _contains: 'eta' } }, ['Beta']],
    [{ title: { _icontains: 'ET' } }, ['Beta']],
    [{ title: { _starts_with: 'b' } }, []],
    [{ title: { _istarts_with: 'b' } }, ['Beta']],
    [{ title: { _ends_with: 'a' } }, ['alpha', 'Beta', 'gamma']],
    [{ note: { _empty: true } }, ['Delta printer', 'epsilon']],
    [{ note: { _nempty: true } }, ['alpha', 'Beta', 'gamma']],
    [{ _and: [{ source: 'mail' }, { priority: { _gte: 2 } }] }, ['gamma']],
    [{ _or: [{ priority: 5 }, { source: 'mail' }] }, ['alpha', 'Beta', 'gamma']],
    [{ _not: { source: 'mail' } }, ['Beta', 'Delta printer', 'epsilon']],
    [{ source: 'mail' }, ['alpha', 'gamma']],
    [{ source: ['mail', 'phone'] }, ['alpha', 'Beta', 'gamma', 'epsilon']],
    [{ source: { _neq: 'mail' } }, ['Beta', 'Delta printer', 'epsilon']],
    [{ 'client_id.name': 'Ann' }, ['alpha', 'gamma']],
    [{ client_id: { city: { _starts_with: 'Ro' } } }, ['Beta']],
    [{ 'client_id.name': { _neq: 'Ann' } }, ['Beta', 'Delta printer', 'epsilon']],
    [{ id: { _gte: 4 } }, ['Delta printer', 'epsilon']],
    [
      { created_at: { _gt: '$NOW(-1 hour)' }, created_by: '$CURRENT_USER' },
      ['alpha', 'Beta', 'gamma', 'Delta printer', 'epsilon'],
    ],
    [{ updated_at: { _gt: '$NOW' } }, []],
    [{ owner: '$CURRENT_USER' }, ['alpha']],
    [{ unit: '$CURRENT_ORG_UNITS' }, []],
    [{ unit: { _nin: ['$CURRENT_ORG_UNITS', 7] }, id: { _lte: 2 } }, ['alpha', 'Beta']],
    [{ due: { _gt: '$TODAY' } }, ['epsilon']],
  ])('selects the matching records for %j', async (filter, expected) =>
    expect(await matching(filter)).toEqual(expected),
  )
})

describe('a list', () => {
  it.each<[string[], string[]]>([
    [
      ['-priority', 'id'],
      ['Beta', 'gamma', 'Delta printer', 'epsilon', 'alpha'],
    ],
    [['-priority'], ['Beta', 'Delta printer', 'gamma', 'epsilon', 'alpha']],
    [['due'], ['alpha', 'Beta', 'epsilon', 'gamma', 'Delta printer']],
    [['-due'], ['epsilon', 'Beta', 'alpha', 'Delta printer', 'gamma']],
    [
      ['client_id.name', '-title'],
      ['gamma', 'alpha', 'Beta', 'epsilon', 'Delta printer'],
    ],
    [['-created_at'], ['epsilon', 'Delta printer', 'gamma', 'Beta', 'alpha']],
  ])('sorted by %j has records without a value last', async (sort, expected) =>
    expect(titles(await post({ sort }))).toEqual(expected),
  )

  it('answers the same query in GET parameters', async () => {
    const answer = await get({
      filter: '{"priority":{"_gte":2}}',
      sort: '-priority,id',
      fields: 'title,client_id.name',
      per_page: '2',
    })
    expect(titles(answer)).toEqual(['Beta', 'gamma'])
    expect(answer.body.data[0]).toEqual({
      id: 2,
      data: { title: 'Beta' },
      expanded: { client_id: { id: 2, data: { name: 'Bob' } } },
    })
    expect(answer.body.meta).toMatchObject({ total: 4, last_page: 2 })
    expect(
      (
        await service.api('GET', new URL(answer.body.links.next).pathname + new URL(answer.body.links.next).search, {
          token: service.admin.token,
        })
      ).body.data,
    ).toHaveLength(2)
    const cursor = await get({
      filter: '{"priority":{"_gte":2}}',
      sort: '-priority,id',
      per_page: '2',
      cursor: answer.body.meta.next_cursor,
    })
    expect([titles(cursor), cursor.body.meta]).toEqual([
      ['Delta printer', 'epsilon'],
      expect.objectContaining({ from: 3, to: 4, total: 4, next_cursor: null }),
    ])
  })

  it('is paged by the links of its answer when the same body is sent again', async () => {
    const body = { sort: ['id'], page: 1, per_page: 2 }
    const first = await post(body)
    const next = await post(body, { query: new URL(first.body.links.next).search })
    expect([titles(next), next.body.meta.current_page]).toEqual([['gamma', 'Delta printer'], 2])
    expect((await post(body, { query: '?page=-1&per_page=0' })).body.meta).toMatchObject({
      current_page: 1,
      per_page: 1,
    })
  })

  it('agrees with its total right after every write', async () => {
    await makeTable(service, 'young', [{ name: 'done', type: 'boolean' }])
    for (let n = 1; n <= 4; n += 1) {
      const id = await make('young', { done: n % 2 === 0 })
      for (const filter of [{ done: true }, { done: false }, { done: { _neq: true } }]) {
        const { body } = await post({ filter }, { model: 'young' })
        expect([body.meta.total, body.meta.last_page]).toEqual([body.data.length, 1])
        expect((await post({ filter, per_page: 1 }, { model: 'young' })).body.meta.total).toBe(body.data.length)
      }
      const { body } = await post({ group_by: ['done'], aggregate: { count: '*' } }, { model: 'young' })
      expect(body.data.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(
        (await post({}, { model: 'young' })).body.meta.total,
      )
      if (n === 3) await service.api('DELETE', `/api/e/young/${id}`, { token: service.admin.token })
    }
  })

  it('treats empty parameters as absent', async () => {
    const answer = await get({
      fields: '',
      expand: '',
      sort: '',
      search: '',
      filter: '',
      page: '',
      per_page: '',
      cursor: '',
    })
    expect([answer.status, answer.body.data[0].data.title, answer.body.data[0].expanded]).toEqual([
      200,
      'epsilon',
      undefined,
    ])
  })

  it('refuses a cursor of another query', async () => {
    const { body } = await post({ sort: ['-priority'], per_page: 2 })
    for (const other of [
      { sort: ['priority'] },
      { sort: ['-priority'], filter: { priority: 1 } },
      { sort: ['-priority'], search: 'x' },
    ]) {
      const answer = await post({ ...other, per_page: 2, cursor: body.meta.next_cursor })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['cursor']])
    }
  })

  it('holds only the selected fields', async () => {
    const { body } = await post({
      fields: ['id', 'title', 'created_by', 'client_id.name'],
      expand: ['owner'],
      filter: { id: 1 },
    })
    expect(body.data).toEqual([
      {
        id: 1,
        created_by: 1,
        data: { title: 'alpha' },
        expanded: { client_id: { id: 1, data: { name: 'Ann' } }, owner: { id: 1, name: 'Grace Hopper' } },
      },
    ])
  })

  it('expands a reference to the whole record, or to null when it is empty', async () => {
    const { body } = await post({ expand: ['client_id'], sort: ['id'] })
    expect(
      body.data.map(
        ({ expanded }: { expanded: { client_id: { data: object } | null } }) => expanded.client_id?.data ?? null,
      ),
    ).toEqual([{ name: 'Ann', city: 'Bern' }, { name: 'Bob', city: 'Rome' }, { name: 'Ann', city: 'Bern' }, null, null])
    expect(body.data[0].expanded.client_id).toMatchObject({ id: 1, version: 1 })
  })

  it('our choice: does not expand a table that the caller may not read, and refuses to filter by it', async () => {
    const { body } = await post(
      { fields: ['title', 'client_id.name'], expand: ['client_id'], filter: { id: 1 } },
      { token: clerk.token },
    )
    expect(body.data).toEqual([{ id: 1, data: { title: 'alpha' } }])
    const refused = await post({ filter: { 'client_id.name': 'Ann' } }, { token: clerk.token })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { 'filter.client_id.name': ['You may not read clients, which client_id refers to.'] },
    ])
  })

  it('names every error by its path', async () => {
    const answer = await post({
      filter: { priority: { _gte: 'x' } },
      sort: ['colour'],
      fields: ['title', 'id', 'nothing'],
    })
    expect([answer.status, answer.body.message, Object.keys(answer.body.errors)]).toEqual([
      422,
      'Validation error',
      ['filter.priority._gte', 'sort', 'fields.2'],
    ])
    expect((await post({ where: {} })).body.errors).toEqual({
      where: [expect.stringMatching(/^The where field is unknown\. Known are: filter, /)],
    })
    expect((await get({ filter: '{"priority"' })).status).toBe(400)
  })

  it('explains its plan to administrators only', async () => {
    const { body } = await post({ filter: { priority: { _gte: 3 } }, explain: true })
    expect(body.meta.explain).toEqual({ plan: 'columns', columns: { requests: ['priority'] }, records_read: 3 })
    expect((await get({ explain: 'true' })).body.meta.explain.plan).toBe('records by id')
    expect((await post({ explain: true }, { token: clerk.token })).status).toBe(403)
  })
})

describe('a search', () => {
  it.each<[string, string[]]>([
    ['printer', ['Delta printer', 'alpha']],
    ['PRINT', ['Delta printer', 'Beta', 'alpha']],
    ['arger', ['Beta']],
    ['jammed prin', ['alpha']],
    ['printer arger', []],
    ['?!', []],
  ])('for %j answers the matching records', async (search, expected) => {
    await service.cloud.idle()
    const answer = await post({ search })
    const found = titles(answer)
    expect([found[0], found.toSorted(), answer.body.meta.total]).toEqual([
      expected[0],
      expected.toSorted(),
      expected.length,
    ])
  })

  it('finds a value right after it is written, and no longer after it is overwritten', async () => {
    await makeTable(service, 'posts', [{ name: 'title', type: 'text' }])
    const found = async (search: string) => {
      const { body } = await post({ search }, { model: 'posts' })
      expect(body.meta.total).toBe(body.data.length)
      return titles({ body } as ApiAnswer)
    }
    const id = await make('posts', { title: 'printer jammed' })
    expect([await found('printer'), await found('jam'), await found('scanner')]).toEqual([
      ['printer jammed'],
      ['printer jammed'],
      [],
    ])
    await service.api('PATCH', `/api/e/posts/${id}`, { token: service.admin.token, body: { title: 'scanner' } })
    await make('posts', { title: 'scanner scanner' })
    expect([await found('printer'), await found('scan')]).toEqual([[], ['scanner scanner', 'scanner']])
    await service.api('DELETE', `/api/e/posts/${id}`, { token: service.admin.token })
    expect(await found('scanner')).toEqual(['scanner scanner'])
  })

  it('can be combined with a filter and a sort', async () => {
    expect(titles(await post({ search: 'print', filter: { priority: { _lt: 5 } }, sort: ['title'] }))).toEqual([
      'Delta printer',
      'alpha',
    ])
  })
})

describe('groups', () => {
  it('are counted and aggregated', async () => {
    const { body } = await post({
      group_by: ['source'],
      aggregate: { count: '*', avg: ['priority'], sum: ['priority'], min: ['title'], max: ['due'] },
    })
    expect(body.data).toEqual([
      {
        group: { source: 'mail' },
        count: 2,
        avg: { priority: 2 },
        sum: { priority: 4 },
        min: { title: 'alpha' },
        max: { due: '2026-01-10' },
      },
      {
        group: { source: 'phone' },
        count: 2,
        avg: { priority: 3.5 },
        sum: { priority: 7 },
        min: { title: 'Beta' },
        max: { due: '2030-01-01' },
      },
      {
        group: { source: null },
        count: 1,
        avg: { priority: 3 },
        sum: { priority: 3 },
        min: { title: 'Delta printer' },
        max: { due: null },
      },
    ])
    expect(body.meta).toMatchObject({ total: 3, last_page: 1 })
  })

  it('follow the filter, and are one group of all records without group_by', async () => {
    expect((await post({ group_by: ['priority', 'source'], filter: { source: 'mail' } })).body.data).toEqual([
      { group: { priority: 1, source: 'mail' }, count: 1 },
      { group: { priority: 3, source: 'mail' }, count: 1 },
    ])
    expect((await post({ aggregate: { count: '*', avg: ['priority'] }, filter: { priority: 99 } })).body.data).toEqual([
      { group: {}, count: 0, avg: { priority: null } },
    ])
    await service.cloud.idle()
    expect((await post({ group_by: ['source'] })).body.data.map(({ count }: { count: number }) => count)).toEqual([
      2, 2, 1,
    ])
  })
})

describe('the order of groups', () => {
  it.each<[string[], unknown[]]>([
    [['-source'], ['phone', 'mail', null]],
    [
      ['-count', '-source'],
      ['phone', 'mail', null],
    ],
    [['-avg.priority'], ['phone', null, 'mail']],
    [
      ['-priority', 'id'],
      ['mail', 'phone', null],
    ],
  ])('follows %j where it applies to groups', async (sort, expected) => {
    const { body } = await post({ sort, group_by: ['source'], aggregate: { count: '*', avg: ['priority'] } })
    expect(body.data.map(({ group }: { group: { source: string } }) => group.source)).toEqual(expected)
  })

  it('cannot follow an unknown field', async () => {
    expect((await post({ sort: ['nothing'], group_by: ['source'] })).body.errors).toHaveProperty('sort')
  })
})

describe('AG Grid’s server-side row model', () => {
  it('is translated and answered with rowCount', async () => {
    const { status, body } = await post({
      startRow: 1,
      endRow: 3,
      filterModel: {
        'data.priority': { filterType: 'number', type: 'greaterThanOrEqual', filter: 2 },
        title: {
          filterType: 'text',
          operator: 'OR',
          conditions: [
            { type: 'contains', filter: 'ETA' },
            { type: 'endsWith', filter: 'n' },
            { type: 'startsWith', filter: 'G' },
          ],
        },
      },
      sortModel: [
        { colId: 'data.priority', sort: 'desc' },
        { colId: 'title', sort: 'asc' },
      ],
      rowGroupCols: [],
      valueCols: [],
      pivotCols: [],
      pivotMode: false,
      groupKeys: [],
    })
    expect([status, titles({ body } as ApiAnswer), body.rowCount, body.success]).toEqual([
      200,
      ['gamma', 'epsilon'],
      3,
      true,
    ])
  })

  it('can group rows and open a group', async () => {
    const grouped = {
      startRow: 0,
      endRow: 100,
      rowGroupCols: [{ id: 'source', field: 'data.source' }],
      valueCols: [{ id: 'priority', field: 'data.priority', aggFunc: 'avg' }],
      filterModel: {},
      sortModel: [],
    }
    const { body } = await post({ ...grouped, groupKeys: [] })
    expect([body.rowCount, body.data[0]]).toEqual([
      3,
      { group: { source: 'mail' }, data: { source: 'mail', priority: 2 }, count: 2, avg: { priority: 2 } },
    ])
    expect(titles(await post({ ...grouped, groupKeys: ['mail'], sortModel: [{ colId: 'id', sort: 'asc' }] }))).toEqual([
      'alpha',
      'gamma',
    ])
  })

  it('opens the groups of nothing and of empty texts by the keys that their rows have', async () => {
    const grouped = {
      startRow: 0,
      endRow: 100,
      rowGroupCols: [
        { id: 'data.note', displayName: 'Note', field: 'data.note' },
        { id: 'expanded.client_id.data.name', displayName: 'Client', field: 'expanded.client_id.data.name' },
      ],
      valueCols: [
        { id: 'data.title', displayName: 'First', field: 'data.title', aggFunc: 'first' },
        { id: 'data.priority', displayName: 'Count', field: 'data.priority', aggFunc: 'count' },
      ],
      sortModel: [{ colId: 'ag-Grid-AutoColumn', sort: 'asc', type: 'default' }],
    }
    const groups = (await post({ ...grouped, groupKeys: [] })).body.data
    expect([groups[0], groups.at(-1)]).toEqual([
      {
        group: { note: '' },
        data: { note: '\u200b', title: 'Delta printer', priority: 1 },
        count: 1,
        first: { title: 'Delta printer' },
      },
      {
        group: { note: null },
        data: { note: '', title: 'epsilon', priority: 1 },
        count: 1,
        first: { title: 'epsilon' },
      },
    ])
    for (const [key, title] of [
      ['', 'epsilon'],
      ['\u200b', 'Delta printer'],
    ]) {
      const inner = (await post({ ...grouped, groupKeys: [key] })).body.data
      expect(inner).toMatchObject([
        { group: { 'client_id.name': null }, expanded: { client_id: { data: { name: '' } } } },
      ])
      expect(titles(await post({ ...grouped, groupKeys: [key, ''] }))).toEqual([title])
    }
    const ann = groups.find(({ group }: { group: { note: string } }) => group.note === 'nothing of the kind')
    expect((await post({ ...grouped, groupKeys: [ann.data.note] })).body.data[0].expanded.client_id.data).toEqual({
      name: 'Ann',
    })
  })

  it.each<[object, string[]]>([
    [{ title: { filterType: 'text', type: 'equals', filter: 'ALPHA' } }, ['alpha']],
    [{ title: { filterType: 'text', type: 'endsWith', filter: 'MMA' } }, ['gamma']],
    [
      { title: { filterType: 'text', type: 'notEqual', filter: 'BETA' } },
      ['alpha', 'gamma', 'Delta printer', 'epsilon'],
    ],
    [
      { priority: { filterType: 'number', type: 'inRange', filter: 1, filterTo: 5 } },
      ['gamma', 'Delta printer', 'epsilon'],
    ],
    [
      { priority: { filterType: 'number', type: 'inRange', filter: 1, filterTo: 3, inRangeInclusive: true } },
      ['alpha', 'gamma', 'Delta printer', 'epsilon'],
    ],
    [
      {
        filterType: 'join',
        type: 'AND',
        conditions: [
          { filterType: 'number', colId: 'data.priority', type: 'lessThan', filter: 5 },
          {
            filterType: 'join',
            type: 'OR',
            conditions: [
              { filterType: 'set', colId: 'data.source', type: 'isNoneOf', values: ['mail', null] },
              { filterType: 'text', colId: 'expanded.client_id.data.name', type: 'startsWith', filter: 'AN' },
            ],
          },
        ],
      },
      ['alpha', 'gamma', 'epsilon'],
    ],
    [{ source: { filterType: 'set', values: ['phone', null] } }, ['Beta', 'Delta printer', 'epsilon']],
    [{ priority: { filterType: 'set', values: ['1', '5'] } }, ['alpha', 'Beta']],
    [
      { priority: { filterType: 'multi', filterModels: [null, { filterType: 'set', values: ['3'] }] } },
      ['gamma', 'Delta printer'],
    ],
    [{ due: { filterType: 'date', type: 'equals', dateFrom: '2026-01-10 00:00:00', dateTo: null } }, ['alpha']],
    [{ due: { filterType: 'date', type: 'lessThan', dateFrom: '2026-02-10 10:30:00', dateTo: null } }, ['alpha']],
    [{ note: { filterType: 'text', type: 'blank' } }, ['Delta printer', 'epsilon']],
    [{ title: { filterType: 'text', type: 'notContains', filter: 'TA' } }, ['alpha', 'gamma', 'epsilon']],
  ])('reads the filter %j', async (filterModel, expected) => {
    expect(
      titles(await post({ startRow: 0, endRow: 10, filterModel, sortModel: [{ colId: 'id', sort: 'asc' }] })),
    ).toEqual(expected)
  })

  it('our choice: filters a datetime by whole days', async () => {
    const { created_at } = (await post({ filter: { id: 1 } })).body.data[0]
    const day = `${created_at.slice(0, 10)} 00:00:00`
    const rows = async (type: string, more: object = {}) =>
      (
        await post({
          startRow: 0,
          endRow: 1,
          ...more,
          filterModel: { created_at: { filterType: 'date', type, dateFrom: day, dateTo: day } },
        })
      ).body.rowCount
    expect(await rows('greaterThanOrEqual')).toBe(5)
    expect((await rows('equals')) + (await rows('greaterThan'))).toBe(5)
    expect((await rows('inRange', { inRangeInclusive: true })) - (await rows('equals'))).toBe(0)
    expect([await rows('inRange'), await rows('today'), await rows('lastMonth')]).toEqual([0, 5, 0])
    expect((await rows('notEqual')) + (await rows('equals'))).toBe(5)
    expect(await rows('lessThan')).toBe(0)
  })

  it('can group by ids, whose keys it sends as text, and sort groups', async () => {
    const grouped = {
      startRow: 0,
      endRow: 100,
      rowGroupCols: [{ id: 'client_id', field: 'client_id' }],
      valueCols: [{ id: 'priority', field: 'priority', aggFunc: 'max' }],
    }
    expect(
      titles(
        await post({
          ...grouped,
          groupKeys: ['1'],
          sortModel: [
            { colId: 'ag-Grid-AutoColumn', sort: 'asc' },
            { colId: 'title', sort: 'desc' },
          ],
        }),
      ),
    ).toEqual(['gamma', 'alpha'])
    const clients = async (colId: string, sort: string) =>
      (await post({ ...grouped, groupKeys: [], sortModel: [{ colId, sort }] })).body.data.map(
        ({ group }: { group: { client_id: number } }) => group.client_id,
      )
    expect(await clients('ag-Grid-AutoColumn-client_id', 'desc')).toEqual([2, 1, null])
    expect(await clients('priority', 'desc')).toEqual([2, 1, null])
    expect(await clients('priority', 'asc')).toEqual([1, null, 2])
  })

  it('gets the errors of a filter under their path in filterModel', async () => {
    const { status, body } = await post({
      startRow: 0,
      filter: { owner: 'x' },
      filterModel: {
        nothing: { type: 'contains', filter: 'x' },
        priority: { filterType: 'number', type: 'equals', filter: 'x' },
      },
    })
    expect([status, body.errors]).toEqual([
      422,
      {
        'filter.owner': ['The filter.owner must be a number.'],
        'filterModel.nothing': ['There is no field nothing in requests.'],
        'filterModel.priority': ['The filterModel.priority must be a number.'],
      },
    ])
  })

  it('gets the path of a filter that cannot be translated', async () => {
    const { status, body } = await post({
      startRow: 0,
      filterModel: { title: { filterType: 'text', type: 'sounds like', filter: 'x' } },
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['filterModel.title']])
  })

  it.each<[object, Record<string, RegExp>]>([
    [{ pivotMode: true }, { pivotMode: /^Pivoting is not supported\. Switch pivot mode off/ }],
    [
      { sortModel: [{ colId: 'priority', sort: 'asc', type: 'absolute' }] },
      { 'sortModel.0.type': /Only the sort type default/ },
    ],
    [{ sortModel: [{ colId: 'prioriti', sort: 'asc' }] }, { sortModel: /no field prioriti/ }],
    [
      { filterModel: { title: { filterType: 'text', type: 'startWith', filter: 'x' } } },
      { 'filterModel.title': /^The filter type startWith is not supported\. Did you mean startsWith\?$/ },
    ],
    [
      { filterModel: { title: { filterType: 'text', type: 'contains', filtr: 'x' } } },
      { 'filterModel.title.filtr': /Did you mean filter\?/ },
    ],
    [
      { filterModel: { priority: { filterType: 'text', type: 'contains', filter: '3' } } },
      {
        'filterModel.priority':
          /^The text filter contains does not apply to priority, which holds numbers\. Use a number/,
      },
    ],
    [
      { filterModel: { due: { filterType: 'date', type: 'equals', dateFrom: 'soon' } } },
      { 'filterModel.due': /needs a date such as 2026-11-20/ },
    ],
    [
      {
        rowGroupCols: [{ id: 'sorce', field: 'data.sorce' }],
        valueCols: [
          { id: 'title', field: 'data.title', aggFunc: 'sum' },
          { id: 'priority', field: 'data.priority', aggFunc: 'median' },
        ],
      },
      {
        'rowGroupCols.0': /no field sorce/,
        'valueCols.0': /The sum of title cannot be taken/,
        'valueCols.1.aggFunc':
          /The aggFunc median is not supported\. Supported are sum, avg, min, max, first, last, count/,
      },
    ],
    [{ filterModel: { filterType: 'join', type: 'XOR', conditions: [] } }, { 'filterModel.type': /AND or OR/ }],
  ])('is told what is not supported in %j', async (request, expected) => {
    const { status, body } = await post({ startRow: 0, endRow: 10, ...request })
    expect([status, Object.keys(body.errors).toSorted()]).toEqual([422, Object.keys(expected).toSorted()])
    for (const [path, message] of Object.entries(expected)) expect(body.errors[path][0]).toMatch(message)
  })
})

it('a list requires read permission and an existing table', async () => {
  const stranger = await userWith(service, ['clients.read'])
  expect((await post({}, { token: stranger.token })).status).toBe(403)
  expect((await post({}, { model: 'nothing' })).status).toBe(404)
})

it('totals are exact after a thousand concurrent creates, updates and deletes', { timeout: 240_000 }, async () => {
  await makeTable(service, 'busy', [
    { name: 'n', type: 'integer' },
    { name: 'source', type: 'value_list', options: [{ slug: 'mail' }, { slug: 'phone' }] },
  ])
  const { token } = service.admin
  const run = async (work: (n: number) => Promise<unknown>, count: number): Promise<void> => {
    let next = 0
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (next < count) await work(next++)
      }),
    )
  }
  await run((n) => make('busy', { n: n % 7, source: n % 2 ? 'mail' : 'phone' }), 400)
  await run(
    async (n) => {
      if (n % 3 === 0) await make('busy', { n: n % 7, source: 'mail' })
      else if (n % 3 === 1)
        await service.api('PATCH', `/api/e/busy/${1 + (n % 400)}`, {
          token,
          body: { n: 100, source: n % 2 ? 'phone' : 'mail' },
        })
      else await service.api('DELETE', `/api/e/busy/${1 + ((n * 7) % 400)}`, { token })
    },
    runs(600, 200),
  )
  await service.cloud.idle()
  const everything: { id: number; data: { n: number; source: string } }[] = []
  for (let cursor: string | null = null; ;) {
    const { body } = await post({ per_page: 200, cursor }, { model: 'busy' })
    everything.push(...body.data)
    expect(body.meta.total).toBeGreaterThan(0)
    cursor = body.meta.next_cursor
    if (cursor === null) break
  }
  const total = async (filter: object): Promise<number> =>
    (await post({ filter, per_page: 1 }, { model: 'busy' })).body.meta.total
  expect(await total({})).toBe(everything.length)
  for (const source of ['mail', 'phone'])
    expect(await total({ source })).toBe(everything.filter(({ data }) => data.source === source).length)
  expect(await total({ n: { _gte: 5 } })).toBe(everything.filter(({ data }) => data.n >= 5).length)
  expect(await total({ n: 100, source: 'mail' })).toBe(
    everything.filter(({ data }) => data.n === 100 && data.source === 'mail').length,
  )
})

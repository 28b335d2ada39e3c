/** Every route that answers records of a table, and what it has to answer under row rules. */
import { expect } from 'vitest'
import type { ApiAnswer } from '../services/service.ts'
import { expectedIds, type Around, type PlainRecord } from './query-oracle.ts'

type Filter = Record<string, unknown>

/** All data, as the administrator reads it. */
export const emptyWorld = () => ({
  clients: new Map<number, PlainRecord>(),
  requests: [] as PlainRecord[],
  /** The records before their change, by id; at `earlier`. */
  past: new Map<number, PlainRecord>(),
  earlier: '',
  /** The records before their delete. */
  deleted: [] as PlainRecord[],
  /** Clients linked to a request. */
  links: new Map<number, readonly number[]>(),
  files: [] as { readonly path: string; readonly request: number }[],
})
export type RowRuleWorld = ReturnType<typeof emptyWorld>

/** What a user may see under some rules: all that the oracle needs to compute every answer. */
export interface View {
  readonly requests: readonly PlainRecord[]
  readonly around: Around
  maySee(request: PlainRecord): boolean
}

type Reader = (view: View, asked: { readonly filter: Filter; readonly sort: readonly string[] }) => Promise<void>
const idsOf = ({ body }: { body: any }): number[] => body.data.map(({ id }: { id: number }) => id)
const tierOf = ({ data }: PlainRecord, { clients }: Around): unknown =>
  clients.get(data.client_id as number)?.data.tier ?? null
const count = (values: readonly unknown[]): Map<unknown, number> =>
  new Map([...Map.groupBy(values, (value) => value)].map(([value, some]) => [value, some.length]))
const sampled = [1, 3, 6, 9, 11, 12, 20, 36]

/** Expects the lines of an export to be the records that the viewer may see, with what of their clients shows. */
function expectExported(
  body: unknown,
  { requests, around }: Pick<View, 'requests' | 'around'>,
  { filter, sort }: Parameters<Reader>[1],
): void {
  // `service.api` has parsed a file of one line, or none, as JSON.
  const lines: any[] =
    typeof body === 'string'
      ? body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [body ?? []].flat()
  const expected = expectedIds(requests, { filter, sort }, around)
  expect(lines.map(({ id }) => id)).toEqual(expected)
  for (const { id, expanded } of lines)
    expect(expanded.client_id?.data.tier ?? null).toBe(
      tierOf(requests.find((one) => one.id === id) as PlainRecord, around),
    )
}

interface Viewing {
  readonly world: RowRuleWorld
  /** Calls the API as the user whom the rules limit. */
  readonly as: (method: string, path: string, body?: unknown) => Promise<ApiAnswer>
  /** The id of the relation between requests and clients. */
  readonly relation: () => number
}

/** Expects of each route, by its key, what a view shows and nothing else. */
export function rowRuleReaders({ world, as, relation }: Viewing): Record<string, Reader> {
  const list = (body: object) => as('POST', '/api/e/requests/list-server', { per_page: 1000, ...body })

  /** What belongs to a record is answered for those that the caller sees, and is 404 for all others. */
  async function shownOnly(part: string, requests: readonly PlainRecord[]): Promise<void> {
    const answers = await Promise.all(
      sampled.map(async (id) => (await as('GET', `/api/e/requests/${id}/${part}`)).status),
    )
    expect(answers).toEqual(sampled.map((id) => (requests.some((one) => one.id === id) ? 200 : 404)))
  }

  return {
    'GET /api/e/{model}': async ({ requests, around }, { filter, sort }) => {
      const answer = await as('GET', `/api/e/requests?per_page=1000&expand=client_id`)
      expect([idsOf(answer), answer.body.meta.total]).toEqual([expectedIds(requests, {}, around), requests.length])
      for (const { data, expanded } of answer.body.data)
        expect(expanded.client_id?.data ?? null).toEqual(around.clients.get(data.client_id)?.data ?? null)
      const expected = expectedIds(requests, { filter, sort }, around)
      const query = `filter=${encodeURIComponent(JSON.stringify(filter))}&sort=${sort.join()}&per_page=7`
      const byCursor: number[] = []
      for (let cursor = ''; ;) {
        const { body } = await as('GET', `/api/e/requests?${query}${cursor}`)
        expect(body.meta.total).toBe(expected.length)
        byCursor.push(...idsOf({ body }))
        if (!body.meta.next_cursor) break
        cursor = `&cursor=${body.meta.next_cursor}`
      }
      expect(byCursor).toEqual(expected)
      for (const word of ['print', 'lamp']) {
        const found = await as('GET', `/api/e/requests?search=${word}&per_page=1000`)
        const wanted = requests.filter(({ data }) => String(data.title).includes(word)).map(({ id }) => id)
        expect([idsOf(found).sort(), found.body.meta.total]).toEqual([wanted.sort(), wanted.length])
      }
    },
    'POST /api/e/{model}/list-server': async ({ requests, around }, { filter, sort }) => {
      const expected = expectedIds(requests, { filter, sort }, around)
      const secondPage = await list({
        filter,
        sort,
        page: 2,
        per_page: 5,
        fields: ['id', 'client_id', 'client_id.tier'],
      })
      expect([idsOf(secondPage), secondPage.body.meta.total]).toEqual([expected.slice(5, 10), expected.length])
      const grid = await list({ startRow: 0, endRow: 4, sortModel: [{ colId: 'priority', sort: 'desc' }] })
      expect([idsOf(grid), grid.body.rowCount]).toEqual([
        expectedIds(requests, { sort: ['-priority'] }, around).slice(0, 4),
        requests.length,
      ])
      const matching = requests.filter(({ id }) => expected.includes(id))
      for (const [field, valueOf] of [
        ['source', ({ data }: PlainRecord) => data.source ?? null],
        ['client_id.tier', (one: PlainRecord) => tierOf(one, around)],
      ] as const) {
        const groups = await list({ filter, group_by: [field], aggregate: { count: '*' } })
        expect(new Map(groups.body.data.map((row: any) => [row.group[field], row.count]))).toEqual(
          count(matching.map(valueOf)),
        )
      }
      const whole = await list({ aggregate: { count: '*', sum: ['priority'], max: ['client_id.name'] } })
      const names = requests.flatMap(
        ({ data }) => (around.clients.get(data.client_id as number)?.data.name as string | undefined) ?? [],
      )
      expect(whole.body.data).toEqual([
        {
          group: {},
          count: requests.length,
          sum: { priority: requests.reduce((sum, { data }) => sum + Number(data.priority ?? 0), 0) },
          max: { 'client_id.name': names.sort().at(-1) ?? null },
        },
      ])
    },
    'GET /api/e/{model}/{id}': async ({ requests, maySee }) => {
      const answers = await Promise.all(
        world.past.keys().map(async (id) => ((await as('GET', `/api/e/requests/${id}`)).status === 200 ? [id] : [])),
      )
      expect(answers.flat()).toEqual(requests.map(({ id }) => id))
      await Promise.all(
        sampled.map(async (id) => {
          const current = [...world.requests, ...world.deleted].find((one) => one.id === id) as PlainRecord
          const past = world.past.get(id) as PlainRecord
          const { status, body } = await as('GET', `/api/e/requests/${id}?as_of=${world.earlier}`)
          const isShown = maySee(current) && maySee(past)
          expect([status, body.data?.data.title], `as of then: ${id}`).toEqual(
            isShown ? [200, past.data.title] : [404, undefined],
          )
        }),
      )
    },
    'GET /api/e/{model}/form': async ({ requests }) => {
      const answers = await Promise.all(
        sampled.map(async (id) => (await as('GET', `/api/e/requests/form?id=${id}`)).body.data?.data.title),
      )
      expect(answers).toEqual(sampled.map((id) => requests.find((one) => one.id === id)?.data.title))
    },
    'GET /api/sys/history/{model}/{id}': async ({ maySee }) => {
      await Promise.all(
        sampled.map(async (id) => {
          const current = [...world.requests, ...world.deleted].find((one) => one.id === id) as PlainRecord
          const { status, body } = await as('GET', `/api/sys/history/requests/${id}`)
          const isDeleted = world.deleted.includes(current)
          expect([status, body.meta?.total], `history of ${id}`).toEqual(
            maySee(current) ? [200, current.version + (isDeleted ? 1 : 0)] : [404, undefined],
          )
        }),
      )
    },
    'GET /api/e/{model}/export': async ({ requests, around }, { filter, sort }) => {
      const { body } = await as(
        'GET',
        `/api/e/requests/export?format=ndjson&fields=id,client_id.tier&sort=${sort.join()}&filter=${encodeURIComponent(JSON.stringify(filter))}`,
      )
      expectExported(body, { requests, around }, { filter, sort })
    },
    'POST /api/e/{model}/export': async ({ requests, around }, { filter, sort }) => {
      const { body } = await as('POST', '/api/e/requests/export', {
        format: 'ndjson',
        fields: ['id', 'client_id.tier'],
        sort,
        filter,
      })
      expectExported(body, { requests, around }, { filter, sort })
    },
    'GET /api/e/{model}/{id}/comments': ({ requests }) => shownOnly('comments', requests),
    'GET /api/e/{model}/{id}/timeline': async ({ maySee }) => {
      await Promise.all(
        sampled.map(async (id) => {
          const current = [...world.requests, ...world.deleted].find((one) => one.id === id) as PlainRecord
          const { status, body } = await as('GET', `/api/e/requests/${id}/timeline?kinds=change`)
          const isDeleted = world.deleted.includes(current)
          expect([status, body.data?.length], `timeline of ${id}`).toEqual(
            maySee(current) ? [200, current.version + (isDeleted ? 1 : 0)] : [404, undefined],
          )
        }),
      )
    },
    'GET /api/e/{model}/{id}/watchers': ({ requests }) => shownOnly('watchers', requests),
    'GET /api/sys/related_instances/{relation_id}/{table_name}/{instance_id}': async ({ requests, around }) => {
      await Promise.all(
        sampled.map(async (id) => {
          const { status, body } = await as('GET', `/api/sys/related_instances/${relation()}/requests/${id}?per_page=2`)
          const linked = requests.some((one) => one.id === id)
            ? (world.links.get(id) as number[]).filter((client) => around.clients.has(client))
            : undefined
          expect([status, body.data && idsOf({ body }), body.meta?.total], `related to ${id}`).toEqual(
            linked ? [200, linked.slice(0, 2), linked.length] : [404, undefined, undefined],
          )
        }),
      )
      const { status, body } = await as('GET', `/api/sys/related_instances/${relation()}/clients/2?per_page=1000`)
      const back = requests.filter(({ id }) => world.links.get(id)?.includes(2)).map(({ id }) => id)
      expect([status, body.data && idsOf({ body }), body.meta?.total]).toEqual(
        around.clients.has(2) ? [200, back, back.length] : [404, undefined, undefined],
      )
    },
  }
}

import { afterAll, beforeAll, expect, it } from 'vitest'
import { unrestricted, type Viewer } from '../../../../../shared/kernel/principal.ts'
import { createRowFilter } from '../../../../../shared/lists/query/row-filter.ts'
import { createQueries } from '../../../../../shared/lists/query/service.ts'
import type { Tables } from '../../../../../shared/tables/tables/read-tables.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import {
  clientsTable,
  type MadeRecords,
  makeRecords,
  seeded,
  tenant,
  thingsTable,
} from '../../../../make/builders/lists/query-records.ts'
import { runs } from '../../../../make/depth.ts'
import { randomQuery, randomTest } from '../../../../make/loads/random-query.ts'
import { type Around, expectedIds, isMatch, type PlainRecord } from '../../../../make/oracles/query-oracle.ts'
import { type ColumnIndex, openColumnIndex } from '../../../../make/services/stores/column-index.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let single: SingleTable
let made: MadeRecords
let index: ColumnIndex
beforeAll(async () => {
  single = await openSingleTable()
  made = await makeRecords(single.store, 130, seeded(20261121))
  index = openColumnIndex(single.store, tenant, [thingsTable, clientsTable])
})
afterAll(() => single?.close())

type Filter = Record<string, unknown>
const tables = { find: async () => clientsTable } as unknown as Tables
const orgTree = { withDescendants: async (_tenant: object, units: readonly number[]) => units }
const passes = (record: PlainRecord, rules: readonly Filter[] | undefined, around: Around): boolean =>
  rules === undefined || rules.some((rule) => isMatch(record, rule, around))

/** A rule on a field of clients. */
function clientRule(random: (below: number) => number): Filter {
  const [[path, test]] = Object.entries(
    randomTest(random, ['client_id.name', 'client_id.tier', 'client_id.score'][random(3)]),
  ) as [[string, unknown]]
  return { [path.slice('client_id.'.length)]: test }
}

/** A viewer whose only role may read everything that the rules of the table leave. */
function limitedBy(filters: Record<string, readonly Filter[] | undefined>): Viewer {
  const rules = Object.entries(filters).flatMap(([table, some = []]) =>
    some.map((filter) => ({ table, action: 'read' as const, filter })),
  )
  return {
    ...unrestricted,
    tenant,
    userId: 1,
    isAdministrator: false,
    permissions: ['*'],
    grants: [{ permissions: ['*'], rules, fields: {} }],
  }
}

it('a user with row rules gets, counts and groups what the oracle allows', { timeout: 240_000 }, async () => {
  const queries = createQueries({ store: single.store, columns: index.columns, clock: frozenClock(), tables, orgTree })
  const rowFilter = createRowFilter({ store: single.store, clock: frozenClock(), tables, orgTree })
  const random = seeded(104_729)
  for (let round = 0; round < runs(300); round += 1) {
    const rules: Record<string, readonly Filter[] | undefined> = {
      things: random(8) === 0 ? undefined : Array.from({ length: 1 + random(2) }, () => randomQuery(random).filter),
      clients: random(4) === 0 ? undefined : [clientRule(random)],
    }
    const viewer = limitedBy(rules)
    const raw = randomQuery(random)
    const visible = made.things.filter((thing) => passes(thing, rules.things, made))
    const around = { clients: new Map([...made.clients].filter(([, client]) => passes(client, rules.clients, made))) }
    const expected = expectedIds(visible, raw, around)
    const context = JSON.stringify({ rules, raw })

    const query = await queries.parse(viewer, thingsTable, { ...raw, expand: ['client_id'] })
    const limit = 2 + random(40)
    const first = await queries.page(tenant, thingsTable, query, { offset: 0, limit })
    expect({ ids: first.rows.map(({ id }) => id), total: first.total }, context).toEqual({
      ids: expected.slice(0, limit),
      total: expected.length,
    })
    const next =
      first.nextCursor === null
        ? []
        : (await queries.page(tenant, thingsTable, query, { offset: 0, limit, cursor: first.nextCursor })).rows
    expect(
      next.map(({ id }) => id),
      `after ${context}`,
    ).toEqual(expected.slice(limit, limit * 2))

    const { reference } = [...query.selection.expand.values()][0] as {
      reference: Parameters<typeof first.related.findVisible>[0]
    }
    const clients = await first.related.findVisible(reference, [1, 2, 3, 4, 5])
    expect(
      clients.map((client) => client !== undefined),
      context,
    ).toEqual([1, 2, 3, 4, 5].map((id) => around.clients.has(id)))

    const grouped = await queries.parse(viewer, thingsTable, {
      filter: raw.filter,
      group_by: ['client_id.tier'],
      aggregate: { count: '*' },
    })
    const counts = Map.groupBy(
      expected,
      (id) => around.clients.get(visible.find((thing) => thing.id === id)?.data.client_id as number)?.data.tier ?? null,
    )
    const { rows: groups } = await queries.aggregate(tenant, thingsTable, grouped as never, { offset: 0, limit: 1000 })
    expect(new Map(groups.map(({ group, count }) => [group['client_id.tier'], count])), context).toEqual(
      new Map([...counts].map(([tier, ids]) => [tier, ids.length])),
    )

    const rows = await first.related.findVisible(
      { ...reference, refersTo: 'things', visible: undefined },
      made.things.map(({ id }) => id),
    )
    const sifted = await rowFilter.filterRows(viewer, thingsTable, rules.things ?? [{}], rows)
    expect(
      sifted.flatMap((row) => row?.id ?? []),
      context,
    ).toEqual(visible.map(({ id }) => id))
  }
})

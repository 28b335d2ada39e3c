import { isDeepStrictEqual } from 'node:util'
import { expectedGroups, expectedPage, pageSize, type GroupDefinition, type Model } from '../world/model.ts'
import type { World } from '../world/world.ts'
import type { ListAsk, ListCursor, ListQuery } from './list-query.ts'

/** What checking found: a right query is measured, a refused one only named. */
export type Verdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'wrong'; readonly message: string }

/** Sends a request; throws for an answer outside 2xx. */
export type Send = (method: string, path: string, body?: unknown, token?: string) => Promise<any>

/** Compares answers of a query with the model: the total and every id of the page in order. */
export async function checkAnswers(
  api: Send,
  query: ListQuery,
  world: World,
  cursors: readonly ListCursor[],
  asks: readonly number[],
): Promise<Verdict> {
  for (const n of asks) {
    const ask = query.ask(n, world, cursors)
    const sent = JSON.stringify(ask.body)
    try {
      const answer = await api('POST', `/api/e/${world.table}/list-server`, ask.body, ask.token)
      const difference = differenceOf(answer, ask, world.model)
      if (difference) return { kind: 'wrong', message: `${query.name}: ${sent}: ${difference}` }
    } catch (error) {
      const { message } = error as Error
      if (/ answered 422: /.test(message)) return { kind: 'refused', message: `${query.name}: ${message}` }
      throw new Error(`${query.name}: ${sent}`, { cause: error })
    }
  }
  return { kind: 'right' }
}

function differenceOf({ meta, data }: any, { lists, groups }: ListAsk, model: Model): string | undefined {
  if (groups) return groupDifference({ meta, data }, groups, model)
  if (!lists) return 'the query does not say what its answer is'
  const expected = expectedPage(model, lists)
  if (meta.total !== expected.total && meta.total_exact !== false)
    return `total ${meta.total} instead of ${expected.total}`
  const ids = data.map(({ id }: { id: number }) => id)
  if (!isDeepStrictEqual(ids, expected.ids)) return `ids ${ids.join()} instead of ${expected.ids.join()}`
  return undefined
}

function groupDifference({ meta, data }: any, definition: GroupDefinition, model: Model): string | undefined {
  const { by, measured } = definition
  const { total, groups } = expectedGroups(model, definition)
  if (meta.total !== total) return `${meta.total} groups instead of ${total}`
  if (data.length !== Math.min(pageSize, groups.length)) return `${data.length} groups on the page`
  for (const [index, { value, count, sum, min, max }] of groups.entries()) {
    const row = data[index]
    const isRight =
      row.group[by] === value &&
      row.count === count &&
      isNear(row.sum?.[measured], sum) &&
      isNear(row.avg?.[measured], sum / count) &&
      isNear(row.min?.[measured], min) &&
      isNear(row.max?.[measured], max)
    if (!isRight) return `${JSON.stringify(row)} instead of ${JSON.stringify({ value, count, sum, min, max })}`
  }
  return undefined
}

/** Sums of fractions depend on the order of their parts. A measure that was not asked for is not compared. */
const isNear = (value: number | undefined, expected: number): boolean =>
  value === undefined || Math.abs(value - expected) <= 1e-9 * Math.max(1, Math.abs(expected))

import type { Load } from '../measure/measure.ts'
import type { World } from '../world/world.ts'
import { checkAnswers, type Send, type Verdict } from './check-answers.ts'
import type { ListCursor, ListQuery } from './list-query.ts'

/** A query whose answers were compared with the model. */
export interface CheckedQuery {
  readonly query: ListQuery
  readonly cursors: readonly ListCursor[]
  readonly verdict: Verdict
}

const cursorCount = 30

/** Cursors to the second and following pages of the query's list; none for a query that asks for none. */
export async function readCursors(api: Send, query: ListQuery, world: World): Promise<ListCursor[]> {
  if (!query.cursorsOf) return []
  const cursors: ListCursor[] = []
  for (let page = 1; cursors.length < cursorCount; page += 1) {
    const { meta } = await api('POST', `/api/e/${world.table}/list-server`, query.cursorsOf(page))
    if (!meta.next_cursor) break
    cursors.push({ cursor: meta.next_cursor, page: page + 1 })
  }
  return cursors
}

/** Compares answers of every query with the model. Large tables take the model long: each query is asked fewer times. */
export async function checkQueries(
  { api }: { readonly api: Send },
  queries: readonly ListQuery[],
  world: World,
): Promise<CheckedQuery[]> {
  const asks = Array.from({ length: world.records > 200_000 ? 1 : 3 }, (_, index) => 1_000_003 * (index + 1))
  const checked: CheckedQuery[] = []
  for (const query of queries) {
    const refused = (error: Error): [] | Promise<never> =>
      / answered 422: /.test(error.message) ? [] : Promise.reject(error)
    const cursors = await readCursors(api, query, world).catch(refused)
    const verdict: Verdict =
      query.cursorsOf && cursors.length === 0
        ? { kind: 'refused', message: `${query.name}: no cursors` }
        : await checkAnswers(api, query, world, cursors, asks)
    checked.push({ query, cursors, verdict })
  }
  return checked
}

export const requestOf =
  ({ query, cursors }: CheckedQuery, world: World): Load['requestAt'] =>
  (n) => {
    const { body, token = world.administrator.token } = query.ask(n, world, cursors)
    return { method: 'POST', path: `/api/e/${world.table}/list-server`, body, token }
  }

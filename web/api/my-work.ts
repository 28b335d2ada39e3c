import { queryOptions } from '@tanstack/react-query'
import type { Task } from './about-record.ts'
import { api } from './client.ts'
import type { Notice } from './notifications.ts'
import { queryClient } from './query-client.ts'
import type { Filter, Row } from './records.ts'
import { fieldsOf, type Table, tableQuery, tablesQuery } from './tables.ts'

/** The tasks of processes that wait for the caller. */
export const myTasksQuery = queryOptions({
  queryKey: ['my-work', 'tasks'],
  queryFn: async ({ signal }): Promise<readonly Task[]> =>
    (await api.get('/api/sys/process-tasks', { params: { query: { mine: 'true', per_page: 100 } }, signal })).data,
  staleTime: 10_000,
  refetchInterval: 30_000,
})

const newestNotices = 200

/** Where the caller was mentioned, newest first. */
export const mentionsQuery = queryOptions({
  queryKey: ['bell', 'mentions'],
  queryFn: async ({ signal }): Promise<readonly Notice[]> => {
    const { data } = await api.get('/api/notifications', { params: { query: { per_page: newestNotices } }, signal })
    return data.filter(({ category }) => category === 'mention')
  },
})

/** The open records of a table that the caller is responsible for. */
export interface Assigned {
  readonly table: Table
  readonly filter: Filter
  readonly rows: readonly Row[]
  readonly total: number
}

const shownTables = 40
const shownRows = 10

/** What is assigned to the caller, by table; tables without any are left out. */
export const assignedQuery = queryOptions({
  queryKey: ['my-work', 'assigned'],
  queryFn: async ({ signal }): Promise<readonly Assigned[]> => {
    const heads = (await queryClient.ensureQueryData(tablesQuery)).filter(({ is_system: isSystem }) => !isSystem)
    const tables = await Promise.all(
      heads.slice(0, shownTables).map(({ name }) => queryClient.ensureQueryData(tableQuery(name))),
    )
    const found = await Promise.all(
      tables.map(async (table): Promise<Assigned | undefined> => {
        const filter = openAndMine(table)
        if (!filter) return undefined
        const answer = await api.post('/api/e/{model}/list-server', {
          params: { path: { model: table.name } },
          body: { filter: { ...filter }, sort: ['-updated_at'], per_page: shownRows },
          signal,
        })
        return { table, filter, rows: answer.data as readonly Row[], total: answer.meta.total }
      }),
    )
    return found.filter((one) => one !== undefined).filter(({ total }) => total > 0)
  },
  staleTime: 10_000,
})

/** Records that name the caller in a field of a user, and have not ended; nothing for a table without such a field. */
function openAndMine(table: Table): Filter | undefined {
  const fields = fieldsOf(table)
  const mine = fields
    .filter(({ type, multiple }) => type === 'user' && !multiple)
    .map(({ name }) => ({ [name]: { _eq: '$CURRENT_USER' } }))
  if (mine.length === 0) return undefined
  const open = fields.flatMap(({ name, states }) => {
    const ended = (states ?? []).filter(({ is_final: isFinal }) => isFinal).map(({ slug }) => slug)
    return ended.length > 0 ? [{ [name]: { _nin: ended } }] : []
  })
  return { _and: [mine.length === 1 ? (mine[0] as Filter) : { _or: mine }, ...open] }
}

import { clientName } from './request-record.ts'
import { clientsTable, notesTable, requestsTable } from './tables.ts'
import type { Person, World } from './world.ts'

/** What building needs of a service; requests without a token are the administrator's. */
export interface WorldApi {
  api(method: string, path: string, body?: unknown, token?: string): Promise<any>
  logIn(email: string, password: string): Promise<string>
}

export interface WorldOptions {
  readonly table: string
  readonly records: number
  readonly firstNumber?: number
  /** Agents, and as many desks, beside the administrator. Without any, the administrator is the only agent. */
  readonly people: number
}

const password = 'count twice, sort once'
const companyCount = 50
const rowsPerCall = 5000

/** Makes tables, clients, companies and people; the measured table stays empty. */
export async function buildWorld(
  service: WorldApi & { readonly token: string },
  { table, records, firstNumber = 0, people }: WorldOptions,
): Promise<World> {
  const { data } = await service.api('GET', '/api/user')
  const administrator = { id: data.id as number, token: service.token }
  for (const made of [clientsTable, notesTable, requestsTable(table)])
    await service.api('POST', '/api/sys/entities', made)
  const clientCount = Math.max(20, Math.min(10_000, Math.floor(records / 10)))
  const clients = await importAll(service, 'clients', clientCount, (n) => ({ name: clientName(n) }))
  const companies = await importAll(service, 'sys_companies', companyCount, (n) => ({ name: `Company ${n}` }))
  const agents = await makePeople(service, people, 'agent', () => ({
    permissions: [`${table}.*`, 'clients.read', 'sys_companies.read'],
  }))
  const desks = await makePeople(service, people, 'desk', (n) => ({
    permissions: [`${table}.*`, 'clients.read', 'sys_companies.read'],
    rules: [
      {
        table,
        action: 'read',
        filter: { _or: [{ company_id: companies.first + n }, { created_by: '$CURRENT_USER' }] },
      },
    ],
  }))
  return {
    table,
    records,
    firstNumber,
    administrator,
    surroundings: {
      clients,
      companies,
      userIds: [administrator, ...agents, ...desks].map(({ id }) => id),
      rareWords: Math.max(1, Math.floor(records / 10)),
    },
    agents: agents.length > 0 ? agents : [administrator],
    desks: desks.map((desk, n) => ({ ...desk, companyId: companies.first + n })),
    callTimes: [],
    model: new Map(),
  }
}

async function importAll(
  { api }: WorldApi,
  table: string,
  count: number,
  rowAt: (n: number) => object,
): Promise<{ first: number; count: number }> {
  let first: number | undefined
  for (let from = 0; from < count; from += rowsPerCall) {
    const rows = Array.from({ length: Math.min(rowsPerCall, count - from) }, (_, index) => rowAt(from + index))
    const ids = await importRows({ api }, table, rows)
    first ??= ids[0] as number
    if (ids.some((id, index) => id !== (first as number) + from + index))
      throw new Error(`The ids of ${table} have gaps.`)
  }
  return { first: first ?? 1, count }
}

/** Imports rows, also those that continue as a job, and returns their ids. Throws when one was refused. */
export async function importRows(
  { api }: Pick<WorldApi, 'api'>,
  table: string,
  rows: readonly object[],
  token?: string,
): Promise<number[]> {
  const { data } = await api('POST', `/api/e/${table}/import`, { rows }, token)
  const answer = data.job_id === undefined ? data : await jobResult({ api }, data.job_id, token)
  if (answer.failed > 0) throw new Error(`An import refused rows: ${JSON.stringify(answer.errors[0])}`)
  return answer.ids
}

async function jobResult({ api }: Pick<WorldApi, 'api'>, jobId: number, token?: string): Promise<any> {
  for (;;) {
    const { data } = await api('GET', `/api/sys/jobs/${jobId}`, undefined, token)
    if (data.status === 'done') return data.result
    if (data.status === 'failed') throw new Error(`The job of an import failed: ${JSON.stringify(data.errors[0])}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Each has a role of its own. */
async function makePeople(
  { api, logIn }: WorldApi,
  count: number,
  kind: string,
  roleAt: (n: number) => object,
): Promise<Person[]> {
  const made: Person[] = []
  for (let n = 0; n < count; n += 1) {
    const email = `${kind}${n}@example.com`
    await api('POST', '/api/sys/roles', { name: `${kind}_${n}`, ...roleAt(n) })
    const { data } = await api('POST', '/api/sys/users', { name: email, email, password, roles: [`${kind}_${n}`] })
    made.push({ id: data.id, token: await logIn(email, password) })
  }
  return made
}

import { startService } from '../make/services/service.ts'
import { operations } from './areas/operations.ts'
import { readCursors, requestOf } from './lists/checked-query.ts'
import type { ListQuery } from './lists/list-query.ts'
import { buildWorld } from './world/build-world.ts'
import { importRecords } from './world/import-run.ts'
import type { BenchRequest } from './world/load.ts'

/** The size of the table whose round trips are counted. */
const countedRecords = 400

/**
 * Sequential round trips to AWS of each operation and query on a warm instance, counted in a separate service in this
 * process. Its table is small: what reads many keys needs more on a large one. A refused query has none.
 */
export async function countRoundTrips(queries: readonly ListQuery[]): Promise<ReadonlyMap<string, number>> {
  const service = await startService()
  const { token: ownToken } = service.admin
  const api = async (method: string, path: string, body?: unknown, token = ownToken): Promise<any> => {
    const answer = await service.api(method, path, { token, body })
    if (answer.status > 299)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const logIn = async (email: string, password: string): Promise<string> =>
    (await api('POST', '/api/login-local', { email, password })).token
  const counted = new Map<string, number>()
  const count = async (name: string, requestAt: (n: number) => BenchRequest): Promise<void> => {
    // In the second round token and table are cached.
    for (const n of [1, 2]) {
      await service.cloud.idle()
      service.cloud.recordCalls()
      const { method, path, body, token = ownToken } = requestAt(n)
      const answer = await service.api(method, path, { token, body })
      if (answer.status === 422) return
      if (answer.status > 299) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      counted.set(name, service.cloud.callsOf(answer.headers.get('apigw-requestid') as string).roundTrips)
    }
  }
  try {
    const world = await buildWorld(
      { api, logIn, token: ownToken },
      { table: 'requests', records: countedRecords, people: 1 },
    )
    await importRecords({ api }, world)
    await service.cloud.idle()
    for (const { name, requestAt } of operations) await count(name, (n) => requestAt(n, world))
    for (const query of queries) {
      const cursors = await readCursors(api, query, world)
      await count(query.name, requestOf({ query, cursors, verdict: { kind: 'right' } }, world))
    }
    return counted
  } finally {
    await service.stop()
  }
}

import { checkQueries, requestOf } from '../lists/checked-query.ts'
import type { ListQuery } from '../lists/list-query.ts'
import { buildWorld } from '../world/build-world.ts'
import { importRecords } from '../world/import-run.ts'
import { type HighestMemory, startBenchService } from '../world/running-service.ts'
import { inPasses, measure, type Measured } from './measure.ts'

const tenantCount = 10
const password = 'one house, ten doors'

/** Lists of ten tenants at once, each with a table of its own, and what was wrong with their answers. */
export interface MeasuredTenants extends Measured {
  readonly records: number
  /** The most memory of the service at any time. */
  readonly highestMemory: HighestMemory
  readonly wrong: readonly string[]
}

/** Starts a service of its own, fills a table for each tenant, and asks all of them in turn at 16 connections. */
export async function measureTenants(
  queries: readonly ListQuery[],
  records: number,
  seconds: number,
): Promise<MeasuredTenants> {
  const service = await startBenchService({ APP_MODE: 'saas', REGISTRATION: 'open' })
  try {
    const tenants = await Promise.all(
      Array.from({ length: tenantCount }, async (_, n) => {
        const email = `owner${n}@tenant.example.com`
        const account = { name: `Owner ${n}`, email, password, password_confirmation: password }
        const { token } = await service.api('POST', '/api/register', {
          ...account,
          company_name: `Tenant ${n}`,
          slug: `tenant-${n}`,
        })
        const api = (method: string, path: string, body?: unknown, as: string = token) =>
          service.api(method, path, body, as)
        const own = { ...service, token, api }
        const world = await buildWorld(own, { table: 'requests', records, firstNumber: n * records, people: 0 })
        await importRecords(own, world)
        return { own, world }
      }),
    )
    await service.waitUntilIdle()
    // Rules need people with roles; here each tenant has its administrator only.
    const wanted = queries.filter(({ needsRules }) => !needsRules)
    const checked = await Promise.all(
      tenants.map(async ({ own, world }) => ({ world, queries: await checkQueries(own, wanted, world) })),
    )
    const requests = wanted.flatMap((query) =>
      checked.flatMap(({ world, queries: known }) =>
        known
          .filter((one) => one.query === query && one.verdict.kind !== 'refused')
          .map((one) => requestOf(one, world)),
      ),
    )
    const [measured] = await inPasses(['all'], (_, pass) =>
      measure(service, { connections: 16, seconds }, pass, {
        requestAt: (n) => (requests[n % requests.length] as (typeof requests)[0])(n),
      }),
    )
    const wrong = checked.flatMap(({ queries: known }) =>
      known.flatMap(({ verdict }) => (verdict.kind === 'wrong' ? [verdict.message] : [])),
    )
    return { ...(measured as Measured), records, highestMemory: service.highestMemory(), wrong }
  } finally {
    await service.stop()
  }
}

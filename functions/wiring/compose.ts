import { createAuthentication } from '../../shared/auth/service.ts'
import { createFiles } from '../../shared/files/service.ts'
import { createJobs } from '../../shared/jobs/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { environment } from '../../shared/kernel/env.ts'
import type { Tenant } from '../../shared/kernel/tenancy.ts'
import {
  type AdvanceDependencies,
  startByScript,
  type ProcessWake,
  compiledProcesses,
} from '../../shared/processes/service.ts'
import { readTimeZone } from '../../shared/query/service.ts'
import { createSender, type Send } from '../../shared/queue/send.ts'
import { type LoadScripts, createEntities } from '../../shared/records/service.ts'
import { createRelations } from '../../shared/relations/service.ts'
import { createSearch } from '../../shared/search/service.ts'
import { createConfig } from '../../shared/store/config.ts'
import { createStore } from '../../shared/store/table.ts'
import { type CheckScript, createTables } from '../../shared/tables/service.ts'

/** What only some functions carry: scripts are large. */
export interface Extras {
  /** For functions that write records: `() => import('../../shared/scripts/room.ts')`. Loaded by the first hook. */
  readonly loadScripts?: LoadScripts
  /** For functions that change tables. */
  readonly checkScript?: CheckScript
}

/** What the functions are put together from: one of each per instance. */
export function compose({ loadScripts, checkScript }: Extras = {}) {
  const store = createStore(environment().TABLE_NAME)
  const config = createConfig(store, clock)
  const send = lazySender()
  const jobs = createJobs({ store, clock, send, queueUrl: () => queueUrl('JOBS_QUEUE_URL') })
  const tables = createTables({ store, config, clock, checkScript, jobs })
  const relations = createRelations({ store, config, tables, clock })
  const files = createFiles({ store, clock })
  const search = createSearch(store)
  const timeZone = (tenant: Tenant) => readTimeZone(config, tenant)
  const startProcess = startByScript({ store, config, clock })
  const entities = createEntities({
    store,
    tables,
    clock,
    relations,
    files,
    loadScripts,
    startProcess,
    ...search,
    timeZone,
  })
  const processes: AdvanceDependencies = {
    store,
    clock,
    config,
    tables,
    records: entities.dependencies,
    openScripts: entities.openScripts,
    openProcess: compiledProcesses(store),
    leaseMs: environment().PROCESS_LEASE_MS,
    objects: {
      fetchObject: async (key) => (await import('../../shared/objects/bucket.ts')).filesBucket().fetchObject(key),
      putObject: async (key, body) =>
        (await import('../../shared/objects/bucket.ts')).filesBucket().putObject(key, body),
    },
    wakeLater: async (tenant, instanceId, delaySeconds) => {
      const wake: ProcessWake = { v: 1, tenant_id: tenant.id, instance_id: instanceId }
      const refused = await send(queueUrl('PROCESSES_QUEUE_URL'), [wake], { delaySeconds })
      if (refused.length > 0) throw new Error(refused[0]?.reason)
    },
  }
  const authenticate = createAuthentication({ store, config, clock })
  return {
    clock,
    store,
    config,
    tables,
    relations,
    files,
    entities,
    records: entities.dependencies,
    jobs,
    processes,
    search,
    authenticate,
  }
}

/** Most functions send nothing: the client is made by the first message. */
function lazySender(): Send {
  let send: Send | undefined
  return (...given) => (send ??= createSender())(...given)
}

function queueUrl(name: string): string {
  const url = process.env[name]
  if (!url) throw new Error(`${name} is not set for this function`)
  return url
}

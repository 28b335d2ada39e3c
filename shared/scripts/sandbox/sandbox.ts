import { availableParallelism } from 'node:os'
import { readOutcome } from './host/read-outcome.ts'
import type { ScriptWorker } from './host/script-worker.ts'
import { createPool, type PoolOptions } from './host/worker-pool.ts'
import { deepestRun, defaultLimits, type ScriptOutcome, type ScriptRun } from './script-run.ts'
import { wrapSource } from './worker/wrap-source.ts'

export type { ScriptHost, ScriptOutcome, ScriptRun } from './script-run.ts'

/** Runs scripts of all tenants, each in an engine of its own on a thread of its own (contract §5). */
export interface Sandbox {
  /** Answers how the script ended, whatever it did; rejects only for a defect of the service. */
  run(run: ScriptRun): Promise<ScriptOutcome>
  /** Ends all threads; runs under way are lost. */
  close(): Promise<void>
}

const defaults: PoolOptions = {
  chains: Math.max(2, availableParallelism()),
  idleMs: 60_000,
  lastIdleMs: 600_000,
  waitMs: 5000,
  maxWaiting: 200,
}

/** Costs nothing until the first run, which starts a thread; later runs find it waiting. */
export function createSandbox(options: Partial<PoolOptions> = {}): Sandbox {
  const pool = createPool({ ...defaults, ...options })

  async function runOn(worker: ScriptWorker, run: ScriptRun): Promise<ScriptOutcome> {
    const order = {
      code: wrapSource(run.source),
      variables: JSON.stringify(run.variables),
      limits: { ...defaultLimits, ...run.limits },
    }
    return readOutcome(run, await worker.execute(order, run.host))
  }

  return {
    async run(run) {
      if (run.depth > deepestRun) return refuse('error', `Scripts are nested deeper than ${deepestRun} levels`)
      const worker = await pool.acquire(run.depth, run.tenant)
      if (worker === undefined)
        return refuse('stopped', 'The service is busy: no place for the script became free in time')
      try {
        return await runOn(worker, run)
      } finally {
        pool.release(run.depth, worker)
      }
    },
    close: () => pool.close(),
  }
}

const refuse = (status: 'error' | 'stopped', message: string): ScriptOutcome => ({
  status,
  returned: false,
  log: [],
  error: { message },
  ms: 0,
  calls: 0,
})

import { availableParallelism } from 'node:os'
import { readOutcome } from './host/read-outcome.ts'
import type { ScriptWorker } from './host/script-worker.ts'
import { createPool, type PoolOptions } from './host/worker-pool.ts'
import { deepestRun, defaultLimits, type ScriptOutcome, type ScriptRun } from './script-run.ts'
import { wrapSource } from './worker/wrap-source.ts'

export type { ScriptHost, ScriptOutcome, ScriptRun } from './script-run.ts'

/** Runs the scripts of all tenants, each in an engine that no other has touched, on its own thread (contract §5, docs/decisions/0017). */
export interface Sandbox {
  /** Answers how the script ended, whatever it did. Rejects only for a defect of the service. */
  run(run: ScriptRun): Promise<ScriptOutcome>
  /** How many engines the runs have used so far. */
  enginesUsed(): number
  /** Ends all threads; runs in flight are lost. */
  close(): Promise<void>
}

const defaults: PoolOptions = {
  chains: Math.max(2, availableParallelism()),
  idleMs: 60_000,
  lastIdleMs: 600_000,
  waitMs: 5000,
  maxWaiting: 200,
}

/** Makes a sandbox. Threads start with the first run and stay for later runs. */
export function createSandbox(options: Partial<PoolOptions> = {}): Sandbox {
  const pool = createPool({ ...defaults, ...options })
  let engines = 0

  async function runOn(worker: ScriptWorker, run: ScriptRun): Promise<ScriptOutcome> {
    const order = {
      tenant: run.tenant,
      isExpression: run.isExpression === true,
      code: wrapSource(run.source),
      variables: JSON.stringify(run.variables),
      limits: { ...defaultLimits, ...run.limits },
    }
    const finished = await worker.execute(order, run.host)
    if (finished.usedNewEngine) engines += 1
    return readOutcome(run, finished)
  }

  return {
    async run(run) {
      if (run.depth > deepestRun) return refuse('error', `Scripts are nested deeper than ${deepestRun} levels`)
      const worker = await pool.acquire(run.depth, run.tenant)
      if (worker === undefined)
        return {
          ...refuse('stopped', 'The service is busy: no thread for the script became free in time'),
          noThread: true,
        }
      try {
        return await runOn(worker, run)
      } finally {
        pool.release(run.depth, worker)
      }
    },
    enginesUsed: () => engines,
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

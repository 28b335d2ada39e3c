import { createFairQueue } from './fair-queue.ts'
import { loadEngine } from './load-engine.ts'
import { type ScriptWorker, startWorker } from './script-worker.ts'

export interface PoolOptions {
  /** How many runs of one nesting level run at a time. */
  readonly chains: number
  /** How long an idle worker is kept. */
  readonly idleMs: number
  /** How long the outermost level keeps its last worker, so that a Lambda still has one after it was frozen. */
  readonly lastIdleMs: number
  /** How long a run waits for a worker, and how many runs of a tenant may wait per level. */
  readonly waitMs: number
  readonly maxWaiting: number
}

/**
 * A pool of workers per nesting level. A run keeps its worker while it waits for a call, so a run caused by that call
 * uses the next level. The innermost level waits for none, so there is no deadlock. Waiting tenants take turns.
 */
export interface WorkerPool {
  /** A worker for one run of a tenant; undefined when none came free in time. */
  acquire(depth: number, tenant: number): Promise<ScriptWorker | undefined>
  release(depth: number, worker: ScriptWorker): void
  close(): Promise<void>
}

interface Level {
  readonly depth: number
  running: number
  /** Most recently used last, so that the first ones expire. */
  readonly idle: { readonly worker: ScriptWorker; readonly timer: NodeJS.Timeout }[]
  readonly waiting: ReturnType<typeof createFairQueue<number, (granted: boolean) => void>>
}

export function createPool({ chains, idleMs, lastIdleMs, waitMs, maxWaiting }: PoolOptions): WorkerPool {
  const levels = new Map<number, Level>()
  const workers = new Set<ScriptWorker>()
  let closed = false

  function levelAt(depth: number): Level {
    const level = levels.get(depth) ?? { depth, running: 0, idle: [], waiting: createFairQueue() }
    levels.set(depth, level)
    return level
  }

  /** Admits as many runs as there are chains; the others wait in the fair queue. */
  function enter(level: Level, tenant: number): boolean | Promise<boolean> {
    if (closed) return false
    if (level.running < chains) {
      level.running++
      return true
    }
    if (level.waiting.count(tenant) >= maxWaiting) return false
    return new Promise((resolve) => {
      const grant = (granted: boolean): void => {
        clearTimeout(timer)
        resolve(granted)
      }
      const timer = setTimeout(() => {
        level.waiting.remove(tenant, grant)
        grant(false)
      }, waitMs)
      level.waiting.add(tenant, grant)
    })
  }
  function leave(level: Level): void {
    const next = level.waiting.next()
    if (next) next(true)
    else level.running--
  }

  async function start(): Promise<ScriptWorker> {
    const worker = startWorker(await loadEngine())
    workers.add(worker)
    return worker
  }
  /** The worker that served the tenant last may still have an engine for it. */
  function takeIdle(level: Level, tenant: number): ScriptWorker | undefined {
    const own = level.idle.findLastIndex(({ worker }) => worker.servedTenant() === tenant)
    const [entry] = level.idle.splice(own === -1 ? level.idle.length - 1 : own, 1)
    if (entry === undefined) return undefined
    clearTimeout(entry.timer)
    return entry.worker.isAlive() ? entry.worker : takeIdle(level, tenant)
  }
  function keepIdle(level: Level, worker: ScriptWorker): void {
    const isLast = level.depth === 0 && level.idle.length === 0
    const timer = setTimeout(
      () => {
        level.idle.splice(
          level.idle.findIndex((entry) => entry.worker === worker),
          1,
        )
        discard(worker)
      },
      isLast ? lastIdleMs : idleMs,
    )
    timer.unref()
    level.idle.push({ worker, timer })
  }
  function discard(worker: ScriptWorker): void {
    workers.delete(worker)
    void worker.terminate()
  }

  return {
    async acquire(depth, tenant) {
      const level = levelAt(depth)
      if (!(await enter(level, tenant))) return undefined
      try {
        return takeIdle(level, tenant) ?? (await start())
      } catch (cause) {
        leave(level)
        throw cause
      }
    },
    release(depth, worker) {
      const level = levelAt(depth)
      if (worker.isAlive() && !closed) keepIdle(level, worker)
      else discard(worker)
      leave(level)
    },
    async close() {
      closed = true
      for (const { idle, waiting } of levels.values()) {
        for (const { timer } of idle.splice(0)) clearTimeout(timer)
        for (const grant of waiting.clear()) grant(false)
      }
      await Promise.all([...workers].map((worker) => worker.terminate()))
      workers.clear()
    },
  }
}

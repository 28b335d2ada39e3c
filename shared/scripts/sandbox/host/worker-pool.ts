import { createFairQueue } from './fair-queue.ts'
import { loadEngine } from './load-engine.ts'
import { type ScriptWorker, startWorker } from './script-worker.ts'

export interface PoolOptions {
  /** Runs of one nesting level at a time. */
  readonly chains: number
  /** How long a worker stays that nobody needs. */
  readonly idleMs: number
  /** How long the outermost level keeps its last worker: a Lambda that was frozen wakes up with it. */
  readonly lastIdleMs: number
  /** How long a run waits for a worker, and how many runs of a tenant do at one level. */
  readonly waitMs: number
  readonly maxWaiting: number
}

/**
 * Workers by nesting level. A run that waits for a call holds its worker, so the run which that call causes takes one of
 * the next level; the innermost level waits for nobody, hence every level comes free in the end and nothing deadlocks.
 * Tenants that wait take turns: one whose import runs a hook for every row leaves the others their place.
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
  /** Most recently used last, so that those in front become superfluous. */
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

  /** Lets in as many runs as there are chains; the others wait in line. */
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
  function takeIdle(level: Level): ScriptWorker | undefined {
    const entry = level.idle.pop()
    if (entry === undefined) return undefined
    clearTimeout(entry.timer)
    return entry.worker.isAlive() ? entry.worker : takeIdle(level)
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
        return takeIdle(level) ?? (await start())
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

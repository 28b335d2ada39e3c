import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type FromWorker, type RunEnd, type RunOrder, SharedState, type WorkerSetup } from '../messages.ts'
import { type Engine, prepareEngine } from './engine.ts'
import { reachMainThread } from './main-thread.ts'
import { makeReusable, type ReusableEngine } from './reusable-engine.ts'
import { runScript } from './run-script.ts'

/**
 * A worker thread: one run after another, each in a fresh engine that was prepared between runs; those of one tenant in a
 * row in an engine that is taken back to its beginning after each.
 */
const { engine: compiled, shared: buffer } = workerData as WorkerSetup
if (parentPort === null) throw new Error('worker.ts is started as a worker thread')
const port = parentPort
const shared = new SharedState(buffer)
const main = reachMainThread(port, shared)

/** Below the main thread, which serves everybody: on Linux it is the priority of the calling thread. */
const threadPriority = 10
if (process.platform === 'linux') {
  try {
    setPriority(threadPriority)
  } catch {
    // Where a machine forbids it, scripts run at the priority of all others.
  }
}

/** Two, because the hooks before and after a write follow each other closely. */
const enginesAhead = 2
/** Long enough for the next run of the same request to start first. */
const pauseMs = 5
const ready: Promise<Engine>[] = []
let refilling: NodeJS.Timeout | undefined

function refill(): void {
  clearTimeout(refilling)
  if (ready.length < enginesAhead) ready.push(prepareEngine(compiled))
  if (ready.length < enginesAhead) refilling = setTimeout(refill, pauseMs)
}

/** The engine of a tenant that runs many scripts, as an import with hooks does. */
let kept: { readonly tenant: number; readonly reusable: ReusableEngine } | undefined
let lastTenant: number | undefined

port.on('message', async (order: RunOrder) => {
  const { tenant } = order
  const own = kept?.tenant === tenant ? kept : undefined
  const engine = own?.reusable.engine ?? (await (ready.shift() ?? prepareEngine(compiled)))
  const end = runOrExplain(engine, order)
  shared.pause()
  port.postMessage({ kind: 'end', end } satisfies FromWorker)
  if (own) {
    // A run that was stopped may have left more than memory behind.
    if (end.status === 'stopped' || kept !== own || !own.reusable.reset()) kept = undefined
    return
  }
  if (tenant === lastTenant) kept = { tenant, reusable: makeReusable(await prepareEngine(compiled)) }
  lastTenant = tenant
  if (ready.length === 0) refill()
  else refilling = setTimeout(refill, pauseMs)
})
refill()

/** Native recursion that is too deep, or a failed assertion of QuickJS, breaks only the engine of this run. */
function runOrExplain(engine: Engine, order: RunOrder): RunEnd {
  try {
    return runScript(engine, order, main, shared)
  } catch (cause) {
    const tooDeep = cause instanceof RangeError && cause.message.includes('call stack')
    const message = tooDeep ? 'The script or its data is nested too deeply' : 'The script broke the engine it ran in'
    kept = undefined
    return { status: 'error', returned: false, message, breakdown: tooDeep ? undefined : String(cause) }
  }
}

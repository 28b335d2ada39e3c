import { parentPort, workerData } from 'node:worker_threads'
import { type FromWorker, type RunEnd, type RunOrder, SharedState, type WorkerSetup } from '../messages.ts'
import { type Engine, prepareEngine } from './engine.ts'
import { reachMainThread } from './main-thread.ts'
import { runScript } from './run-script.ts'

/** A worker thread: one run after another, each in an engine of its own that was made ready while nobody waited. */
const { engine: compiled, shared: buffer } = workerData as WorkerSetup
if (parentPort === null) throw new Error('worker.ts is started as a worker thread')
const port = parentPort
const shared = new SharedState(buffer)
const main = reachMainThread(port, shared)

/** The hooks before and after a write follow each other closely: the second finds its engine ready as well. */
const enginesAhead = 2
/** Long enough for the next run of the same request to come first. */
const pauseMs = 5
const ready: Promise<Engine>[] = []
let refilling: NodeJS.Timeout | undefined

function refill(): void {
  clearTimeout(refilling)
  if (ready.length < enginesAhead) ready.push(prepareEngine(compiled))
  if (ready.length < enginesAhead) refilling = setTimeout(refill, pauseMs)
}

port.on('message', async (order: RunOrder) => {
  const engine = await (ready.shift() ?? prepareEngine(compiled))
  const end = runOrExplain(engine, order)
  shared.pause()
  port.postMessage({ kind: 'end', end } satisfies FromWorker)
  if (ready.length === 0) refill()
  else refilling = setTimeout(refill, pauseMs)
})
refill()

/** Too deep a native recursion, or an assertion of QuickJS, breaks this run's engine and no other. */
function runOrExplain(engine: Engine, order: RunOrder): RunEnd {
  try {
    return runScript(engine, order, main, shared)
  } catch (cause) {
    const tooDeep = cause instanceof RangeError && cause.message.includes('call stack')
    const message = tooDeep ? 'The script or its data is nested too deeply' : 'The script broke the engine it ran in'
    return { status: 'error', returned: false, message, breakdown: tooDeep ? undefined : String(cause) }
  }
}

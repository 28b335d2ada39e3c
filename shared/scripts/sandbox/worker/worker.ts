import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type FromWorker, type RunEnd, type RunOrder, SharedState, type WorkerSetup } from '../messages.ts'
import { createEngineShelf } from './engine-shelf.ts'
import { type Engine, prepareEngine } from './engine.ts'
import { reachMainThread } from './main-thread.ts'
import { makeReusable } from './reusable-engine.ts'
import { runScript } from './run-script.ts'

/** A worker thread: one run after another, each in an engine that is as it was prepared. */
const { engine: compiled, shared: buffer } = workerData as WorkerSetup
if (parentPort === null) throw new Error('worker.ts is started as a worker thread')
const port = parentPort
const shared = new SharedState(buffer)
shared.nameThread()
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

const shelf = createEngineShelf({ prepare: () => prepareEngine(compiled), makeReusable })

port.on('message', async (order: RunOrder) => {
  const lent = await shelf.lend(order)
  const end = runOrExplain(lent.engine, order)
  port.postMessage({ kind: 'end', end, usedNewEngine: lent.isNew } satisfies FromWorker)
  await lent.giveBack(end.breaksEngine === true ? 'broken' : end.status)
})

/** Native recursion that is too deep, or a failed assertion of QuickJS, breaks only the engine of this run. */
function runOrExplain(engine: Engine, order: RunOrder): RunEnd {
  try {
    return runScript(engine, order, main, shared)
  } catch (cause) {
    const tooDeep = cause instanceof RangeError && cause.message.includes('call stack')
    const message = tooDeep ? 'The script or its data is nested too deeply' : 'The script broke the engine it ran in'
    return {
      status: 'error',
      returned: false,
      message,
      breaksEngine: true,
      breakdown: tooDeep ? undefined : String(cause),
    }
  }
}

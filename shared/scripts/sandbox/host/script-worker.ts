import { Worker } from 'node:worker_threads'
import { type CallAnswer, type FromWorker, type RunOrder, SharedState, type WorkerSetup } from '../messages.ts'
import type { ScriptHost } from '../script-run.ts'
import type { EngineFiles } from './load-engine.ts'
import { type FinishedRun, type SupervisedRun, superviseRun } from './supervise-run.ts'

/** Limits of a thread, apart from the engine's memory, which is not part of its heap. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }

/** A thread of the pool. It keeps nothing of a run that has ended. */
export interface ScriptWorker {
  /** Executes one run at a time. Rejects when the thread broke down for a reason other than the script. */
  execute(order: RunOrder, host: ScriptHost): Promise<FinishedRun>
  isAlive(): boolean
  /** The tenant of its last run. */
  servedTenant(): number | undefined
  terminate(): Promise<void>
}

/** Starts a thread without waiting for it: orders queue until it is ready. */
export function startWorker({ worker: file, engine }: EngineFiles): ScriptWorker {
  const shared = new SharedState()
  const workerData: WorkerSetup = { engine, shared: shared.buffer }
  const thread = new Worker(file, { workerData, env: {}, execArgv: [], resourceLimits, name: 'script' })
  let alive = true
  let run: SupervisedRun | undefined
  let tenant: number | undefined

  // An idle thread must not keep the process running.
  thread.unref()
  thread.on('message', (message: FromWorker) => run?.receive(message))
  thread.on('error', (cause) => handleExit(cause as Error))
  thread.on('exit', (code) => handleExit(new Error(`A script worker exited with code ${code}`)))

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const send = (message: RunOrder | CallAnswer): void => thread.postMessage(message)

  function handleExit(cause: Error): void {
    alive = false
    run?.abandon(cause)
  }
  async function terminate(): Promise<void> {
    alive = false
    await thread.terminate()
  }

  return {
    isAlive: () => alive,
    servedTenant: () => tenant,
    terminate,
    async execute(order, host) {
      shared.reset()
      tenant = order.tenant
      thread.ref()
      try {
        return await new Promise<FinishedRun>((finished, failed) => {
          const answer = (message: CallAnswer): void => {
            send(message)
            shared.announceAnswer()
          }
          // A thread that has ended has no more to show; `handleExit` ends its run.
          const computedMs = (): number => (alive ? shared.seenComputedMs() : 0)
          run = superviseRun({ order, host, computedMs, answer, kill: terminate, finished, failed })
          send(order)
        })
      } finally {
        run = undefined
        thread.unref()
      }
    },
  }
}

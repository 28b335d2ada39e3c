import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** After this a process is not laid out. */
const maxMs = 5_000
/** Processes that wait for the thread; more are not laid out. */
const maxWaiting = 20
/** How long a thread without work is kept. */
const idleMs = 30_000
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

/** esbuild.config.ts writes it next to a bundle; without a bundle it is the source. */
const bundledWorker = new URL('./layout-worker.mjs', import.meta.url)

let thread: Worker | undefined
let ending: NodeJS.Timeout | undefined
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * Lays out a process in a thread of its own: it may take seconds, in which the service answers others. Undefined when it
 * cannot be laid out, or takes too long.
 */
export async function layOutInThread(outline: string): Promise<string | undefined> {
  if (waiting >= maxWaiting) return undefined
  waiting += 1
  const laidOut = last.then(() => ask(outline))
  last = laidOut
  return laidOut.finally(() => (waiting -= 1))
}

function ask(outline: string): Promise<string | undefined> {
  const worker = (thread ??= startThread())
  clearTimeout(ending)
  return new Promise((resolve) => {
    const answer = (laidOut: string | undefined): void => {
      clearTimeout(timer)
      worker.off('message', answer).off('error', giveUp).off('exit', giveUp)
      worker.unref()
      if (thread === worker) ending = setTimeout(endThread, idleMs).unref()
      resolve(laidOut)
    }
    const giveUp = (): void => {
      endThread()
      answer(undefined)
    }
    const timer = setTimeout(giveUp, maxMs)
    worker.on('message', answer).on('error', giveUp).on('exit', giveUp)
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(outline)
  })
}

function startThread(): Worker {
  const file = existsSync(bundledWorker) ? bundledWorker : new URL('./layout-worker.ts', import.meta.url)
  const worker = new Worker(file, { env: {}, execArgv: [], resourceLimits, name: 'layout' })
  // Told to whoever waits for it; a thread that ends while it is idle is missed by nobody.
  worker.on('error', () => {})
  return worker
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}

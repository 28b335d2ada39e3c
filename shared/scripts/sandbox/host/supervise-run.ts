import { AsyncLocalStorage } from 'node:async_hooks'
import { maxLogLines } from '../../../kernel/limits/scripts.ts'
import { log as logger } from '../../../kernel/runtime/log.ts'
import { type CallAnswer, type FromWorker, monotonicMs, type RunEnd, type RunOrder } from '../messages.ts'
import type { LogLine, ScriptHost } from '../script-run.ts'
import { answerCall } from './answer-call.ts'
import { watchDeadline } from './watch-deadline.ts'

export interface FinishedRun {
  readonly end: RunEnd
  readonly log: readonly LogLine[]
  readonly calls: number
  readonly ms: number
  /** Whether no run had used its engine before. */
  readonly usedNewEngine: boolean
}

/** One run on a thread, as the main thread sees it. Only this object refers to the host of the run. */
export interface SupervisedRun {
  receive(message: FromWorker): void
  /** Ends the supervision because the thread has ended. */
  abandon(cause: Error): void
}

export interface Supervision {
  readonly order: RunOrder
  readonly host: ScriptHost
  computedMs(): number
  answer(message: CallAnswer): void
  kill(): Promise<void>
  /** `finished` or `failed` is called once. */
  finished(run: FinishedRun): void
  failed(cause: Error): void
}

/** Answers the calls of a run, collects its log and enforces its limits, until it ends. */
export function superviseRun({ order, host, computedMs, answer, kill, finished, failed }: Supervision): SupervisedRun {
  // Messages arrive in the async context in which the thread was started; this run has its own.
  const inContext = AsyncLocalStorage.snapshot()
  const startedAt = monotonicMs()
  const log: LogLine[] = []
  let calls = 0
  let isCalling = false
  let over = false

  const stopWatching = watchDeadline({
    limits: order.limits,
    computedMs,
    isCalling: () => isCalling,
    stopCall: (stop) => reply({ stop }),
    kill(message) {
      endSupervision()
      kill().then(() => finish({ status: 'stopped', returned: false, message }), failed)
    },
  })

  function endSupervision(): void {
    over = true
    stopWatching()
  }
  const finish = (end: RunEnd, usedNewEngine = true): void =>
    finished({ end, log, calls, ms: monotonicMs() - startedAt, usedNewEngine })

  function reply(message: CallAnswer): void {
    // Drop answers that arrive after the run has ended or was ordered to stop.
    if (over || !isCalling) return
    isCalling = false
    answer(message)
  }
  async function call(method: string, args: string): Promise<void> {
    calls++
    isCalling = true
    reply({ text: await answerCall(host, method, args) })
  }
  function abandon(cause: Error): void {
    if (over) return
    endSupervision()
    if ('code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY')
      finish({ status: 'stopped', returned: false, message: 'The script used too much memory' })
    else failed(cause)
  }
  function receive(message: FromWorker): void {
    if (over) return
    if (message.kind === 'call') {
      call(message.method, message.args).catch(abandon)
    } else if (message.kind === 'log') {
      if (log.length < maxLogLines) log.push({ level: message.level, message: JSON.parse(message.text) as string })
    } else {
      endSupervision()
      if (message.end.breakdown !== undefined)
        logger.warn('a script broke its engine', { cause: message.end.breakdown })
      finish(message.end, message.usedNewEngine)
    }
  }
  return { receive: (message) => inContext(receive, message), abandon }
}

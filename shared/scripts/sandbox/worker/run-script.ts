import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { tooLongComputing, tooLongWithCalls } from '../host/watch-deadline.ts'
import { monotonicMs, type RunEnd, type RunOrder, type SharedState } from '../messages.ts'
import { answerPrelude, type RunState } from './answer-prelude.ts'
import type { Engine } from './engine.ts'
import type { MainThread } from './main-thread.ts'
import { sourceName } from './wrap-source.ts'

/** Extra memory to describe the exception of a script that used up its own. */
const reserveBytes = 4 << 20
/** How many promise jobs run between two checks of the clock. */
const jobsAtOnce = 50

/** Runs one script in a fresh engine, which must not be used again. Throws when the engine itself breaks down. */
export function runScript(engine: Engine, order: RunOrder, main: MainThread, shared: SharedState): RunEnd {
  const { runtime, context } = engine
  const { limits } = order
  const state: RunState = { calls: 0, logLines: 0, logCharacters: 0 }
  const startedAt = monotonicMs()

  function isOver(): boolean {
    if (state.stopped === undefined && state.failure === undefined) {
      const passedMs = monotonicMs() - startedAt
      // Asking for processor time is slow, and nobody computes longer than time passes.
      if (passedMs > limits.cpuMs && shared.computedMs() > limits.cpuMs) state.stopped = tooLongComputing(limits)
      else if (passedMs > limits.wallMs) state.stopped = tooLongWithCalls(limits)
    }
    return state.stopped !== undefined || state.failure !== undefined
  }
  const invoke = (action: QuickJSHandle, ...args: QuickJSHandle[]) =>
    context.callFunction(action, context.undefined, ...args)

  /** The end of a run by an exception; the prelude describes the exception. */
  function endByException(error: QuickJSHandle, prefix = ''): RunEnd {
    if (!isOver()) {
      runtime.setMemoryLimit((limits.memoryMb << 20) + reserveBytes)
      invoke(engine.describe, error)
    }
    const { message, stack, name, isDeliberate } = state.thrown ?? {
      message: 'The script threw a value that cannot be described',
      stack: '',
      name: '',
      isDeliberate: false,
    }
    // When there is no memory even for an exception, the engine throws a value of no valid type.
    const isNoValue = context.typeof(error) === 'undefined' && context.getString(error) !== 'undefined'
    if (isNoValue || (name === 'InternalError' && message === 'out of memory')) {
      state.stopped ??= `The script used more than ${limits.memoryMb} MB of memory`
    }
    return (
      endByLimitOrFailure() ?? {
        status: 'error',
        returned: false,
        message: prefix + message,
        stack,
        isDeliberate: isDeliberate && prefix === '',
      }
    )
  }
  /** `$api.fail` and limits end the run even when the script caught their exceptions. */
  function endByLimitOrFailure(): RunEnd | undefined {
    if (state.failure !== undefined) return { status: 'error', returned: false, ...state.failure, isDeliberate: true }
    return state.stopped === undefined
      ? undefined
      : { status: 'stopped', returned: false, message: state.stopped, stack: state.thrown?.stack }
  }
  function runPendingJobs(): QuickJSHandle | undefined {
    while (runtime.hasPendingJob()) {
      const { error } = runtime.executePendingJobs(jobsAtOnce)
      if (error) return error
      if (isOver()) return undefined
    }
    return undefined
  }
  /** The JSON text of a value; undefined when it has none, its length when it is too long. */
  const textOf = (handle: QuickJSHandle): string | number | undefined => {
    const type = context.typeof(handle)
    return type === 'string' ? context.getString(handle) : type === 'number' ? context.getNumber(handle) : undefined
  }

  engine.answer = answerPrelude(state, order, main, isOver)
  shared.begin()
  context.unwrapResult(invoke(engine.load, context.newString(order.variables)))
  runtime.setMemoryLimit(limits.memoryMb << 20)
  runtime.setInterruptHandler(isOver)

  const compiled = context.evalCode(order.code, sourceName, { type: 'global' })
  if (compiled.error) return endByException(compiled.error)
  let returned = true
  const reachEnd = context.newFunction('end', () => {
    returned = false
  })
  const called = invoke(context.unwrapResult(invoke(compiled.value, reachEnd)))
  if (called.error) return endByException(called.error)
  const jobError = runPendingJobs()
  if (jobError) return endByException(jobError)

  // The script may return a promise; its result counts.
  const outcome = context.getPromiseState(called.value)
  if (outcome.type === 'rejected') return endByException(outcome.error)
  const ended = endByLimitOrFailure()
  if (ended) return ended
  if (outcome.type === 'pending') {
    return { status: 'error', returned, message: 'The script returned a promise that never settles' }
  }
  let data: string | undefined
  if (!order.isExpression) {
    const written = invoke(engine.dataText)
    if (written.error) return endByException(written.error, '$data cannot be read: ')
    const text = textOf(written.value)
    if (typeof text === 'number') return { status: 'error', returned, message: '$data is larger than 1 MB' }
    data = text
  }
  const result = returned ? invoke(engine.valueText, outcome.value) : undefined
  const value = result === undefined || result.error ? undefined : textOf(result.value)
  return endByLimitOrFailure() ?? { status: 'ok', returned, data, value: typeof value === 'number' ? undefined : value }
}

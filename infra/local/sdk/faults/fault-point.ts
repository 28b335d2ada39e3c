/**
 * The fault point: every provider call and every delivery to a function passes it, so that tests can script failures
 * of AWS. It costs one comparison while no fault is set.
 */

import { FunctionCrashed } from '../../lambda/function-instance.ts'
import { currentScope, runOutsideScope } from '../../lambda/invocation-scope.ts'
import { leaveOutHalf, reordered } from './batch-faults.ts'

export interface ProviderCall {
  /** `dynamodb`, `sqs`, `s3`; `lambda` for a delivery by an event source (operation `Invoke`). */
  readonly service: string
  readonly operation: string
  /** The calling function; for a delivery, the invoked one. Empty for any other caller. */
  readonly functionName: string
  readonly input: unknown
}

/**
 * - crash-before, crash-after: the function's process dies before the call, or after it took effect.
 * - lose-answer: the call takes effect, then the connection breaks.
 * - throttle: the call is refused.
 * - repeat: the call is made twice; the second outcome is returned.
 * - conflict: a DynamoDB write fails with a transaction conflict.
 * - leave-out: half of a batch is done, the rest is reported as not done.
 * - reorder: the messages of a batch, sent or delivered, are reversed.
 * - delay: waits for so many ms, for a promise, or for a function.
 */
export type FaultAction =
  | 'crash-before'
  | 'crash-after'
  | 'lose-answer'
  | 'throttle'
  | 'repeat'
  | 'conflict'
  | 'leave-out'
  | 'reorder'
  | { readonly delay: number | Promise<unknown> | (() => Promise<unknown>) }

export interface Fault {
  readonly service?: string
  readonly operation?: string
  readonly functionName?: string
  readonly when?: (call: ProviderCall) => boolean
  readonly action: FaultAction
  /** Number of matching calls to let pass first. Default 0. */
  readonly skip?: number
  /** Number of calls to fail. Default 1. */
  readonly times?: number
}

export interface FaultPoint {
  /** True while a fault is armed. */
  readonly active: boolean
  /** Arms a fault. `struck` counts the calls it applied to. */
  inject(fault: Fault): { readonly struck: number }
  clear(): void
  /**
   * Makes a call, under the first armed fault that applies to it. `make` gets the input, which a fault may have
   * changed.
   */
  run<T>(call: ProviderCall, make: (input: any) => Promise<T>): Promise<T>
}

/** A throttled call. Each provider words it its own way. */
export class Throttled extends Error {
  override readonly name = 'Throttled'
}

/** A write that conflicts with a transaction on one of its items. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict'
}

interface ArmedFault extends Fault {
  toSkip: number
  left: number
  struck: number
}

export function openFaultPoint(script: readonly Fault[] = []): FaultPoint {
  let armed: ArmedFault[] = []

  function inject(fault: Fault): ArmedFault {
    const added = { ...fault, toSkip: fault.skip ?? 0, left: fault.times ?? 1, struck: 0 }
    armed.push(added)
    return added
  }
  script.forEach(inject)

  function takeFault(call: ProviderCall): FaultAction | undefined {
    for (const fault of armed) {
      if (!appliesTo(fault, call)) continue
      if (fault.toSkip-- > 0) continue
      fault.struck++
      if (--fault.left === 0) armed = armed.filter((other) => other !== fault)
      return fault.action
    }
    return undefined
  }

  return {
    get active() {
      return armed.length > 0
    },
    inject,
    clear() {
      armed = []
    },
    async run(call, given) {
      const action = takeFault(call)
      const make = (input: unknown = call.input) => given(input)
      if (action === undefined) return make()
      if (typeof action === 'object') {
        await wait(action.delay)
        return make()
      }
      switch (action) {
        case 'throttle':
          throw new Throttled(`${call.service} ${call.operation} was throttled`)
        case 'crash-before':
          return crash()
        case 'crash-after':
          await make()
          return crash()
        case 'lose-answer':
          await make()
          throw connectionReset()
        case 'repeat':
          await make()
          return make()
        case 'conflict':
          throw new TransactionConflict('Transaction is ongoing for the item')
        case 'leave-out':
          return leaveOutHalf(call, make)
        case 'reorder':
          return make(reordered(call.input))
      }
    },
  }
}

/** A delay function acts as another client, so it runs outside the scope of the calling function. */
function wait(delay: number | Promise<unknown> | (() => Promise<unknown>)): Promise<unknown> {
  if (typeof delay === 'function') return runOutsideScope(delay)
  return typeof delay === 'number' ? new Promise((resolve) => setTimeout(resolve, delay)) : delay
}

function appliesTo(fault: Fault, call: ProviderCall): boolean {
  return (
    (fault.service === undefined || fault.service === call.service) &&
    (fault.operation === undefined || fault.operation === call.operation) &&
    (fault.functionName === undefined || fault.functionName === call.functionName) &&
    (fault.when === undefined || fault.when(call))
  )
}

/** Ends the calling function, which never gets an answer. A delivery is rejected. */
function crash(): Promise<never> {
  const error = new FunctionCrashed('Runtime exited with error: signal: killed')
  const scope = currentScope()
  if (!scope) return Promise.reject(error)
  scope.halt(error)
  return new Promise<never>(() => {})
}

/** The error of the SDK's HTTP handler when a connection breaks. */
function connectionReset(): Error {
  return Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' })
}

import type { LogLevel, ScriptLimits } from './script-run.ts'

/** The messages between the main thread and a worker: JSON texts and plain numbers, never a value of the script. */

export interface WorkerSetup {
  readonly engine: WebAssembly.Module
  readonly shared: SharedArrayBuffer
}

export interface RunOrder {
  /** The id of the tenant. */
  readonly tenant: number
  /** Whether more runs of the tenant follow at once, as the expressions of a step do. */
  readonly isExpression: boolean
  /** The wrapped script (`wrapSource`). */
  readonly code: string
  readonly variables: string
  readonly limits: ScriptLimits
}

/** The answer to a call: JSON of `[true, value]` or `[false, refusal]`, or the reason why the run must stop. */
export type CallAnswer = { readonly text: string } | { readonly stop: string }

export type FromWorker =
  | { readonly kind: 'log'; readonly level: LogLevel; readonly text: string }
  | { readonly kind: 'call'; readonly method: string; readonly args: string }
  | { readonly kind: 'end'; readonly end: RunEnd; readonly usedNewEngine: boolean }

/** How a run ended, as reported by the worker. The main thread does not trust it. */
export interface RunEnd {
  readonly status: 'ok' | 'error' | 'stopped'
  readonly returned: boolean
  /** JSON texts. */
  readonly data?: string
  readonly value?: string
  readonly message?: string
  readonly field?: string
  /** Whether the script threw on purpose, with a text for the caller. */
  readonly isDeliberate?: boolean
  /** The engine's stack, with positions in the wrapped source. */
  readonly stack?: string
  /** Whether the engine cannot serve another run. */
  readonly breaksEngine?: boolean
  /** The error that broke the engine, unless it is the script's own fault. */
  readonly breakdown?: string
}

export const argumentBytes = 256 * 1024
export const dataBytes = 1024 * 1024
export const maxMethodCharacters = 64

/** Memory shared by both threads: whether the answer to a call has arrived, and how long the script has computed. */
export class SharedState {
  readonly buffer: SharedArrayBuffer
  private readonly answered: Int32Array
  private readonly times: Float64Array

  constructor(buffer = new SharedArrayBuffer(24)) {
    this.buffer = buffer
    this.answered = new Int32Array(buffer, 0, 1)
    this.times = new Float64Array(buffer, 8, 2)
  }

  expectAnswer(): void {
    Atomics.store(this.answered, 0, 0)
  }
  awaitAnswer(): void {
    Atomics.wait(this.answered, 0, 0)
  }
  announceAnswer(): void {
    Atomics.store(this.answered, 0, 1)
    Atomics.notify(this.answered, 0)
  }

  /** Sets the computing time to 0 before a run. The time counts from `resume`. */
  reset(): void {
    this.times.fill(0)
  }
  resume(): void {
    this.times[1] = monotonicMs()
  }
  pause(): void {
    this.times[0] = this.busyMs()
    this.times[1] = 0
  }
  /** How long the script has computed, without its calls. */
  busyMs(): number {
    const [before = 0, since = 0] = this.times
    return before + (since === 0 ? 0 : monotonicMs() - since)
  }
}

/** A clock that is the same on every thread, unlike `performance.now()`. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

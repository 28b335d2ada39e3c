import { readFileSync, readlinkSync } from 'node:fs'
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

/** Memory shared by both threads: whether the answer to a call has arrived, which thread it is, and what it had computed before the run. */
export class SharedState {
  readonly buffer: SharedArrayBuffer
  private readonly answered: Int32Array
  private readonly thread: Int32Array
  private readonly before: Float64Array

  constructor(buffer = new SharedArrayBuffer(16)) {
    this.buffer = buffer
    this.answered = new Int32Array(buffer, 0, 1)
    this.thread = new Int32Array(buffer, 4, 1)
    this.before = new Float64Array(buffer, 8, 1)
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

  /** The worker tells the system's number of its thread, by which the main thread sees what it computes. */
  nameThread(): void {
    if (process.platform === 'linux') this.thread[0] = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  }
  /** Forgets the run before: until `begin`, the next one has computed nothing. */
  reset(): void {
    this.before[0] = Number.POSITIVE_INFINITY
  }
  /** Counts what the worker computes from now on. */
  begin(): void {
    this.before[0] = ownCpuMs()
  }
  /**
   * How long the run has computed, as its worker sees it, in milliseconds of processor time: neither the load of the
   * machine counts nor what its calls wait.
   */
  computedMs(): number {
    return ownCpuMs() - (this.before[0] as number)
  }
  /** As the main thread sees it, also while nothing can interrupt the worker; 0 where the system does not tell. */
  seenComputedMs(): number {
    if (this.thread[0] === 0) return 0
    return Math.max(0, cpuMsOf(this.thread[0] as number) - (this.before[0] as number))
  }
}

function ownCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Linux counts in hundredths of a second (`USER_HZ`): user and system time are fields 14 and 15, after a name that may hold spaces. */
function cpuMsOf(thread: number): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** A clock that is the same on every thread, unlike `performance.now()`. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

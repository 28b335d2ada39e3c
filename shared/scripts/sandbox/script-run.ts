import {
  maxHookDepth,
  maxScriptCalls,
  maxScriptCpuMs,
  maxScriptMemoryMb,
  maxScriptWallMs,
} from '../../kernel/limits/scripts.ts'
import type { CheckedSource } from '../source/check-source.ts'

/**
 * Answers the `$api` calls of one run, in the name of its tenant and user. A Fault that it throws becomes an exception
 * in the script with the same message; any other error is logged and not shown to the script.
 */
export interface ScriptHost {
  call(method: string, args: unknown[]): Promise<unknown>
}

export interface ScriptRun {
  /** The id of the tenant; waiting tenants take turns. */
  readonly tenant: number
  readonly source: CheckedSource
  /** The script's `$data`, `$old`, ...; missing ones are `null`. `context.now` is the time of `$api.date`. */
  readonly variables: ScriptVariables
  readonly host: ScriptHost
  /** 0 to 5: a run caused by a call of another run is one deeper. */
  readonly depth: number
  readonly limits?: Partial<ScriptLimits>
  /**
   * Whether it is one of the expressions of a step, which share an engine that is taken back to its beginning after each.
   * Only its value counts: `$data` is not read.
   */
  readonly isExpression?: boolean
}

export interface ScriptVariables {
  readonly data?: object | null
  readonly old?: object | null
  readonly record?: object | null
  readonly user?: object | null
  readonly context?: object | null
  readonly incoming?: object | null
}

/** The limits of one run (contract §5). */
export interface ScriptLimits {
  /** Time outside `$api` calls. */
  readonly cpuMs: number
  /** Time from start to end, including calls but not the wait for a worker. */
  readonly wallMs: number
  readonly memoryMb: number
  readonly calls: number
}

export const defaultLimits: ScriptLimits = {
  cpuMs: maxScriptCpuMs,
  wallMs: maxScriptWallMs,
  memoryMb: maxScriptMemoryMb,
  calls: maxScriptCalls,
}
export const deepestRun = maxHookDepth

export interface ScriptOutcome {
  /** `error`: the script threw, called `$api.fail` or left invalid data. `stopped`: a limit ended it. */
  readonly status: 'ok' | 'error' | 'stopped'
  /** `$data` after the script; only when `ok`, and not of an expression. */
  readonly data?: unknown
  /** It did not begin, because no thread became free in time. */
  readonly noThread?: true
  /** Whether a top-level `return` ended the script. */
  readonly returned: boolean
  /** What it returned; undefined when that is not JSON. */
  readonly value?: unknown
  readonly log: readonly LogLine[]
  readonly error?: ScriptError
  readonly ms: number
  readonly calls: number
}

export interface ScriptError {
  readonly message: string
  /** Both count from 1, in the author's text. */
  readonly line?: number
  readonly column?: number
  /** The field that `$api.fail` named. */
  readonly field?: string
  /**
   * Whether the script threw on purpose: an `Exception`, an `Error`, a text, or by `$api.fail`. Otherwise it broke: an
   * error of the engine, a refused call of `$api`, a limit.
   */
  readonly isDeliberate?: boolean
}

export interface LogLine {
  readonly level: LogLevel
  readonly message: string
}

export type LogLevel = 'info' | 'warn' | 'error'

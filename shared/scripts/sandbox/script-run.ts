import type { CheckedSource } from '../source/check-source.ts'

/**
 * Answers the `$api` calls of one run: tenant and actor belong to it, for a worker serves one tenant after another.
 * A Fault it throws is an exception in the script, with its message; anything else is a defect, logged and not shown.
 */
export interface ScriptHost {
  call(method: string, args: unknown[]): Promise<unknown>
}

export interface ScriptRun {
  /** Whose run it is: tenants take turns. */
  readonly tenant: number
  readonly source: CheckedSource
  /** What the script finds as `$data`, `$old`, ...; what is left out is `null` there. `context.now` is its clock. */
  readonly variables: ScriptVariables
  readonly host: ScriptHost
  /** 0..5: a run that a call of another run causes is one deeper than that one. */
  readonly depth: number
  readonly limits?: Partial<ScriptLimits>
}

export interface ScriptVariables {
  readonly data?: object | null
  readonly old?: object | null
  readonly user?: object | null
  readonly context?: object | null
  readonly incoming?: object | null
}

/** Contract §5. */
export interface ScriptLimits {
  /** Time outside of `$api` calls. */
  readonly cpuMs: number
  /** Time from the start to the end, calls included, waiting for a worker not. */
  readonly wallMs: number
  readonly memoryMb: number
  readonly calls: number
}

export const defaultLimits: ScriptLimits = { cpuMs: 1000, wallMs: 10_000, memoryMb: 32, calls: 50 }
export const deepestRun = 5

export interface ScriptOutcome {
  /** `error`: the script, its data or `$api.fail` said no. `stopped`: a limit ended it. */
  readonly status: 'ok' | 'error' | 'stopped'
  /** `$data` as the script left it; only when `ok`. */
  readonly data?: unknown
  /** Whether a top-level `return` ended the script. */
  readonly returned: boolean
  /** What it returned; undefined when that is no JSON. */
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
}

export interface LogLine {
  readonly level: LogLevel
  readonly message: string
}

export type LogLevel = 'info' | 'warn' | 'error'

import { Invalid } from '../../kernel/failures/faults.ts'
import { maxHookDepth, maxRequestScriptMs } from '../../kernel/limits/scripts.ts'

/** How deep scripts may start each other (contract §5); the first script has depth 0. */

/** A script and the scripts that led to it, outermost first: `requests.after_create`, `tasks.after_create`, ... */
export interface ScriptChain {
  readonly path: readonly string[]
  readonly allowance: ScriptAllowance
}

/** The time that all scripts of one request may take together. Time in nested scripts counts once. */
export interface ScriptAllowance {
  enter(nowMs: number): void
  leave(nowMs: number): void
  leftMs(nowMs: number): number
}

export function scriptAllowance(totalMs = maxRequestScriptMs): ScriptAllowance {
  let usedMs = 0
  let running = 0
  let since = 0
  return {
    enter(now) {
      if (running === 0) since = now
      running += 1
    },
    leave(now) {
      running -= 1
      if (running === 0) usedMs += now - since
    },
    leftMs: (now) => totalMs - usedMs - (running > 0 ? now - since : 0),
  }
}

/** The chain of a script that is started by `chain`. @throws Invalid naming the whole path when it is too deep. */
export function stepInto(chain: ScriptChain | undefined, name: string): ScriptChain {
  const path = [...(chain?.path ?? []), name]
  if (path.length - 1 > maxHookDepth)
    throw new Invalid(
      {},
      { message: `Scripts may start each other ${maxHookDepth} deep, not deeper: ${path.join(' → ')}.` },
    )
  return { path, allowance: chain?.allowance ?? scriptAllowance() }
}

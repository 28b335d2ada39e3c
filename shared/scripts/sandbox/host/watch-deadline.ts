import { monotonicMs, type SharedState } from '../messages.ts'
import type { ScriptLimits } from '../script-run.ts'

/** How long a run may go on after its limit before its thread is ended: native loops of the engine cannot be interrupted. */
const graceMs = 250

export interface Watched {
  readonly limits: ScriptLimits
  readonly shared: SharedState
  /** Whether the run waits for the answer to a call. */
  isCalling(): boolean
  /** Ends the waiting; the script then ends itself. */
  stopCall(message: string): void
  /** Ends the thread. */
  kill(message: string): void
}

export const tooLongWithCalls = ({ wallMs }: ScriptLimits): string =>
  `The script took longer than ${wallMs / 1000} s with its calls`
export const tooLongComputing = ({ cpuMs }: ScriptLimits): string =>
  `The script took longer than ${cpuMs / 1000} s to compute`

/**
 * Sees to it that a run ends, from the main thread: the worker's own interrupt handler is the rule, this is for when the
 * worker waits or does not listen. Returns what ends the watch.
 */
export function watchDeadline({ limits, shared, isCalling, stopCall, kill }: Watched): () => void {
  const startedAt = monotonicMs()
  let over = false
  let timer = setTimeout(check, Math.min(limits.cpuMs + graceMs, limits.wallMs))

  const wallLeftMs = (): number => limits.wallMs - (monotonicMs() - startedAt)
  const cpuLeftMs = (): number => limits.cpuMs + graceMs - shared.busyMs()

  function check(): void {
    if (wallLeftMs() <= 0 && isCalling()) stopCall(tooLongWithCalls(limits))
    const leftMs = Math.min(cpuLeftMs(), wallLeftMs() > 0 ? wallLeftMs() : wallLeftMs() + graceMs)
    if (leftMs > 0) timer = setTimeout(check, leftMs + 1)
    // A busy main thread sees its timers first: what the worker has sent meanwhile is read before it is judged.
    else setImmediate(judge)
  }
  function judge(): void {
    if (over) return
    if (cpuLeftMs() <= 0) kill(tooLongComputing(limits))
    else if (wallLeftMs() + graceMs <= 0) kill(tooLongWithCalls(limits))
    else check()
  }
  return () => {
    over = true
    clearTimeout(timer)
  }
}

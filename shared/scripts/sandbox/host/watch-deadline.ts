import { monotonicMs } from '../messages.ts'
import type { ScriptLimits } from '../script-run.ts'

/** How long after its limit a run's thread is ended. The engine's native loops cannot be interrupted. */
const graceMs = 250

/** How soon a thread is looked at again that has computed nearly as long as it may. */
const lookMs = 50

export interface Watched {
  readonly limits: ScriptLimits
  /** How long the run has computed so far, in milliseconds of processor time; 0 where this machine does not tell. */
  computedMs(): number
  /** Whether the run waits for the answer to a call. */
  isCalling(): boolean
  /** Answers the call in flight with the order to stop; the worker then ends the run. */
  stopCall(message: string): void
  /** Ends the thread. */
  kill(message: string): void
}

export const tooLongWithCalls = ({ wallMs }: ScriptLimits): string =>
  `The script took longer than ${wallMs / 1000} s with its calls`
export const tooLongComputing = ({ cpuMs }: ScriptLimits): string =>
  `The script took longer than ${cpuMs / 1000} s to compute`

/**
 * Enforces the limits of a run from the main thread, for when the worker waits for a call or cannot be interrupted.
 * Returns a function that ends the watch.
 */
export function watchDeadline({ limits, computedMs, isCalling, stopCall, kill }: Watched): () => void {
  const startedAt = monotonicMs()
  let over = false
  let timer = setTimeout(check, Math.min(limits.cpuMs + graceMs, limits.wallMs))

  const wallLeftMs = (): number => limits.wallMs - (monotonicMs() - startedAt)
  const cpuLeftMs = (): number => limits.cpuMs + graceMs - computedMs()

  function check(): void {
    if (wallLeftMs() <= 0 && isCalling()) stopCall(tooLongWithCalls(limits))
    const cpuMs = cpuLeftMs()
    const wallMs = wallLeftMs() > 0 ? wallLeftMs() : wallLeftMs() + graceMs
    if (cpuMs > 0 && wallMs > 0) timer = setTimeout(check, Math.min(wallMs, Math.max(cpuMs, lookMs)) + 1)
    // On a busy main thread timers run first; let the messages that the worker has sent arrive before judging it.
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

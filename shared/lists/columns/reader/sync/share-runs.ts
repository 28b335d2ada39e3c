/**
 * One run of `run` for all who wait for it. Who asks while a run is in flight gets the next one, which begins after the
 * question: it sees what was true when it was asked. A run that fails fails for those who waited for it only.
 */
export function shareRuns(run: () => Promise<void>): () => Promise<void> {
  let inFlight: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function runAfter(before: Promise<void> | undefined): Promise<void> {
    // Its failure belongs to those who waited for it. Without one, this waits for others who ask in the same turn.
    await before?.catch(() => undefined)
    next = undefined
    const started = run()
    inFlight = started
    try {
      await started
    } finally {
      if (inFlight === started) inFlight = undefined
    }
  }

  return () => (next ??= runAfter(inFlight))
}

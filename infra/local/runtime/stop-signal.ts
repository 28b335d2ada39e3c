/** Stop signals: Ctrl-C, SIGTERM, a closed terminal, or the end of the npm process that started this one. */

/** The terminal signals the whole process group and npm forwards the signal: within this time they count as one. */
const sameSignalMs = 400
const parentCheckMs = 500

/** Calls `stop` once. A second Ctrl-C exits at once. */
export function onStopSignal(stop: () => void): void {
  let first: number | undefined

  function onSignal(): void {
    if (first !== undefined && Date.now() - first > sameSignalMs) process.exit(130)
    if (first !== undefined) return
    first = Date.now()
    stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)

  // npm starts scripts through a shell, which may die of a signal without forwarding it.
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent && first === undefined) onSignal()
  }, parentCheckMs).unref()
}

/** When to stop: Ctrl-C, SIGTERM, a closed terminal, or the npm that started this has ended. */

/** A terminal signals the whole group and npm passes the signal on: within this time it is one and the same. */
const sameSignalMs = 400
const parentCheckMs = 500

/** Calls `stop` once; a second Ctrl-C ends the process at once. */
export function onStopSignal(stop: () => void): void {
  let first: number | undefined

  function onSignal(): void {
    if (first !== undefined && Date.now() - first > sameSignalMs) process.exit(130)
    if (first !== undefined) return
    first = Date.now()
    stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)

  // npm runs scripts through a shell, which may die of a signal without passing it on.
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent && first === undefined) onSignal()
  }, parentCheckMs).unref()
}

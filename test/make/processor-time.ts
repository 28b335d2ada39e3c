/**
 * Milliseconds that something takes of the processor, whatever else the machine does. A bound of it tells what explodes
 * with its input from what does not; it leaves a slow machine many times what a fast one needs.
 */
export async function processorMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

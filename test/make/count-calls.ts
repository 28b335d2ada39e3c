import { Session } from 'node:inspector/promises'

/**
 * How many calls of functions of JavaScript something takes, which is the same on a slow machine and on a fast one. What
 * runs beside it in this thread counts as well.
 */
export async function countCalls(run: () => Promise<unknown>): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    // What was called before does not count.
    await session.post('Profiler.takePreciseCoverage')
    await run()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => /feelin|formulas/.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges[0]?.count ?? 0))
      .reduce((sum, count) => sum + count, 0)
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

import type { Findings } from './findings.ts'
import type { Results } from './results.ts'

const maxGrowth = 1.3

/** Prints the figures with their goals, next to those of the committed run. */
export function printFigures(
  { small, large, imported }: Findings,
  roundTrips: ReadonlyMap<string, number>,
  previous: Results | undefined,
): { readonly peakRssMb: number } {
  const last = (name: string, connections: number) =>
    previous?.figures.find((one) => one.name === name && one.connections === connections)?.cpuMsEach
  const rows = large.measured.map((one) => {
    const before = small.measured.find(
      ({ operation, connections }) => operation === one.operation && connections === one.connections,
    )
    const growth = one.cpuMsEach !== undefined && before?.cpuMsEach ? one.cpuMsEach / before.cpuMsEach : undefined
    const isCounted = one.connections > 1
    return {
      figure: one.operation.name,
      connections: one.connections,
      [`at ${small.records} /s`]: Math.round(before?.perSecond ?? 0),
      [`at ${large.records} /s`]: Math.round(one.perSecond),
      goal: isCounted && one.operation.goal ? `≥ ${one.operation.goal}` : '',
      'p50 ms': round(one.p50Ms),
      'p99 ms': round(one.p99Ms),
      'CPU ms each': round(one.cpuMsEach),
      'CPU grew ×': round(growth),
      'CPU × last':
        one.cpuMsEach !== undefined && last(one.operation.name, one.connections)
          ? round(one.cpuMsEach / (last(one.operation.name, one.connections) as number))
          : '',
      'round trips': roundTrips.get(one.operation.name) ?? '',
      flat: one.operation.isFlat ? `≤ ${maxGrowth}` : '',
      'RSS MB': Math.round(one.peakRssMb),
      failed: one.failed + (before?.failed ?? 0),
      met: verdict([
        isCounted && one.operation.goal ? one.perSecond >= one.operation.goal : undefined,
        one.operation.isFlat && growth ? growth <= maxGrowth : undefined,
      ]),
    }
  })
  const { lagMs } = imported
  const peakRssMb = Math.max(imported.peakRssMb, ...[...small.measured, ...large.measured].map((one) => one.peakRssMb))
  const whole = [
    figure(
      'import, rows to the answer',
      imported.answeredPerSecond,
      '≥ 2500',
      imported.answeredPerSecond >= 2500,
      imported.cpuMsEach,
    ),
    figure(
      'import, rows until drained',
      imported.drainedPerSecond,
      '≥ 800',
      imported.drainedPerSecond >= 800,
      imported.cpuMsEach,
    ),
    {
      figure: `history of another user meanwhile, ${lagMs.probes} probes, ms`,
      goal: '≤ 2000',
      'p50 ms': Math.round(lagMs.median),
      'p99 ms': Math.round(lagMs.worst),
      met: verdict([lagMs.worst <= 2000]),
    },
    { figure: 'RSS throughout, MB', 'RSS MB': Math.round(peakRssMb), goal: '≤ 600', met: verdict([peakRssMb <= 600]) },
  ]
  console.table([...rows, ...whole])
  return { peakRssMb }

  function figure(name: string, perSecond: number, goal: string, isMet: boolean, cpuMsEach: number | undefined) {
    return {
      figure: name,
      [`at ${large.records} /s`]: Math.round(perSecond),
      goal,
      'CPU ms each': round(cpuMsEach),
      'RSS MB': Math.round(imported.peakRssMb),
      met: verdict([isMet]),
    }
  }
}

const verdict = (checks: readonly (boolean | undefined)[]): string => {
  const made = checks.filter((one) => one !== undefined)
  return made.length === 0 ? '' : made.every(Boolean) ? 'yes' : 'NO'
}

const round = (value: number | undefined): number | '' => (value === undefined ? '' : Math.round(value * 100) / 100)

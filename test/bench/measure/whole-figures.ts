import type { Findings } from '../findings.ts'

/** A figure of the whole service with its goal. */
export interface WholeFigure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly goal: string
  readonly isMet: boolean | undefined
  readonly more: string
}

/** What is not about one operation or query: import, memory, first lists, fairness, tenants. */
export function wholeFigures(findings: Findings): WholeFigure[] {
  const { imported, fairness, firstLists, tenants } = findings
  const { lagMs } = imported
  return [
    atLeast('import, rows to the answer', imported.answeredPerSecond, '/s', 2500, cpu(imported.cpuMsEach)),
    atLeast('import, rows until drained', imported.drainedPerSecond, '/s', 2000),
    atMost('history of another user meanwhile, worst', lagMs.worst, 'ms', 2000, `${lagMs.probes} probes`),
    atMost(
      'memory throughout, without mapped files',
      findings.memory.ownMb,
      'MB',
      600,
      `RSS ${Math.round(findings.memory.rssMb)} MB`,
    ),
    ...firstLists.flatMap(({ name, ms, calls }) => [
      atMost(`first list of a process: ${name}`, ms, 'ms', 250),
      atMost(`first list of a process: ${name}`, calls, 'calls', 8),
    ]),
    ...(fairness
      ? [
          atMost(
            'get beside sixteen heavy lists, median',
            fairness.p50Ms,
            'ms',
            50,
            `p99 ${Math.round(fairness.p99Ms)} ms, ${Math.round(fairness.listsPerSecond)} lists/s`,
          ),
        ]
      : []),
    ...(tenants
      ? [
          atLeast(`lists of ten tenants with ${tenants.records} records each`, tenants.perSecond, '/s', 300),
          ...(tenants.cpuMsEach === undefined
            ? []
            : [
                atMost(
                  'lists of ten tenants, CPU',
                  tenants.cpuMsEach,
                  'ms',
                  5,
                  `RSS ${Math.round(tenants.highestMemory.rssMb)} MB`,
                ),
              ]),
        ]
      : []),
  ]
}

const cpu = (ms: number | undefined): string => (ms === undefined ? '' : `${ms.toFixed(2)} ms CPU a row`)

const atLeast = (name: string, value: number, unit: string, goal: number, more = ''): WholeFigure => ({
  name,
  value,
  unit,
  goal: `≥ ${goal}`,
  isMet: value >= goal,
  more,
})

const atMost = (name: string, value: number, unit: string, goal: number, more = ''): WholeFigure => ({
  name,
  value,
  unit,
  goal: `≤ ${goal}`,
  isMet: value <= goal,
  more,
})

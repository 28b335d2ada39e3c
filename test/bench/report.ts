import { failedRequests, wrongAnswers, type Findings } from './findings.ts'
import { listGoal } from './lists/list-queries.ts'
import type { MeasuredList } from './measure/measure-lists.ts'
import type { MeasuredOperation } from './measure/measure-operations.ts'
import { wholeFigures } from './measure/whole-figures.ts'
import type { Results } from './results.ts'

const maxGrowth = 1.3
/** Lists a second at 16 connections, beside 50 writes a second and beside as many as are answered; for fast lists. */
const besideGoals = { some: 240, many: 150 }

/** Prints the figures with their goals, next to those of the committed run. */
export function printFigures(findings: Findings, previous: Results | undefined): void {
  const last = (name: string, connections: number) =>
    previous?.figures.find((one) => one.name === name && one.connections === connections)?.cpuMsEach ?? undefined
  console.log(`\nOperations at ${findings.records} records`)
  console.table(findings.large.map((one) => operationRow(findings, one, last(one.operation.name, one.connections))))
  console.log('Lists; 16 connections unless it says alone')
  console.table(findings.lists.map((one) => listRow(findings, one, last(one.query.name, 16))))
  console.log('The whole service')
  console.table(
    wholeFigures(findings).map(({ name, value, unit, goal, isMet, more }) => ({
      figure: name,
      value: round(value),
      unit,
      goal,
      met: verdict([isMet]),
      more,
    })),
  )
  for (const { verdict: found } of findings.lists)
    if (found.kind === 'refused') console.log(`refused: ${found.message}`)
  for (const message of wrongAnswers(findings)) console.log(`WRONG: ${message}`)
  const failed = failedRequests(findings)
  if (failed > 0) console.log(`${failed} requests FAILED`)
}

function operationRow({ small }: Findings, one: MeasuredOperation, lastCpuMs: number | undefined) {
  const before = small.measured.find(
    ({ operation, connections }) => operation === one.operation && connections === one.connections,
  )
  const growth = one.cpuMsEach !== undefined && before?.cpuMsEach ? one.cpuMsEach / before.cpuMsEach : undefined
  const { name, goal, isFlat } = one.operation
  const isCounted = one.connections > 1
  return {
    operation: name,
    connections: one.connections,
    '/s': Math.round(one.perSecond),
    goal: isCounted && goal ? `≥ ${goal}` : '',
    'p50 ms': round(one.p50Ms),
    'p99 ms': round(one.p99Ms),
    'CPU ms': round(one.cpuMsEach),
    'grew ×': round(growth),
    flat: isFlat && before ? `≤ ${maxGrowth}` : '',
    '× last': one.cpuMsEach !== undefined && lastCpuMs ? round(one.cpuMsEach / lastCpuMs) : '',
    met: verdict([
      isCounted && goal ? one.perSecond >= goal : undefined,
      isFlat && growth ? growth <= maxGrowth : undefined,
    ]),
  }
}

function listRow({ records, roundTrips }: Findings, one: MeasuredList, lastCpuMs: number | undefined) {
  const { query, alone, crowd, besideSome, besideMany } = one
  const goal = listGoal(query, records)
  const isFast = goal.perSecond !== undefined
  return {
    list: query.name,
    'alone p50': round(alone?.p50Ms),
    'alone p99': round(alone?.p99Ms),
    '/s': round(crowd?.perSecond, 0),
    '≥': goal.perSecond ?? '',
    'p99 ms': round(crowd?.p99Ms, 0),
    'CPU ms': round(crowd?.cpuMsEach),
    '≤': goal.cpuMs,
    '× last': crowd?.cpuMsEach !== undefined && lastCpuMs ? round(crowd.cpuMsEach / lastCpuMs) : '',
    trips: roundTrips.get(query.name) ?? '',
    [`beside 50 writes/s ≥ ${besideGoals.some}`]: round(besideSome?.lists, 0),
    [`beside most writes ≥ ${besideGoals.many}`]: besideMany
      ? `${Math.round(besideMany.lists)} (${Math.round(besideMany.writes)})`
      : '',
    RSS: round(crowd?.peakRssMb, 0),
    answers: one.verdict.kind,
    met: verdict([
      one.verdict.kind === 'right',
      crowd?.cpuMsEach !== undefined ? crowd.cpuMsEach <= goal.cpuMs : undefined,
      goal.perSecond !== undefined && crowd ? crowd.perSecond >= goal.perSecond : undefined,
      isFast && besideSome ? besideSome.lists >= besideGoals.some : undefined,
      isFast && besideMany ? besideMany.lists >= besideGoals.many : undefined,
    ]),
  }
}

const verdict = (checks: readonly (boolean | undefined)[]): string => {
  const made = checks.filter((one) => one !== undefined)
  return made.length === 0 ? '' : made.every(Boolean) ? 'yes' : 'NO'
}

const round = (value: number | undefined, digits = 2): number | '' =>
  value === undefined ? '' : Number(value.toFixed(digits))

import { assumptions } from './assumptions.ts'
import { type Quantities, sumOf, times } from './bill.ts'
import type { Deployment } from './deployment.ts'
import type { MeasuredService } from './measured-service.ts'
import { quantitiesOf } from './quantities-of.ts'
import type { StoredSize } from './stored-size.ts'

/** Something that is billed though nobody uses the service. */
export interface IdleItem {
  readonly item: string
  /** A month. */
  readonly quantities: Quantities
  /** Where the amount comes from. */
  readonly basis: string
}

const runsMeasured = 3

/** Runs each scheduled function a few times. Returns what one run uses, by function id. */
export async function measureSchedules(service: MeasuredService): Promise<ReadonlyMap<string, Quantities>> {
  const { cloud, deployment, measure } = service
  const runs = new Map<string, Quantities>()
  for (const { functionId } of deployment.schedules) {
    await cloud.invoke(functionId)
    const measurement = await measure(async () => {
      for (let n = 0; n < runsMeasured; n += 1) await cloud.invoke(functionId)
    })
    const used = quantitiesOf(measurement, deployment)
    runs.set(functionId, times(sumOf([...used.values()]), 1 / runsMeasured))
  }
  return runs
}

export function idleItems(
  deployment: Deployment,
  runs: ReadonlyMap<string, Quantities>,
  { tableBytes, indexBytes }: StoredSize,
): IdleItem[] {
  const { alarms, customMetrics, dashboards, keys, secrets, schedules, queues, functions } = deployment
  const months = schedules.map(({ functionId, everyMinutes }) => ({
    functionId,
    everyMinutes,
    month: times(runs.get(functionId) ?? {}, runsPerMonth(everyMinutes)),
  }))
  const sumOfLogs = (name: 'logGb' | 'logGbMonths'): number =>
    months.reduce((sum, { month }) => sum + (month[name] ?? 0), 0)
  const nameOf = (id: string): string => functions.find((one) => one.id === id)?.name ?? id
  return [
    ...alarms.map(({ id, metrics }) => ({
      item: `alarm ${id}`,
      quantities: { alarmMetrics: metrics },
      basis: `${metrics} metric`,
    })),
    {
      item: 'metrics of our own',
      quantities: { customMetrics: 0 },
      basis: `${customMetrics}, each billed only for the hours in which something waits, was given up or was repaired`,
    },
    { item: 'dashboard', quantities: { dashboards }, basis: `${dashboards} in the template` },
    ...queues.map(({ id, isFifo }) => {
      const polls = pollsPerMonth(deployment, id)
      return {
        item: `queue ${id}`,
        quantities: isFifo ? { fifoRequests: polls } : { sqsRequests: polls },
        basis: polls === 0 ? 'nobody polls it' : `empty receives of Lambda: ${Math.round(polls)} long polls`,
      }
    }),
    ...months.map(({ functionId, everyMinutes, month }) => ({
      item: `schedule of ${nameOf(functionId)}`,
      quantities: { ...month, logGb: 0, logGbMonths: 0, scheduledRuns: runsPerMonth(everyMinutes) },
      basis: `every ${everyMinutes} min, measured with nothing due`,
    })),
    {
      item: 'logs',
      quantities: { logGb: sumOfLogs('logGb'), logGbMonths: sumOfLogs('logGbMonths') },
      basis: 'what the scheduled functions log, kept for 30 days',
    },
    {
      item: 'requests to the key of the table',
      quantities: { keyRequests: keyRequestsPerMonth(deployment, runs) },
      basis: `one in ${assumptions.keyCacheMinutes} min for each scheduled function that uses the table`,
    },
    {
      item: 'keys of our own',
      quantities: { keys },
      basis: 'the key of the settings; the table uses one that AWS manages',
    },
    { item: 'secrets', quantities: { secrets }, basis: `${secrets} in the template` },
    {
      item: 'table and backup',
      quantities: { tableGb: (tableBytes + indexBytes) / 2 ** 30, backupGb: tableBytes / 2 ** 30 },
      basis: 'a new tenant; point-in-time recovery holds the table without its indexes',
    },
    { item: 'streams', quantities: { streamReads: 0 }, basis: "reads of Lambda's event sources are free" },
  ]
}

const runsPerMonth = (everyMinutes: number): number => (assumptions.hoursPerMonth * 60) / everyMinutes

/** Long polls at an empty queue, by the mappings that read it. */
function pollsPerMonth({ pollers }: Deployment, queueId: string): number {
  const polls = (assumptions.hoursPerMonth * 3600) / assumptions.pollSeconds
  const { pollers: usual, pollersWithoutMaximumConcurrency } = assumptions
  return pollers
    .filter((poller) => poller.queueId === queueId)
    .reduce(
      (sum, { hasMaximumConcurrency }) =>
        sum + polls * (hasMaximumConcurrency ? usual : pollersWithoutMaximumConcurrency),
      0,
    )
}

function keyRequestsPerMonth({ schedules }: Deployment, runs: ReadonlyMap<string, Quantities>): number {
  return schedules
    .filter(({ functionId }) => (runs.get(functionId)?.readUnits ?? 0) > 0)
    .reduce((sum, { everyMinutes }) => sum + runsPerMonth(Math.max(everyMinutes, assumptions.keyCacheMinutes)), 0)
}

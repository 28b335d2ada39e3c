import { MetricUnit, Metrics } from '@aws-lambda-powertools/metrics'

/** The metrics of our own. `infra/monitoring/metrics.ts` uses them in alarms and on the dashboard. */
export type Measure =
  /** By `kind`: seconds since the oldest due row became due. */
  | 'OldestDueSeconds'
  /** Batches of the stream that failed for good and are not replayed yet. */
  | 'FailedBatches'
  /** Requests of tenants that sent more than they may. */
  | 'RateLimited'
  /** By `kind`: how much the nightly repair corrected. */
  | 'Repaired'

const metrics = new Metrics()

/**
 * Writes a metric as a log line, which CloudWatch collects without a call. Namespace and `service` come from the
 * environment.
 */
export function measure(name: Measure, value: number, dimensions: Readonly<Record<string, string>> = {}): void {
  const one = metrics.singleMetric()
  if (Object.keys(dimensions).length > 0) one.addDimensions(dimensions)
  one.addMetric(name, name.endsWith('Seconds') ? MetricUnit.Seconds : MetricUnit.Count, value)
}

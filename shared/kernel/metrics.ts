import { MetricUnit, Metrics } from '@aws-lambda-powertools/metrics'

/** What functions measure beside what AWS does; alarms and dashboard name them (`infra/monitoring/metrics.ts`). */
export type Measure =
  /** By `kind`: how long the oldest row that is due has been waiting. */
  | 'OldestDueSeconds'
  /** Batches that a stream reader gave up on and nobody replayed. */
  | 'FailedBatches'
  /** By `kind`: what the nightly repair mended. */
  | 'Repaired'

const metrics = new Metrics()

/** Publishes a value as a log line that CloudWatch makes a metric of: no call, no waiting. Namespace and `service` come from the environment. */
export function measure(name: Measure, value: number, dimensions: Readonly<Record<string, string>> = {}): void {
  const one = metrics.singleMetric()
  if (Object.keys(dimensions).length > 0) one.addDimensions(dimensions)
  one.addMetric(name, name.endsWith('Seconds') ? MetricUnit.Seconds : MetricUnit.Count, value)
}

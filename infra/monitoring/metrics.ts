import { Duration, type Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'

const period = Duration.minutes(5)

// No labels here: a labelled metric turns an alarm into metric math. The dashboard adds its own labels.

/** The kinds of repair the nightly repair reports (`shared/operations/maintenance/repair`). */
export const repairKinds: readonly string[] = ['history', 'live', 'columns']

/** Each stage publishes in its own namespace: the name of its service stack. */
export const metricsNamespace = (service: Stack): string => service.stackName

export const errorsOf = (fn: IFunction): Metric => fn.metricErrors({ period, statistic: 'Sum' })
export const iteratorAge = (fn: IFunction): Metric => fn.metric('IteratorAge', { period, statistic: 'Maximum' })
export const visibleMessages = (queue: IQueue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' })
/**
 * A message of a standard queue that failed three times no longer counts, so it is the work that nobody gets to; one of a
 * FIFO queue does, until it is a dead letter.
 */
export const oldestMessage = (queue: IQueue): Metric =>
  queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' })
export const serverErrors = (api: HttpApi): Metric => api.metricServerError({ period, statistic: 'Sum' })
export const clientErrors = (api: HttpApi): Metric => api.metricClientError({ period, statistic: 'Sum' })
export const requests = (api: HttpApi): Metric => api.metricCount({ period, statistic: 'Sum' })
export const latency = (api: HttpApi, statistic: 'p50' | 'p99'): Metric => api.metricLatency({ period, statistic })

/** How many 5xx of the API in one period are an alarm, and take a deployment back. */
export const tooManyServerErrors = 5

/** Of the table itself: each index has metrics of its own, which would cost two alarms each. */
export const tableThrottles = (table: ITable, of: 'Read' | 'Write'): Metric =>
  table.metric(`${of}ThrottleEvents`, { period, statistic: 'Sum' })

/** The functions of an account and region share one concurrency pool, so one metric covers them all. */
export const throttles = (): Metric =>
  new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', period, statistic: 'Sum' })

/** Published by the functions themselves (`shared/kernel/runtime/metrics.ts`). */
export const oldestDue = (service: Stack, kind: string): Metric =>
  own(service, 'due-sweeper', 'OldestDueSeconds', 'Maximum', { kind })
export const failedBatchCount = (service: Stack): Metric => own(service, 'file-sweeper', 'FailedBatches', 'Maximum')
export const repaired = (service: Stack, kind: string): Metric =>
  own(service, 'job-runner', 'Repaired', 'Sum', { kind })

const own = (
  stack: Stack,
  service: string,
  metricName: string,
  statistic: string,
  dimensions: Record<string, string> = {},
): Metric =>
  new Metric({
    namespace: metricsNamespace(stack),
    metricName,
    dimensionsMap: { service, ...dimensions },
    period,
    statistic,
  })

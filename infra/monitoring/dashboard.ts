import type { CfnCondition } from 'aws-cdk-lib'
import {
  AlarmStatusWidget,
  type CfnDashboard,
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryWidget,
  type Metric,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { dueKinds } from '../../shared/platform/store/due/due-kinds.ts'
import type { Alarms, WatchedResources } from './alarms.ts'
import {
  clientErrors,
  errorsOf,
  failedBatchCount,
  iteratorAge,
  latency,
  oldestDue,
  requests,
  serverErrors,
  tableThrottles,
  visibleMessages,
} from './metrics.ts'

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left, right, width: 8, height: 6 })

const named = (metric: Metric, label: string): Metric => metric.with({ label })

/**
 * Top to bottom: alarms, what callers see, whether the change feed and the queues keep up, overdue work, latest
 * errors.
 */
export function addDashboard(
  scope: Construct,
  id: string,
  { service, http, table, queues, functions, logs }: WatchedResources,
  alarms: Alarms,
  production: CfnCondition,
): void {
  const backgrounds = functions.filter(({ entry }) => entry.trigger.kind !== 'routes')
  const dashboard = new Dashboard(scope, id, {
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: alarms.all, width: 24, height: 4 })],
      [
        graph(
          'Requests',
          [named(requests(http), 'requests'), named(clientErrors(http), '4xx')],
          [named(serverErrors(http), '5xx')],
        ),
        graph('Latency, ms', [named(latency(http, 'p50'), 'p50'), named(latency(http, 'p99'), 'p99')]),
        graph(
          'Errors of background functions',
          backgrounds.map(({ entry, fn }) => named(errorsOf(fn), entry.name)),
        ),
      ],
      [
        graph(
          'Behind the changes (stream lag), ms',
          functions
            .filter(({ entry }) => entry.trigger.kind === 'stream')
            .map(({ entry, fn }) => named(iteratorAge(fn), entry.name)),
        ),
        graph(
          'Messages in queues',
          Object.entries(queues).map(([name, { queue }]) => named(visibleMessages(queue), name)),
        ),
        graph('Failed for good (dead letters, failed batches)', [
          ...Object.entries(queues).map(([name, { deadLetters }]) => named(visibleMessages(deadLetters), name)),
          named(failedBatchCount(service), 'failed batches'),
        ]),
      ],
      [
        graph(
          'Oldest due work, s',
          dueKinds.map((kind) => named(oldestDue(service, kind), kind)),
        ),
        graph('Consumed capacity units', [
          table.metricConsumedReadCapacityUnits(),
          table.metricConsumedWriteCapacityUnits(),
        ]),
        graph('Refused by the table', [
          table.metricUserErrors(),
          named(tableThrottles(table, 'Read'), 'reads'),
          named(tableThrottles(table, 'Write'), 'writes'),
        ]),
      ],
      [
        new LogQueryWidget({
          title: 'Latest errors',
          logGroupNames: [logs.logGroupName],
          queryLines: [
            'fields @timestamp, service, message, error.message',
            "filter level = 'ERROR'",
            'sort @timestamp desc',
            'limit 20',
          ],
          width: 24,
          height: 6,
        }),
      ],
    ],
  })
  // It costs 3 dollars a month.
  ;(dashboard.node.defaultChild as CfnDashboard).cfnOptions.condition = production
}

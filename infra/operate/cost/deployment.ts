import * as z from 'zod'
import { readTemplates } from '../../local/template/read-templates.ts'
import { resolveTemplate } from '../../local/template/resolve-template.ts'
import { identifyResource } from '../../local/template/resource-types.ts'

/** What the template deploys, as far as it is billed. Ids are logical ids, which the local cloud uses as names. */
export interface Deployment {
  readonly functions: readonly DeployedLambda[]
  readonly queues: readonly { readonly id: string; readonly isFifo: boolean }[]
  /** Event source mappings of queues. */
  readonly pollers: readonly { readonly queueId: string; readonly hasMaximumConcurrency: boolean }[]
  readonly schedules: readonly { readonly functionId: string; readonly everyMinutes: number }[]
  readonly alarms: readonly { readonly id: string; readonly metrics: number }[]
  /** Metrics that the service publishes itself, as far as alarms watch them. */
  readonly customMetrics: number
  readonly dashboards: number
  readonly keys: number
  readonly secrets: number
  readonly indexNames: readonly string[]
}

interface DeployedLambda {
  readonly id: string
  readonly memoryMb: number
  /** The name in the catalogue. */
  readonly name: string
}

const Lambda = z.object({
  MemorySize: z.number(),
  Environment: z.object({ Variables: z.object({ POWERTOOLS_SERVICE_NAME: z.string() }) }),
})
const Queue = z.object({ FifoQueue: z.boolean().default(false) })
const Mapping = z.object({
  EventSourceArn: z.string(),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
})
const Rule = z.object({ ScheduleExpression: z.string(), Targets: z.array(z.object({ Arn: z.string() })) })
const Alarm = z.object({
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: z.unknown().optional(),
  Metrics: z.array(z.unknown()).optional(),
})
const Table = z.object({ GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string() })).default([]) })

const location = { region: 'us-east-1', accountId: '000000000000', stackName: 'local', url: 'http://localhost' }

/**
 * Reads the synthesized templates, with values of their parameters. Throws when they have a resource whose cost is not
 * known here.
 */
export function readDeployment(templateFiles: readonly string[], parameters: Record<string, string> = {}): Deployment {
  const all = resolveTemplate(readTemplates(templateFiles), {
    location,
    parameters,
    identify: (id, type, property) => {
      if (!known.test(type)) throw new Error(`What ${id} (${type}) costs is not known: add it to deployment.ts.`)
      return identifyResource(id, type, property, location)
    },
  })
  const of = <T>(types: string | RegExp, schema: z.ZodType<T>): ({ id: string; arn: string } & T)[] =>
    all
      .filter(({ type }) => (typeof types === 'string' ? type === types : types.test(type)))
      .map(({ id, properties, identity }) => ({ id, arn: identity.attribute('Arn'), ...schema.parse(properties) }))
  const count = (type: string): number => all.filter((resource) => resource.type === type).length
  const functions = of('AWS::Lambda::Function', Lambda)
  const queues = of('AWS::SQS::Queue', Queue)
  const alarms = of('AWS::CloudWatch::Alarm', Alarm)
  const ours = alarms.filter(({ Namespace }) => Namespace !== undefined && !Namespace.startsWith('AWS/'))
  const metricOf = ({ Namespace, MetricName, Dimensions }: z.infer<typeof Alarm>): string =>
    JSON.stringify([Namespace, MetricName, Dimensions])
  return {
    functions: functions.map(({ id, MemorySize, Environment }) => ({
      id,
      memoryMb: MemorySize,
      name: Environment.Variables.POWERTOOLS_SERVICE_NAME,
    })),
    queues: queues.map(({ id, FifoQueue }) => ({ id, isFifo: FifoQueue })),
    pollers: all
      .filter(({ type }) => type === 'AWS::Lambda::EventSourceMapping')
      .flatMap(({ properties }) => {
        const { EventSourceArn, ScalingConfig } = Mapping.parse(properties)
        const queue = queues.find(({ arn }) => arn === EventSourceArn)
        return queue ? [{ queueId: queue.id, hasMaximumConcurrency: ScalingConfig !== undefined }] : []
      }),
    schedules: of('AWS::Events::Rule', Rule).flatMap(({ ScheduleExpression, Targets }) =>
      Targets.map(({ Arn }) => ({
        functionId: functions.find(({ arn }) => arn === Arn)?.id ?? Arn,
        everyMinutes: minutesOf(ScheduleExpression),
      })),
    ),
    alarms: alarms.map(({ id, Metrics }) => ({ id, metrics: Metrics?.length ?? 1 })),
    customMetrics: new Set(ours.map(metricOf)).size,
    dashboards: count('AWS::CloudWatch::Dashboard'),
    keys: count('AWS::KMS::Key'),
    secrets: count('AWS::SecretsManager::Secret'),
    indexNames: of(/^AWS::DynamoDB::(Global)?Table$/, Table).flatMap(({ GlobalSecondaryIndexes }) =>
      GlobalSecondaryIndexes.map(({ IndexName }) => IndexName),
    ),
  }
}

/** Resources that are counted above, are billed by use only, or cost nothing. */
const known =
  /^AWS::(Lambda|IAM|SQS|S3|SNS|Events|Logs|DynamoDB|ApiGatewayV2|CDK|CodeDeploy|KMS|Budgets|SES)::|^AWS::(CloudWatch::(Alarm|Dashboard)|SecretsManager::Secret)$/

function minutesOf(expression: string): number {
  if (/^cron\(\d+ \d+ \* \* \? \*\)$/.test(expression)) return 24 * 60
  const [, amount, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? []
  if (unit === undefined) throw new Error(`How often ${expression} runs is not known: add it to deployment.ts.`)
  return Number(amount) * { minute: 1, hour: 60, day: 24 * 60 }[unit as 'minute' | 'hour' | 'day']
}

import { readFileSync } from 'node:fs'
import * as z from 'zod'

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

const Attribute = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) })
const Resource = z.object({ Type: z.string(), Properties: z.unknown().optional() })
const Template = z.object({ Resources: z.record(z.string(), Resource) })

const Lambda = z.object({
  MemorySize: z.number(),
  Environment: z.object({ Variables: z.object({ POWERTOOLS_SERVICE_NAME: z.string() }) }),
})
const Queue = z.object({ FifoQueue: z.boolean().default(false) })
const Mapping = z.object({
  EventSourceArn: Attribute,
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
})
const Rule = z.object({ ScheduleExpression: z.string(), Targets: z.array(z.object({ Arn: Attribute })) })
const Alarm = z.object({
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: z.unknown().optional(),
  Metrics: z.array(z.unknown()).optional(),
})
const Table = z.object({ GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string() })).default([]) })

/** Reads the synthesized template. Throws when it has a resource whose cost is not known here. */
export function readDeployment(templateFile: string): Deployment {
  const { Resources } = Template.parse(JSON.parse(readFileSync(templateFile, 'utf8')))
  const all = Object.entries(Resources)
  const unknown = all.find(([, { Type }]) => !known.test(Type))
  if (unknown) throw new Error(`What ${unknown[0]} (${unknown[1].Type}) costs is not known: add it to deployment.ts.`)
  const of = <T>(type: string, schema: z.ZodType<T>): ({ id: string } & T)[] =>
    all
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties }]) => ({ id, ...schema.parse(Properties ?? {}) }))
  const count = (type: string): number => all.filter(([, { Type }]) => Type === type).length

  const alarms = of('AWS::CloudWatch::Alarm', Alarm)
  const ours = alarms.filter(({ Namespace }) => Namespace !== undefined && !Namespace.startsWith('AWS/'))
  const metricOf = ({ Namespace, MetricName, Dimensions }: z.infer<typeof Alarm>): string =>
    JSON.stringify([Namespace, MetricName, Dimensions])
  return {
    functions: of('AWS::Lambda::Function', Lambda).map(({ id, MemorySize, Environment }) => ({
      id,
      memoryMb: MemorySize,
      name: Environment.Variables.POWERTOOLS_SERVICE_NAME,
    })),
    queues: of('AWS::SQS::Queue', Queue).map(({ id, FifoQueue }) => ({ id, isFifo: FifoQueue })),
    pollers: of('AWS::Lambda::EventSourceMapping', Mapping)
      .map(({ EventSourceArn, ScalingConfig }) => ({
        queueId: EventSourceArn['Fn::GetAtt'][0],
        hasMaximumConcurrency: ScalingConfig !== undefined,
      }))
      .filter(({ queueId }) => Resources[queueId]?.Type === 'AWS::SQS::Queue'),
    schedules: of('AWS::Events::Rule', Rule).flatMap(({ ScheduleExpression, Targets }) =>
      Targets.map(({ Arn }) => ({ functionId: Arn['Fn::GetAtt'][0], everyMinutes: minutesOf(ScheduleExpression) })),
    ),
    alarms: alarms.map(({ id, Metrics }) => ({ id, metrics: Metrics?.length ?? 1 })),
    customMetrics: new Set(ours.map(metricOf)).size,
    dashboards: count('AWS::CloudWatch::Dashboard'),
    keys: count('AWS::KMS::Key'),
    secrets: count('AWS::SecretsManager::Secret'),
    indexNames: of('AWS::DynamoDB::Table', Table).flatMap(({ GlobalSecondaryIndexes }) =>
      GlobalSecondaryIndexes.map(({ IndexName }) => IndexName),
    ),
  }
}

/** Resources that are counted above, are billed by use only, or cost nothing. */
const known =
  /^AWS::(Lambda|IAM|SQS|S3|SNS|Events|Logs|DynamoDB|ApiGatewayV2|CDK|KMS)::|^AWS::(CloudWatch::(Alarm|Dashboard)|SecretsManager::Secret)$/

function minutesOf(expression: string): number {
  if (/^cron\(\d+ \d+ \* \* \? \*\)$/.test(expression)) return 24 * 60
  const [, amount, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? []
  if (unit === undefined) throw new Error(`How often ${expression} runs is not known: add it to deployment.ts.`)
  return Number(amount) * { minute: 1, hour: 60, day: 24 * 60 }[unit as 'minute' | 'hour' | 'day']
}

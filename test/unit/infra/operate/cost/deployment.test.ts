import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readDeployment } from '../../../../../infra/operate/cost/deployment.ts'
import { idleItems } from '../../../../../infra/operate/cost/idle.ts'

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })
const lambda = {
  Type: 'AWS::Lambda::Function',
  Properties: { MemorySize: 512, Environment: { Variables: { POWERTOOLS_SERVICE_NAME: 'sweeper' } } },
}
const queue = (FifoQueue?: boolean) => ({ Type: 'AWS::SQS::Queue', Properties: { FifoQueue } })
const mapping = (source: string, more = {}) => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: { EventSourceArn: arnOf(source), ...more },
})
const alarm = (Properties: object) => ({ Type: 'AWS::CloudWatch::Alarm', Properties })
const rule = (ScheduleExpression: string) => ({
  Type: 'AWS::Events::Rule',
  Properties: { ScheduleExpression, Targets: [{ Arn: arnOf('Sweeper') }] },
})

async function read(Resources: object) {
  const folder = await mkdtemp(join(tmpdir(), 'deployment-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'a.template.json')
  await writeFile(file, JSON.stringify({ Resources }))
  return readDeployment([file])
}

/** The monthly dollars of items are tested in bill.test.ts; here are the amounts. */
const amountsOf = (deployment: Awaited<ReturnType<typeof read>>) =>
  Object.fromEntries(
    idleItems(deployment, new Map([['Sweeper', { readUnits: 2, logGb: 1 }]]), {
      tableBytes: 0,
      indexBytes: 0,
    }).map(({ item, quantities }) => [item, quantities]),
  )

it('alarms are billed by metric, and a metric of our own once for all alarms that watch it', async () => {
  const own = { Namespace: 'Ours', MetricName: 'Due', Dimensions: [{ Name: 'kind', Value: 'jobs' }] }
  const deployment = await read({
    One: alarm(own),
    Two: alarm(own),
    Other: alarm({ ...own, Dimensions: [{ Name: 'kind', Value: 'files' }] }),
    Lambda: alarm({ Namespace: 'AWS/Lambda', MetricName: 'Errors' }),
    Formula: alarm({ Metrics: [{}, {}, {}] }),
  })
  expect(deployment.alarms.map(({ metrics }) => metrics)).toEqual([1, 1, 1, 1, 3])
  expect(deployment.customMetrics).toBe(2)
})

it('an idle queue is polled five times in 20 s by a mapping with a maximum concurrency, else twice, and unmapped never', async () => {
  const amounts = amountsOf(
    await read({
      Fast: queue(),
      Ordered: queue(true),
      Plain: queue(),
      Dead: queue(),
      Table: { Type: 'AWS::DynamoDB::Table', Properties: {} },
      A: mapping('Fast', { ScalingConfig: { MaximumConcurrency: 4 } }),
      B: mapping('Ordered', { ScalingConfig: { MaximumConcurrency: 10 } }),
      C: mapping('Plain'),
      D: mapping('Table'),
    }),
  )
  expect(amounts).toMatchObject({
    'queue Fast': { sqsRequests: 657_000 },
    'queue Ordered': { fifoRequests: 657_000 },
    'queue Plain': { sqsRequests: 262_800 },
    'queue Dead': { sqsRequests: 0 },
  })
})

it('a schedule costs its runs, and asks for the key of the table every five minutes', async () => {
  const amounts = amountsOf(await read({ Sweeper: lambda, Rule: rule('rate(1 minute)') }))
  expect(amounts['schedule of sweeper']).toMatchObject({ readUnits: 87_600, scheduledRuns: 43_800, logGb: 0 })
  expect(amounts['logs']).toEqual({ logGb: 43_800, logGbMonths: 0 })
  expect(amounts['requests to the key of the table']).toEqual({ keyRequests: 8760 })
})

it('a schedule at an hour of the day runs once a day', async () => {
  const amounts = amountsOf(await read({ Sweeper: lambda, Rule: rule('cron(30 2 * * ? *)') }))
  expect(amounts['schedule of sweeper']).toMatchObject({ scheduledRuns: 730 / 24 })
})

it('refuses a template with resources or schedules whose cost it does not know', async () => {
  await expect(read({ Cluster: { Type: 'AWS::RDS::DBCluster' } })).rejects.toThrow('What Cluster (AWS::RDS::DBCluster)')
  await expect(read({ Sweeper: lambda, Rule: rule('cron(0 3 ? * MON *)') })).rejects.toThrow('How often cron')
})

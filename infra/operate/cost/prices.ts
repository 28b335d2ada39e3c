/**
 * List prices of AWS in us-east-1, as data, and what differs elsewhere. They change, and differ by region: check them on the pages before you rely
 * on a sum. The pages show their figures in a browser only, so `readAt` says where a figure was read. Without it the
 * page itself says so, or nothing we found: check the backup and the secrets first.
 */

export const takenOn = '2026-11-22'

export interface Price {
  readonly service: string
  readonly unit: string
  readonly usd: number
  /** The price is for so many units. */
  readonly per: number
  /** Units a month that every account gets for nothing, without an end. */
  readonly free?: number
  readonly page: string
  readonly readAt?: string
}

const dynamoDb = 'https://aws.amazon.com/dynamodb/pricing/on-demand/'
const lambda = 'https://aws.amazon.com/lambda/pricing/'
const sqs = 'https://aws.amazon.com/sqs/pricing/'
const s3 = 'https://aws.amazon.com/s3/pricing/'
const cloudWatch = 'https://aws.amazon.com/cloudwatch/pricing/'
const kms = 'https://aws.amazon.com/kms/pricing/'

const million = 1_000_000

const prices = {
  writeUnits: {
    service: 'DynamoDB writes',
    unit: 'write request units',
    usd: 0.625,
    per: million,
    page: dynamoDb,
    readAt: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
  },
  readUnits: {
    service: 'DynamoDB reads',
    unit: 'read request units',
    usd: 0.125,
    per: million,
    page: dynamoDb,
    readAt: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
  },
  streamReads: {
    service: 'DynamoDB streams',
    unit: "GetRecords calls of Lambda's event sources",
    usd: 0,
    per: million,
    page: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CostOptimization_StreamsUsage.html',
  },
  tableGb: {
    service: 'DynamoDB storage',
    unit: 'GB-months of table and indexes',
    usd: 0.25,
    per: 1,
    free: 25,
    page: dynamoDb,
    readAt: 'https://aws.amazon.com/dynamodb/pricing/',
  },
  backupGb: {
    service: 'DynamoDB backup',
    unit: 'GB-months of point-in-time recovery',
    usd: 0.2,
    per: 1,
    page: dynamoDb,
  },
  invocations: {
    service: 'Lambda requests',
    unit: 'requests',
    usd: 0.2,
    per: million,
    free: million,
    page: lambda,
    readAt: 'https://cloudchipr.com/blog/aws-lambda-pricing',
  },
  gbSeconds: {
    service: 'Lambda duration',
    unit: 'GB-s (arm64)',
    usd: 0.0000133334,
    per: 1,
    free: 400_000,
    page: lambda,
    readAt: 'https://cloudchipr.com/blog/aws-lambda-pricing',
  },
  httpRequests: {
    service: 'API Gateway',
    unit: 'requests of HTTP API, each 512 KB',
    usd: 1,
    per: million,
    page: 'https://aws.amazon.com/api-gateway/pricing/',
    readAt:
      'https://docs.aws.amazon.com/whitepapers/latest/best-practices-api-gateway-private-apis-integration/cost-optimization.html',
  },
  sqsRequests: {
    service: 'SQS',
    unit: 'requests to standard queues, each 64 KB',
    usd: 0.4,
    per: million,
    free: million,
    page: sqs,
    readAt: 'https://cloudburn.io/blog/amazon-sqs-pricing',
  },
  fifoRequests: {
    service: 'SQS',
    unit: 'requests to FIFO queues, each 64 KB',
    usd: 0.5,
    per: million,
    page: sqs,
    readAt: 'https://cloudburn.io/blog/amazon-sqs-pricing',
  },
  s3Writes: {
    service: 'S3',
    unit: 'PUT, POST and LIST requests',
    usd: 0.005,
    per: 1000,
    page: s3,
    readAt: 'https://devnotes.tech/understanding-aws-s3-pricing-a-complete-cost-breakdown-with-examples',
  },
  s3Reads: {
    service: 'S3',
    unit: 'GET requests',
    usd: 0.0004,
    per: 1000,
    page: s3,
    readAt: 'https://devnotes.tech/understanding-aws-s3-pricing-a-complete-cost-breakdown-with-examples',
  },
  logGb: {
    service: 'CloudWatch logs',
    unit: 'GB ingested',
    usd: 0.5,
    per: 1,
    free: 5,
    page: cloudWatch,
    readAt: 'https://www.factualminds.com/blog/amazon-cloudwatch-pricing-metrics-logs-alarms-dashboards/',
  },
  logGbMonths: {
    service: 'CloudWatch logs',
    unit: 'GB-months kept',
    usd: 0.03,
    per: 1,
    free: 5,
    page: cloudWatch,
    readAt: 'https://github.com/vreutova/infracost-idem-support/pull/2',
  },
  alarmMetrics: {
    service: 'CloudWatch alarms',
    unit: 'metrics of alarms',
    usd: 0.1,
    per: 1,
    free: 10,
    page: cloudWatch,
    readAt: 'https://github.com/vreutova/infracost-idem-support/pull/2',
  },
  customMetrics: {
    service: 'CloudWatch metrics',
    unit: 'metrics of our own',
    usd: 0.3,
    per: 1,
    free: 10,
    page: cloudWatch,
    readAt: 'https://signoz.io/guides/cloudwatch-pricing',
  },
  dashboards: {
    service: 'CloudWatch dashboards',
    unit: 'dashboards',
    usd: 3,
    per: 1,
    free: 3,
    page: cloudWatch,
    readAt: 'https://www.factualminds.com/blog/amazon-cloudwatch-pricing-metrics-logs-alarms-dashboards/',
  },
  scheduledRuns: {
    service: 'EventBridge',
    unit: 'events of scheduled rules',
    usd: 0,
    per: million,
    page: 'https://aws.amazon.com/eventbridge/pricing/',
    readAt: 'https://blog.awsfundamentals.com/aws-eventbridge-pricing-guide',
  },
  keys: { service: 'KMS', unit: 'keys of our own', usd: 1, per: 1, page: kms },
  keyRequests: {
    service: 'KMS',
    unit: 'requests, also to keys that AWS manages',
    usd: 0.03,
    per: 10_000,
    free: 20_000,
    page: kms,
    readAt: 'https://www.wring.co/blog/aws-kms-pricing-guide',
  },
  secrets: {
    service: 'Secrets Manager',
    unit: 'secrets',
    usd: 0.4,
    per: 1,
    page: 'https://aws.amazon.com/secrets-manager/pricing/',
  },
  outGb: {
    service: 'Data transfer',
    unit: 'GB to the internet',
    usd: 0.09,
    per: 1,
    free: 100,
    page: 'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer',
    readAt: 'https://www.apigatewaycost.com/aws',
  },
} as const satisfies Record<string, Price>

export type Priced = keyof typeof prices

/** By region: what differs from us-east-1. Ours, from the same pages with the region chosen; check them before a decision. */
const elsewhere = {
  'us-east-1': {},
  'eu-central-1': {
    writeUnits: 0.7625,
    readUnits: 0.1525,
    tableGb: 0.306,
    backupGb: 0.2448,
    httpRequests: 1.2,
    s3Writes: 0.0054,
    s3Reads: 0.00043,
    logGb: 0.63,
    logGbMonths: 0.0324,
  },
} as const satisfies Record<string, Partial<Record<Priced, number>>>

export type Region = keyof typeof elsewhere
export const regions = Object.keys(elsewhere) as readonly Region[]

export function pricesOf(region: Region): Readonly<Record<Priced, Price>> {
  const own: Partial<Record<Priced, number>> = elsewhere[region]
  return Object.fromEntries(
    Object.entries<Price>(prices).map(([name, price]) => [name, { ...price, usd: own[name as Priced] ?? price.usd }]),
  ) as Record<Priced, Price>
}

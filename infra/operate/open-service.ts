import { S3Client } from '@aws-sdk/client-s3'
import { SQSClient } from '@aws-sdk/client-sqs'
import { findRunningService } from '../local/runtime/local-endpoint.ts'
import { signedHeaders } from './sign-request.ts'

/** Clients for a running service, deployed or local. */
export interface RunningService {
  readonly s3: S3Client
  readonly sqs: SQSClient
  /** The start of the physical names CloudFormation generates; bucket names have it in lower case. */
  readonly prefix: string
  /** Invokes a function and returns its result. Throws when the function fails. */
  invoke(functionArn: string, event: string): Promise<unknown>
  close(): void
}

/**
 * The deployed service of a stage, with the AWS credentials of the environment; without a stage, the local one on
 * `DATA_DIR`.
 */
export const openService = ({ stage }: { stage?: string }): Promise<RunningService> =>
  stage === undefined ? openLocal() : openDeployed(stage)

async function openLocal(): Promise<RunningService> {
  const directory = process.env['DATA_DIR'] || '.local'
  const running = await findRunningService(directory)
  if (!running)
    throw new Error(`No service runs on ${directory}. Start it with npm start, or pass --stage for a deployed one.`)
  const common = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
  const base = running.dynamodb.replace(/\/$/, '')
  const s3 = new S3Client({ ...common, endpoint: `${base}/objects`, forcePathStyle: true })
  const sqs = new SQSClient({ ...common, endpoint: base, useQueueUrlAsEndpoint: false })
  return {
    s3,
    sqs,
    prefix: '',
    invoke: async (arn, event) =>
      outcome(await fetch(`${base}/2015-03-31/functions/${nameOf(arn)}/invocations`, { method: 'POST', body: event })),
    close: () => [s3, sqs].forEach((client) => client.destroy()),
  }
}

async function openDeployed(stage: string): Promise<RunningService> {
  const s3 = new S3Client({})
  const sqs = new SQSClient({})
  return {
    s3,
    sqs,
    prefix: `EntityWorkflow-${stage}-`,
    async invoke(arn, body) {
      const region = arn.split(':')[3] as string
      const url = new URL(
        `https://lambda.${region}.${arn.startsWith('arn:aws-cn:') ? 'amazonaws.com.cn' : 'amazonaws.com'}/2015-03-31/functions/${nameOf(arn)}/invocations`,
      )
      const headers = signedHeaders({ method: 'POST', url, body }, await s3.config.credentials(), {
        region,
        service: 'lambda',
        now: Date.now(),
      })
      return outcome(await fetch(url, { method: 'POST', headers, body }))
    },
    close: () => [s3, sqs].forEach((client) => client.destroy()),
  }
}

/** `arn:aws:lambda:<region>:<account>:function:<name>[:<version>]` */
const nameOf = (arn: string): string => arn.split(':')[6] ?? arn

async function outcome(answer: Response): Promise<unknown> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Lambda answered ${answer.status}: ${text.slice(0, 300)}`)
  const result = JSON.parse(text === '' ? 'null' : text) as { errorType?: string; errorMessage?: string } | null
  if (answer.headers.has('x-amz-function-error')) throw new Error(`${result?.errorType}: ${result?.errorMessage}`)
  return result
}

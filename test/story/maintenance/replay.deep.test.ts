import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { GetQueueAttributesCommand, ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishEndpoint } from '../../../infra/local/runtime/local-endpoint.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const hour = 3_600_000
let directory: string
let service: TestService
let ahead = 0
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'replay-'))
  service = await startService({ dataDirectory: directory, log: () => {}, now: () => Date.now() + ahead })
  await publishEndpoint(directory, { dynamodb: await service.cloud.serveTools(), url: service.url })
  await makeTable(service, 'things', [{ name: 'title', type: 'text' }])
})
afterAll(async () => {
  await service?.stop()
  await rm(directory, { recursive: true, force: true })
})

/** `npm run <command> -- ...` on the running service. */
function run(command: 'replay' | 'redrive', ...given: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, DATA_DIR: directory }
  return new Promise((resolve) => {
    execFile(process.execPath, [`infra/operate/${command}.ts`, ...given], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })
}

const failedBatches = async (): Promise<number> => {
  const s3 = new S3Client(service.cloud.clientOptions('s3'))
  return (await s3.send(new ListObjectsV2Command({ Bucket: bucketName() }))).KeyCount ?? 0
}
const bucketName = (): string => {
  const name = service.cloud.buckets.find((one) => one.startsWith('failedbatches'))
  if (name === undefined) throw new Error('there is no bucket for failed batches')
  return name
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 100_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 25)))
    if (await holds()) return
  throw new Error('the condition was not met within 100 s')
}

describe('npm run replay', () => {
  it('delivers batches again on which the audit function gave up', async () => {
    expect(await run('replay')).toMatchObject({ code: 0, out: 'No batch waits for a replay.\n' })
    const audit = service.cloud.functions.find((name) => name.startsWith('Audit')) as string
    const { id } = (await api('POST', '/api/e/things', { title: 'lamp' })).body.data
    await service.cloud.idle()
    service.cloud.faults.inject({ service: 'lambda', functionName: audit, action: 'throttle', times: Infinity })
    await api('PATCH', `/api/e/things/${id}`, { title: 'desk lamp' })
    ahead = 13 * hour
    await until(async () => (await failedBatches()) > 0)

    const entries = async () =>
      (await service.store.query({ id: 1 }, { pk: `T#1#H#things#${id}` })).items.map(({ version }) => version)
    expect(await entries()).toEqual([1])
    expect(await run('replay', '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^1\/1 .* AuditFunction\w+, 1 records \(RecordAgeExceeded\): waits\n$/),
    })
    expect(await run('replay', '--since', '2999-01-01')).toMatchObject({
      code: 0,
      out: 'No batch waits for a replay.\n',
    })
    const failed = await run('replay')
    expect([failed.code, failed.out]).toEqual([
      1,
      expect.stringMatching(/stays, Throttled: .*\n1 of 1 batches remain\.\n$/),
    ])
    expect([await failedBatches(), await entries()]).toEqual([1, [1]])

    service.cloud.faults.clear()
    expect(await run('replay')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/went through\nNothing remains\.\n$/),
    })
    expect([await failedBatches(), await entries()]).toEqual([0, [1, 2]])
    const { data } = (await api('GET', `/api/sys/history/things/${id}`)).body
    expect(data[0]).toMatchObject({ id: 2, changes: { title: { old: 'lamp', new: 'desk lamp' } } })
  })

  it('refuses invalid options and names what is allowed', async () => {
    expect(await run('replay', '--since', 'yesterday')).toMatchObject({
      code: 1,
      err: 'The since must be a time such as 2026-11-20T08:00:00Z.\n',
    })
    expect(await run('replay', '--sice', 'x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Usage: npm run replay'),
    })
  })
})

describe('npm run redrive', () => {
  it('moves messages of a dead-letter queue back to their queue', async () => {
    const sqs = new SQSClient(service.cloud.clientOptions('sqs'))
    const { QueueUrls: [deadLetters] = [] } = await sqs.send(
      new ListQueuesCommand({ QueueNamePrefix: 'SearchDeadLetters' }),
    )
    const { id } = (await api('POST', '/api/e/things', { title: 'chair' })).body.data
    await service.cloud.idle()
    const log = { pk: 'T#1#XL#things' }
    const { items: before } = await service.store.query({ id: 1 }, log)
    const change = { v: 1, tenant_id: 1, model: 'things', id, version: 1, action: 'create', actor: 1, source: null }
    for (let n = 0; n < 12; n += 1)
      await sqs.send(new SendMessageCommand({ QueueUrl: deadLetters, MessageBody: JSON.stringify(change) }))

    expect(await run('redrive', '--queue', 'search')).toMatchObject({
      code: 0,
      out: '12 messages went back to search.\n',
    })
    await service.cloud.idle()
    expect((await service.store.query({ id: 1 }, log)).items.length).toBeGreaterThan(before.length)
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['All'] }),
    )
    expect([Attributes?.ApproximateNumberOfMessages, Attributes?.ApproximateNumberOfMessagesNotVisible]).toEqual([
      '0',
      '0',
    ])
    expect(await run('redrive', '--queue', 'sarch')).toMatchObject({
      code: 1,
      err: 'The queue is wrong: there is no such queue. Did you mean search?\n',
    })
    const listed = await run('redrive')
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toMatch(/^search +0$/m)
    expect(listed.out).toContain('No dead letter waits.')
  })
})

/** Kinesis Data Streams: PutRecord and PutRecords. Every stream exists, with one shard, and its records are shown. */
import type { JsonProvider } from '../../sdk/providers.ts'
import type { Outbox } from '../outbox.ts'
import { ProviderError } from './provider-error.ts'

/** Limits of the service (API reference, PutRecord and PutRecords). */
const limits = { recordBytes: 1024 * 1024, callBytes: 5 * 1024 * 1024, records: 500, partitionKey: 256 } as const

interface PutInput {
  readonly StreamName?: string
  readonly StreamARN?: string
  readonly Records?: readonly RecordInput[]
}
interface RecordInput {
  /** In base64. */
  readonly Data?: string
  readonly PartitionKey?: string
}
interface ReadRecord {
  readonly data: Buffer
  readonly partitionKey: string
}

const shard = { ShardId: 'shardId-000000000000' }

export function openKinesis(outbox: Pick<Outbox, 'add'>): JsonProvider {
  /** Two moments of the same millisecond differ, as in a stream. */
  let sequence = BigInt(Date.now()) * 1_000_000n

  function put(stream: string, { data, partitionKey }: ReadRecord): object {
    const SequenceNumber = String((sequence += 1n))
    const text = data.toString()
    outbox.add({
      type: 'stream',
      provider: 'kinesis',
      to: [stream],
      text,
      source: text,
      meta: { partition_key: partitionKey, sequence_number: SequenceNumber, bytes: data.length },
    })
    return { ...shard, SequenceNumber }
  }

  return async (operation, input: PutInput & RecordInput) => {
    switch (operation) {
      case 'PutRecord':
        return put(streamOf(input), readRecord(input, ''))
      case 'PutRecords': {
        const stream = streamOf(input)
        const records = readRecords(input.Records)
        return { FailedRecordCount: 0, Records: records.map((record) => put(stream, record)) }
      }
      default:
        throw new ProviderError('UnknownOperationException', `The local Kinesis does not answer ${operation}.`)
    }
  }
}

function streamOf({ StreamName, StreamARN }: PutInput): string {
  const name = StreamName ?? StreamARN?.split(':stream/')[1]
  if (!name) throw new ProviderError('InvalidArgumentException', 'Must specify either StreamName or StreamARN.')
  if (!/^[\w.-]{1,128}$/.test(name))
    throw invalid('streamName', name, 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+')
  return name
}

function readRecords(given: readonly RecordInput[] | undefined): ReadRecord[] {
  if (!given || given.length === 0 || given.length > limits.records)
    throw invalid('records', given, `Member must have length between 1 and ${limits.records}`)
  const records = given.map((record, index) => readRecord(record, `records.${index + 1}.member.`))
  if (records.reduce((sum, one) => sum + sizeOf(one), 0) > limits.callBytes)
    throw new ProviderError('InvalidArgumentException', 'Records size exceeds 5 MB limit')
  return records
}

function readRecord({ Data, PartitionKey }: RecordInput, path: string): ReadRecord {
  if (Data === undefined) throw invalid(`${path}data`, Data, 'Member must not be null')
  if (PartitionKey === undefined || PartitionKey.length < 1 || PartitionKey.length > limits.partitionKey)
    throw invalid(`${path}partitionKey`, PartitionKey, `Member must have length between 1 and ${limits.partitionKey}`)
  const record = { data: Buffer.from(Data, 'base64'), partitionKey: PartitionKey }
  if (sizeOf(record) > limits.recordBytes)
    throw invalid(
      `${path}data`,
      `<${record.data.length} bytes>`,
      `Member must have length less than or equal to ${limits.recordBytes}`,
    )
  return record
}

/** The partition key counts. */
const sizeOf = ({ data, partitionKey }: ReadRecord): number => data.length + Buffer.byteLength(partitionKey)

const invalid = (member: string, value: unknown, constraint: string): ProviderError =>
  new ProviderError(
    'ValidationException',
    `1 validation error detected: Value ${value === undefined ? 'null' : `'${String(value).slice(0, 100)}'`} at '${member}' failed to satisfy constraint: ${constraint}`,
  )

/** The DynamoDB Streams service, with one open shard per stream. */

import { invalid, notFound, refused, unknownOperation } from '../service-error.ts'
import type { Catalogue } from '../tables/catalogue.ts'
import type { Table } from '../tables/table.ts'
import type { StreamLog, StreamRecord } from './stream-log.ts'

const shardId = 'shardId-00000000000000000000-00000001'
const maxRecords = 1000
/** Sorts before every sequence number, with as many digits. */
const beforeAll = `1${'0'.repeat(20)}`

export async function answerStreams(catalogue: Catalogue, operation: string, input: object): Promise<object> {
  const request = input as Record<string, unknown>
  switch (operation) {
    case 'ListStreams':
      return {
        Streams: streamsOf(catalogue)
          .filter(({ table }) => (request.TableName ?? table.name) === table.name)
          .map(summary),
      }
    case 'DescribeStream':
      return { StreamDescription: describe(find(catalogue, request.StreamArn)) }
    case 'GetShardIterator':
      return { ShardIterator: startIterator(find(catalogue, request.StreamArn), request) }
    case 'GetRecords':
      return readShard(catalogue, request)
    default:
      throw unknownOperation()
  }
}

interface TableStream {
  table: Table
  log: StreamLog
}

function streamsOf(catalogue: Catalogue): TableStream[] {
  return [...catalogue.logs].map(([name, log]) => ({ log, table: catalogue.get(name) }))
}

function find(catalogue: Catalogue, arn: unknown): TableStream {
  const found = streamsOf(catalogue).find(({ table }) => table.description.LatestStreamArn === arn)
  if (!found) throw notFound(`Stream: ${String(arn)}`)
  return found
}

function summary({ table: { name, description } }: TableStream): object {
  return { StreamArn: description.LatestStreamArn, StreamLabel: description.LatestStreamLabel, TableName: name }
}

function describe(stream: TableStream): object {
  const { description } = stream.table
  return {
    ...summary(stream),
    StreamStatus: 'ENABLED',
    StreamViewType: description.StreamSpecification!.StreamViewType,
    CreationRequestDateTime: description.CreationDateTime,
    KeySchema: description.KeySchema,
    Shards: [{ ShardId: shardId, SequenceNumberRange: { StartingSequenceNumber: next(beforeAll, 1n) } }],
  }
}

function next(sequence: string, by: bigint): string {
  return String(BigInt(sequence) + by)
}

/** An iterator is the stream's ARN and the sequence number it starts after. */
function startIterator(
  { table, log }: TableStream,
  { ShardId, ShardIteratorType: type, SequenceNumber: at }: Record<string, unknown>,
): string {
  if (ShardId !== shardId) throw notFound(`Shard: ${String(ShardId)}`)
  if (String(type).endsWith('SEQUENCE_NUMBER') && !/^\d+$/.test(String(at))) {
    throw invalid(`ShardIteratorType ${String(type)} needs a SequenceNumber`)
  }
  const behind: Record<string, () => string> = {
    TRIM_HORIZON: () => beforeAll,
    LATEST: () => log.latest,
    AT_SEQUENCE_NUMBER: () => next(at as string, -1n),
    AFTER_SEQUENCE_NUMBER: () => at as string,
  }
  const position = behind[String(type)]
  if (!position)
    throw invalid(
      `Value '${String(type)}' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set`,
    )
  return writeIterator(table.description.LatestStreamArn!, position())
}

async function readShard(catalogue: Catalogue, { ShardIterator, Limit }: Record<string, unknown>): Promise<object> {
  const [arn, behind] = readIterator(ShardIterator)
  const { log } = find(catalogue, arn)
  const records = await log.read(behind, Math.min(Number(Limit ?? maxRecords), maxRecords))
  const last = records.at(-1)?.dynamodb.SequenceNumber ?? behind
  return { Records: records.map(asServiceRecord), NextShardIterator: writeIterator(arn, last) }
}

/** The service and Lambda's event spell one member differently. */
function asServiceRecord({ userIdentity, eventSourceARN: _, ...record }: StreamRecord): object {
  return userIdentity
    ? { ...record, userIdentity: { Type: userIdentity.type, PrincipalId: userIdentity.principalId } }
    : record
}

function writeIterator(arn: string, behind: string): string {
  return Buffer.from(JSON.stringify([arn, behind])).toString('base64')
}

function readIterator(iterator: unknown): [arn: string, behind: string] {
  try {
    const [arn, behind] = JSON.parse(Buffer.from(String(iterator), 'base64').toString()) as [string, string]
    BigInt(behind)
    return [arn, behind]
  } catch (cause) {
    throw Object.assign(refused('ExpiredIteratorException', 'Invalid ShardIterator'), { cause })
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type DynamoDb, openDynamoDb } from '../../../../infra/local/dynamodb/open.ts'
import type { StreamRecord } from '../../../../infra/local/dynamodb/streams/stream-log.ts'
import { type Storage, openStorage } from '../../../../infra/local/runtime/storage/storage.ts'
import { inDirectory, run } from '../directory.ts'
import { settings } from '../fixture.ts'
import { type Item, N, S, key } from '../operations.ts'
import { slottedItem } from '../slotted-item.ts'
import { mainTable, slots, slotsTable } from '../tables.ts'

const TableName = 'main'
const withExpiry = { ...mainTable, TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } }
const put = (sk: string, more: Item = {}) => ({ TableName, Item: { ...key('p', sk), ...more } })
const byOwner = {
  TableName,
  IndexName: 'by-owner',
  KeyConditionExpression: '#o = :o',
  ExpressionAttributeNames: { '#o': 'owner' },
  ExpressionAttributeValues: { ':o': S('ann') },
}
const namesOf = (records: StreamRecord[]) => records.map((record) => record.dynamodb.Keys.sk!.S)

/** What must survive a restart or a kill. */
export function durabilityCases(): void {
  test('tables, indexes, items, time to live, stream and tokens survive a restart', () =>
    inDirectory(async (directory) => {
      const transaction = { TransactItems: [{ Put: put('b') }], ClientRequestToken: 'once' }
      const before = await run(directory, async (dynamoDb) => {
        const description = await dynamoDb.ensureTable(withExpiry)
        await dynamoDb.call('PutItem', put('a', { owner: S('ann'), at: S('1'), expires: N(1_900_000_000) }))
        await dynamoDb.call('TransactWriteItems', transaction)
        return { description, records: await dynamoDb.stream(TableName).read(undefined, 10) }
      })
      await run(directory, async (dynamoDb) => {
        expect(await dynamoDb.ensureTable(withExpiry)).toEqual(before.description)
        expect(await dynamoDb.call('DescribeTimeToLive', { TableName })).toMatchObject({
          TimeToLiveDescription: { AttributeName: 'expires' },
        })
        expect(await dynamoDb.call('Query', byOwner)).toMatchObject({ Count: 1 })
        await dynamoDb.call('TransactWriteItems', transaction)
        const stream = dynamoDb.stream(TableName)
        expect(await stream.read(undefined, 10)).toEqual(before.records)
        await dynamoDb.call('PutItem', put('c'))
        expect(namesOf(await stream.read(before.records.at(-1)!.dynamodb.SequenceNumber, 10))).toEqual(['c'])
      })
      await run(
        directory,
        async (dynamoDb, storage) => {
          expect(await dynamoDb.sweep()).toBe(1)
          expect(await dynamoDb.call('Query', byOwner)).toMatchObject({ Count: 0 })
          expect(await storage.range({ gt: 'ddb/expiry/', lt: 'ddb/expiry/~' })).toEqual([])
        },
        { now: () => 1_900_000_100_000 },
      )
    }))

  test('sequence numbers rise across restarts even when every record was trimmed', () =>
    inDirectory(async (directory) => {
      const sequences: string[] = []
      for (const sk of ['a', 'b', 'c']) {
        await run(directory, async (dynamoDb) => {
          await dynamoDb.ensureTable(mainTable)
          const stream = dynamoDb.stream(TableName)
          await dynamoDb.call('PutItem', put(sk))
          const records = await stream.read(undefined, 10)
          expect(namesOf(records)).toEqual([sk])
          sequences.push(stream.latest)
          await stream.trim(stream.latest)
          expect(await stream.read(undefined, 10)).toEqual([])
        })
      }
      expect(sequences).toEqual(sequences.toSorted())
      expect(new Set(sequences).size).toBe(3)
    }))

  test('trimming frees the space', () =>
    run(':memory:', async (dynamoDb, storage) => {
      await dynamoDb.ensureTable(mainTable)
      for (let i = 0; i < 1500; i++) await dynamoDb.call('PutItem', put(String(i)))
      const stream = dynamoDb.stream(TableName)
      const rows = async () => (await storage.range({ gt: 'ddb/stream/', lt: 'ddb/stream/~' })).length
      expect(await rows()).toBe(1500)
      await stream.trim(stream.latest)
      expect(await rows()).toBe(0)
    }))

  test('a new definition adds and drops indexes of existing data', () =>
    inDirectory(async (directory) => {
      const {
        GlobalSecondaryIndexes: [byOwnerIndex, byDue],
        ...rest
      } = mainTable
      const first = {
        ...rest,
        GlobalSecondaryIndexes: [byDue!],
        AttributeDefinitions: mainTable.AttributeDefinitions.filter(
          ({ AttributeName }) => !/owner|at|email/.test(AttributeName),
        ),
      }
      await run(directory, async (dynamoDb) => {
        await dynamoDb.ensureTable(first)
        for (let i = 0; i < 1200; i++)
          await dynamoDb.call('PutItem', put(String(i), { owner: S('ann'), at: S(String(i)) }))
      })
      const second = {
        ...rest,
        GlobalSecondaryIndexes: [byOwnerIndex!],
        AttributeDefinitions: mainTable.AttributeDefinitions.filter(
          ({ AttributeName }) => !/queue|due|email/.test(AttributeName),
        ),
      }
      for (let restart = 0; restart < 2; restart++) {
        await run(directory, async (dynamoDb, storage) => {
          await dynamoDb.ensureTable(second)
          expect(await dynamoDb.call('Query', { ...byOwner, Select: 'COUNT' })).toMatchObject({ Count: 1200 })
          expect(await storage.range({ gt: 'ddb/index/main/by-due/', lt: 'ddb/index/main/by-due/~' })).toEqual([])
        })
      }
      await run(directory, async (dynamoDb) => {
        const otherKeys = {
          ...second,
          LocalSecondaryIndexes: undefined,
          AttributeDefinitions: second.AttributeDefinitions.filter(({ AttributeName }) => AttributeName !== 'rank'),
        }
        await expect(dynamoDb.ensureTable(otherKeys)).rejects.toThrow(
          'Table main exists with another LocalSecondaryIndexes',
        )
      })
    }))

  test('says in one line why a data directory cannot be opened', () =>
    inDirectory(async (directory) => {
      const inUse = join(directory, 'in-use')
      await run(inUse, async () => {
        await expect(openStorage(inUse)).rejects.toThrow(`The data directory ${inUse} is in use by another process.`)
      })
      const file = join(directory, 'file')
      await writeFile(file, '')
      await expect(openStorage(file)).rejects.toThrow(`The data directory ${file} is not a directory.`)
      const damaged = join(directory, 'damaged')
      await run(damaged, async (dynamoDb) => {
        await dynamoDb.ensureTable(mainTable)
      })
      await writeFile(join(damaged, 'CURRENT'), 'nonsense')
      await expect(openStorage(damaged)).rejects.toThrow(
        /^The data directory .*damaged is damaged: restore it from a backup\.$/,
      )
    }))

  test('closing waits for calls in flight and rejects later ones', () =>
    inDirectory(async (directory) => {
      const storage = await openStorage(directory)
      const dynamoDb = await openDynamoDb(storage, settings)
      await dynamoDb.ensureTable(mainTable)
      const running = Promise.all(Array.from({ length: 50 }, (_, i) => dynamoDb.call('PutItem', put(String(i)))))
      await dynamoDb.close()
      await storage.close()
      await running
      await expect(dynamoDb.call('GetItem', { TableName, Key: key('p') })).rejects.toMatchObject({ statusCode: 500 })
      await expect(storage.commit([{ type: 'put', key: 'k', value: 'v' }])).rejects.toThrow('is closed')
      await run(directory, async (reopened) => {
        expect(await reopened.call('Scan', { TableName, Select: 'COUNT' })).toMatchObject({ Count: 50 })
      })
    }))

  test('a closing storage commits what it has accepted, in order', () =>
    inDirectory(async (directory) => {
      const storage = await openStorage(directory)
      const first = storage.commit([
        { type: 'put', key: 'k', value: '1' },
        { type: 'put', key: 'other', value: '1' },
      ])
      await Promise.resolve().then(() => undefined)
      const second = storage.commit([
        { type: 'put', key: 'k', value: '2' },
        { type: 'del', key: 'other' },
      ])
      await storage.close()
      await Promise.all([first, second])
      const reopened = await openStorage(directory)
      expect(await reopened.range({ gte: 'k', lte: 'other' })).toEqual([['k', '2']])
      await reopened.close()
    }))

  test('a log cut off anywhere, as by a power cut, holds whole writes only', () =>
    inDirectory(async (directory) => {
      const whole = join(directory, 'whole')
      await run(whole, async (dynamoDb) => {
        await dynamoDb.ensureTable(slotsTable)
        for (let version = 1; version <= 4; version++) {
          await Promise.all(
            Array.from({ length: 12 }, (_, i) =>
              dynamoDb.call('PutItem', { TableName: 'slots', Item: slottedItem('p', String(i), version) }),
            ),
          )
          await dynamoDb.call('TransactWriteItems', {
            TransactItems: Array.from({ length: 5 }, (_, i) => ({
              Put: { TableName: 'slots', Item: slottedItem('t', String(i), version) },
            })),
          })
        }
        await cp(whole, join(directory, 'copy'), { recursive: true })
      })
      const log = (await readdir(join(directory, 'copy'))).find((file) => file.endsWith('.log'))!
      const { size } = await stat(join(directory, 'copy', log))
      for (let cut = 0; cut < 30; cut++) {
        const damaged = join(directory, `cut-${cut}`)
        await cp(join(directory, 'copy'), damaged, { recursive: true })
        await truncate(join(damaged, log), Math.floor(size * (0.25 + 0.75 * (cut / 30))))
        await run(damaged, async (dynamoDb, storage) => {
          const items = await expectWholeWrites(dynamoDb, storage)
          const versions = [...items.values()].filter((item) => item.pk!.S === 't').map((item) => item.version!.N)
          expect([0, 5]).toContain(versions.length)
          expect(new Set(versions).size).toBeLessThan(2)
        })
      }
    }))

  test('a process killed under load loses no acknowledged write and leaves no torn one', { timeout: 240_000 }, () =>
    inDirectory(async (directory) => {
      const acked = new Map<string, number>()
      for (const afterMs of [150, 400]) await writeUntilKilled(directory, acked, afterMs)
      expect(acked.size).toBeGreaterThan(0)
      await run(directory, async (dynamoDb, storage) => {
        const items = await expectWholeWrites(dynamoDb, storage)
        for (const [id, version] of acked) expect(Number(items.get(id)?.version?.N), id).toBeGreaterThanOrEqual(version)
      })
    }),
  )
}

/** Checks that items, index entries and stream agree. Returns the items by `<pk>/<sk>`. */
async function expectWholeWrites(dynamoDb: DynamoDb, storage: Storage): Promise<Map<string, Item>> {
  const valuesUnder = async (prefix: string) =>
    (await storage.range({ gt: prefix, lt: `${prefix}~` })).map(([, text]) => JSON.parse(text) as Item)
  const idOf = ({ pk, sk }: Item): string => `${pk!.S}/${sk!.S}`
  const items = new Map((await valuesUnder('ddb/item/slots/')).map((item) => [idOf(item), item]))

  for (const slot of slots) {
    const expected = [...items.values()].filter((item) => item[`${slot}p`] !== undefined)
    const entries = await valuesUnder(`ddb/index/slots/${slot}/`)
    expect(entries.length).toBe(expected.length)
    for (const entry of entries) expect(items.get(idOf(entry))).toMatchObject(entry)
  }

  const streamed = new Map<string, unknown>()
  let after: string | undefined
  for (;;) {
    const records = await dynamoDb.stream('slots').read(after, 1000)
    if (records.length === 0) break
    for (const {
      dynamodb: { NewImage: image },
    } of records)
      streamed.set(`${image!.pk!.S}/${image!.sk!.S}`, image)
    after = records.at(-1)!.dynamodb.SequenceNumber
  }
  expect(streamed).toEqual(items)
  return items
}

/** Starts a process that writes to the directory, then kills it. Collects its acknowledged writes. */
async function writeUntilKilled(directory: string, acked: Map<string, number>, afterMs: number): Promise<void> {
  const writer = spawn(
    process.execPath,
    [fileURLToPath(new URL('./crash-writer.ts', import.meta.url)), directory, JSON.stringify(slotsTable)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  let first = (): void => {}
  const started = new Promise<void>((resolve) => (first = resolve))
  writer.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    first()
  })
  const ended = once(writer, 'close')
  await Promise.race([started, ended, sleep(60_000)])
  await sleep(afterMs)
  writer.kill('SIGKILL')
  await ended
  // The kill may have cut off the last line.
  for (const line of output.split('\n').slice(0, -1)) {
    const [id, version] = line.split(' ') as [string, string]
    acked.set(id, Math.max(acked.get(id) ?? 0, Number(version)))
  }
}

/** Writes to a data directory until it is killed. Prints `<pk>/<sk> <version>` for each acknowledged write. */
import { writeSync } from 'node:fs'
import { openDynamoDb } from '../../../../infra/local/dynamodb/open.ts'
import type { TableInput } from '../../../../infra/local/dynamodb/tables/ensure-table.ts'
import { openStorage } from '../../../../infra/local/runtime/storage/storage.ts'
import { slottedItem } from '../slotted-item.ts'

const [, , directory, table] = process.argv as [string, string, string, string]
const dynamoDb = await openDynamoDb(await openStorage(directory), { region: 'eu-central-1', accountId: '111122223333' })
await dynamoDb.ensureTable(JSON.parse(table) as TableInput)

async function write(writer: number): Promise<never> {
  for (let i = 0; ; i++) {
    const sk = `${process.pid}-${i % 40}`
    const version = Math.floor(i / 40) + 1
    const Item = slottedItem(`writer-${writer}`, sk, version)
    if (i % 2 === 0) await dynamoDb.call('PutItem', { TableName: 'slots', Item })
    else
      await dynamoDb.call('TransactWriteItems', {
        TransactItems: [{ Put: { TableName: 'slots', Item } }],
        ClientRequestToken: `${writer}-${sk}-${version}`.slice(0, 36),
      })
    writeSync(1, `writer-${writer}/${sk} ${version}\n`)
  }
}

await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)))

import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { assumptions } from './assumptions.ts'
import type { MeasuredService } from './measured-service.ts'

/** What the table and its indexes take, as DynamoDB bills storage. Backups hold the table only. */
export interface StoredSize {
  readonly tableBytes: number
  readonly indexBytes: number
}

export async function storedSize(service: MeasuredService): Promise<StoredSize> {
  const client = new DynamoDBClient(service.cloud.clientOptions('dynamodb'))
  try {
    const tableBytes = await scannedBytes(service, client)
    let indexBytes = 0
    for (const name of service.deployment.indexNames) indexBytes += await scannedBytes(service, client, name)
    return { tableBytes, indexBytes }
  } finally {
    client.destroy()
  }
}

/** The meter measures what a scan reads: everything. */
async function scannedBytes({ cloud }: MeasuredService, client: DynamoDBClient, IndexName?: string): Promise<number> {
  let items = 0
  let ExclusiveStartKey: ScanCommand['input']['ExclusiveStartKey']
  cloud.meter.start()
  do {
    const page = await client.send(
      new ScanCommand({ TableName: cloud.tables[0], IndexName, Select: 'COUNT', ExclusiveStartKey }),
    )
    items += page.Count ?? 0
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  const { operations } = cloud.meter.stop().total
  return (operations['dynamodb.Scan']?.bytes ?? 0) + items * assumptions.storedItemOverheadBytes
}

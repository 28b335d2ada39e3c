import { openClient } from '../../../../shared/platform/store/client/open-client.ts'
import type { TestService } from '../service.ts'
import { scanner, type StoredItem } from './single-table.ts'

/** Every item of a service's table whose partition key starts with the prefix. */
export async function itemsOf({ cloud }: Pick<TestService, 'cloud'>, partitionPrefix: string): Promise<StoredItem[]> {
  const client = openClient(cloud.clientOptions('dynamodb'))
  try {
    return await scanner(client, cloud.tables[0] as string)(partitionPrefix)
  } finally {
    client.destroy()
  }
}

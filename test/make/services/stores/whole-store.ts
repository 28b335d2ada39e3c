import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { TestService } from '../service.ts'
import { itemsOf } from './items-of.ts'
import type { StoredItem } from './single-table.ts'

/** Every item of the whole table. */
export const everyItem = (service: TestService): Promise<StoredItem[]> => itemsOf(service, '')

/** Every object of the files bucket by its key. */
export async function everyObject(service: TestService): Promise<Map<string, Buffer>> {
  const client = new S3Client({ ...service.cloud.clientOptions('s3') })
  const Bucket = service.cloud.buckets.find((name) => /files/i.test(name)) as string
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
  const found = new Map<string, Buffer>()
  for (const { Key } of Contents) {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
    found.set(String(Key), Buffer.from((await Body?.transformToByteArray()) ?? []))
  }
  return found
}

import type { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { clientOnDemand } from './open-client.ts'

/** An object of a listing. */
export interface ListedObject {
  readonly key: string
  readonly sizeBytes: number
}

export type ObjectListing = ReturnType<typeof objectListing>

/** All objects of the files bucket under a prefix: to copy them, or to remove them. */
export function objectListing(Bucket: string) {
  const client = clientOnDemand()

  /** At most `limit` objects in the order of their keys, from the first one after `after`. */
  async function list(prefix: string, after: string | null, limit: number): Promise<readonly ListedObject[]> {
    const { Contents = [] } = await client().send(
      new ListObjectsV2Command({
        Bucket,
        Prefix: prefix,
        MaxKeys: limit,
        ...(after !== null && { StartAfter: after }),
      }),
    )
    return Contents.map(({ Key, Size }) => ({ key: String(Key), sizeBytes: Number(Size) }))
  }

  /** The content of an object as a stream; undefined when it does not exist. */
  async function read(Key: string): Promise<Readable | undefined> {
    try {
      const { Body } = await client().send(new GetObjectCommand({ Bucket, Key }))
      return Body as Readable
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined
      throw error
    }
  }

  /** Idempotent. */
  async function remove(Key: string): Promise<void> {
    await client().send(new DeleteObjectCommand({ Bucket, Key }))
  }

  return { list, read, remove }
}

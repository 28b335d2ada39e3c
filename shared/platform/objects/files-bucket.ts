import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { clientOnDemand } from './open-client.ts'

/** Objects for values that are too large for a row. Creates its client on the first call. */
export function filesBucket(Bucket: string) {
  const client = clientOnDemand()

  /** Throws when the object does not exist or is empty. */
  async function fetchObject(key: string): Promise<Uint8Array> {
    const { Body } = await client().send(new GetObjectCommand({ Bucket, Key: key }))
    if (!Body) throw new Error(`object ${key} is empty`)
    return Body.transformToByteArray()
  }

  async function putObject(key: string, body: Uint8Array): Promise<void> {
    await client().send(new PutObjectCommand({ Bucket, Key: key, Body: body }))
  }

  return { fetchObject, putObject }
}

import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { clientOptions } from '../kernel/client-options.ts'

/** So many first bytes tell the type of every file that may be uploaded. */
const headBytes = 512

export type ObjectStorage = ReturnType<typeof openObjectStorage>

/** The objects behind file paths. Import this file when it is needed: its modules would slow every cold start. */
export function openObjectStorage(Bucket: string) {
  // A presigned upload must not carry the checksum of the body that is not there yet.
  const client = new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', ...clientOptions('s3') })

  /** Takes exactly `sizeBytes` of this type, once: S3 checks the signed headers. */
  const uploadUrl = (Key: string, contentType: string, sizeBytes: number, seconds: number): Promise<string> =>
    getSignedUrl(
      client,
      new PutObjectCommand({ Bucket, Key, ContentType: contentType, ContentLength: sizeBytes, IfNoneMatch: '*' }),
      {
        expiresIn: seconds,
        signableHeaders: new Set(['host', 'content-type', 'content-length', 'if-none-match']),
      },
    )

  const downloadUrl = (Key: string, contentType: string, disposition: string, seconds: number): Promise<string> =>
    getSignedUrl(
      client,
      new GetObjectCommand({
        Bucket,
        Key,
        ResponseContentType: contentType,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: 'private, max-age=3600',
      }),
      {
        expiresIn: seconds,
      },
    )

  /** Size and first bytes; undefined when nothing was uploaded there. */
  async function readHead(Key: string): Promise<{ sizeBytes: number; head: Uint8Array } | undefined> {
    try {
      const { Body, ContentRange, ContentLength } = await client.send(
        new GetObjectCommand({ Bucket, Key, Range: `bytes=0-${headBytes - 1}` }),
      )
      const head = Body ? await Body.transformToByteArray() : new Uint8Array()
      return { sizeBytes: Number(ContentRange?.split('/')[1] ?? ContentLength ?? 0), head }
    } catch (error) {
      const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
      // Who may not list a bucket is told 403 for a key that does not exist.
      if (name === 'NoSuchKey' || $metadata?.httpStatusCode === 404 || $metadata?.httpStatusCode === 403)
        return undefined
      if ($metadata?.httpStatusCode === 416) return { sizeBytes: 0, head: new Uint8Array() }
      throw error
    }
  }

  async function deleteObject(Key: string): Promise<void> {
    await client.send(new DeleteObjectCommand({ Bucket, Key }))
  }

  return { uploadUrl, downloadUrl, readHead, deleteObject }
}

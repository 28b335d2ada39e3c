import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { clientOptions } from '../../kernel/runtime/client-options.ts'
import { reportThrottles } from '../../kernel/throttling/retry-strategy.ts'

/** The bytes at the beginning that identify every file type we accept. */
const headBytes = 512

export type ObjectStorage = ReturnType<typeof openObjectStorage>

/** The objects behind file paths. Load this file with `import()`: the S3 client slows a cold start. */
export function openObjectStorage(Bucket: string) {
  // A presigned upload must not contain a checksum, because its body is not known yet.
  const client = reportThrottles(
    new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', ...clientOptions('s3') }),
    's3',
  )

  /** A presigned URL for one upload of exactly this type and size. S3 checks both, because the headers are signed. */
  const uploadUrl = (Key: string, contentType: string, sizeBytes: number, seconds: number): Promise<string> =>
    getSignedUrl(
      client,
      new PutObjectCommand({ Bucket, Key, ContentType: contentType, ContentLength: sizeBytes, IfNoneMatch: '*' }),
      {
        expiresIn: seconds,
        signableHeaders: new Set(['host', 'content-type', 'content-length', 'if-none-match']),
      },
    )

  /** A presigned URL that answers the object with this type and `Content-Disposition`. */
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

  /** Reads the size and the first bytes of an object; undefined when it does not exist. */
  async function readHead(Key: string): Promise<{ sizeBytes: number; head: Uint8Array } | undefined> {
    try {
      const { Body, ContentRange, ContentLength } = await client.send(
        new GetObjectCommand({ Bucket, Key, Range: `bytes=0-${headBytes - 1}` }),
      )
      const head = Body ? await Body.transformToByteArray() : new Uint8Array()
      return { sizeBytes: Number(ContentRange?.split('/')[1] ?? ContentLength ?? 0), head }
    } catch (error) {
      const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
      // Without the right to list the bucket, S3 answers 403 for a key that does not exist.
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

import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { clientOnDemand } from './open-client.ts'

/** The smallest part that S3 accepts; only the last one may be smaller. */
export const partBytes = 5 * 1024 * 1024

export interface UploadedPart {
  readonly number: number
  readonly etag: string
}

export type LargeObjects = ReturnType<typeof largeObjects>

/**
 * Objects of the files bucket that are written in parts, so that they need not fit into memory, and fetched by a
 * presigned URL.
 */
export function largeObjects(Bucket: string) {
  const client = clientOnDemand()
  const at = (Key: string) => ({ Bucket, Key })

  /** Answers the id of a new upload. S3 removes it after a day unless it is completed. */
  async function begin(key: string, contentType: string): Promise<string> {
    const { UploadId } = await client().send(new CreateMultipartUploadCommand({ ...at(key), ContentType: contentType }))
    return UploadId as string
  }

  /** Uploads a part. Numbers start at 1; the same number again replaces the part. */
  async function putPart(key: string, uploadId: string, number: number, body: Uint8Array): Promise<UploadedPart> {
    const { ETag } = await client().send(
      new UploadPartCommand({ ...at(key), UploadId: uploadId, PartNumber: number, Body: body }),
    )
    return { number, etag: ETag as string }
  }

  /** Joins the parts into the object. Idempotent. */
  async function complete(key: string, uploadId: string, parts: readonly UploadedPart[]): Promise<void> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
    try {
      await client().send(
        new CompleteMultipartUploadCommand({ ...at(key), UploadId: uploadId, MultipartUpload: { Parts } }),
      )
    } catch (error) {
      if ((error as Error).name !== 'NoSuchUpload') throw error
      await client().send(new HeadObjectCommand(at(key)))
    }
  }

  /** A presigned URL that downloads the object as a file called `name`. */
  const downloadUrl = (key: string, name: string, seconds: number): Promise<string> =>
    getSignedUrl(
      client(),
      new GetObjectCommand({ ...at(key), ResponseContentDisposition: `attachment; filename="${name}"` }),
      { expiresIn: seconds },
    )

  return { begin, putPart, complete, downloadUrl }
}

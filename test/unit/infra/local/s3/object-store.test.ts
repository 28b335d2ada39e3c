import fs from 'node:fs'
import { chmod, stat } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect, it, vi } from 'vitest'
import { tinyCloud } from '../../../../make/services/tiny-cloud.ts'

const resources = { Files: { Type: 'AWS::S3::Bucket' } }
const Bucket = 'files'

/** Files whose names end so are cut off where the disk is full. Returns what makes room again. */
function fillDisk(name: string, written: string): () => void {
  const { writeFileSync } = fs
  const spy = vi.spyOn(fs, 'writeFileSync').mockImplementation((path, data, options) => {
    if (!String(path).endsWith(name)) return writeFileSync(path, data, options)
    writeFileSync(path, written)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  })
  syncBuiltinESMExports()
  return () => {
    spy.mockRestore()
    syncBuiltinESMExports()
  }
}

describe('a bucket', () => {
  it('stores, finds, lists and deletes objects', async () => {
    const cloud = await tinyCloud({ resources, code: '' })
    const s3 = new S3Client(cloud.clientOptions('s3'))
    const Key = 'a folder/ä+b.txt'
    await s3.send(
      new PutObjectCommand({ Bucket, Key, Body: 'hello', ContentType: 'text/plain', Metadata: { by: 'me' } }),
    )
    const found = await s3.send(new GetObjectCommand({ Bucket, Key }))
    expect([await found.Body!.transformToString(), found.ContentType, found.Metadata]).toEqual([
      'hello',
      'text/plain',
      { by: 'me' },
    ])
    expect((await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'a folder/' }))).Contents).toMatchObject([
      { Key, Size: 5 },
    ])
    await s3.send(new DeleteObjectCommand({ Bucket, Key }))
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key }))).rejects.toMatchObject({ name: 'NotFound' })
  })

  it('lists in the order of bytes, page by page', async () => {
    const cloud = await tinyCloud({ resources, code: '' })
    const s3 = new S3Client(cloud.clientOptions('s3'))
    const keys = ['_', '-', 'a', 'A', 'b', 'B', '0', 'ä', 'Z', 'z', '\u{1f40e}', '\uff5e'].map((name) => `in/${name}`)
    for (const Key of ['out', ...keys]) await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
    const listed: string[] = []
    for (let more = true; more;) {
      const page = await s3.send(
        new ListObjectsV2Command({ Bucket, Prefix: 'in/', MaxKeys: 5, StartAfter: listed.at(-1) }),
      )
      listed.push(...(page.Contents ?? []).map(({ Key }) => Key as string))
      more = page.IsTruncated === true
    }
    expect(listed).toEqual(keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  })

  it('accepts a stream of known length', async () => {
    const cloud = await tinyCloud({ resources, code: '' })
    const s3 = new S3Client(cloud.clientOptions('s3'))
    await s3.send(
      new PutObjectCommand({
        Bucket,
        Key: 'stream',
        Body: Readable.from([Buffer.from('abc'), Buffer.from('def')]),
        ContentLength: 6,
      }),
    )
    expect(await (await s3.send(new GetObjectCommand({ Bucket, Key: 'stream' }))).Body!.transformToString()).toBe(
      'abcdef',
    )
  })

  it('is reachable by presigned URLs', async () => {
    const cloud = await tinyCloud({ resources, code: '' })
    const s3 = new S3Client(cloud.clientOptions('s3'))
    const upload = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'up' }), { expiresIn: 60 })
    expect(upload).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\/up\?/)
    expect((await fetch(upload, { method: 'PUT', body: 'by browser' })).status).toBe(200)
    const download = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'up' }), { expiresIn: 60 })
    expect(await (await fetch(download)).text()).toBe('by browser')
  })

  it('keeps its objects across a restart', async () => {
    const cloud = await tinyCloud({ resources, code: '', onDisk: true })
    await new S3Client(cloud.clientOptions('s3')).send(
      new PutObjectCommand({ Bucket, Key: 'kept', Body: 'still here' }),
    )
    const again = await cloud.restart()
    const found = await new S3Client(again.clientOptions('s3')).send(new GetObjectCommand({ Bucket, Key: 'kept' }))
    expect(await found.Body!.transformToString()).toBe('still here')
  })

  it('keeps what it has when the disk is full, refuses what does not fit, and opens again', async () => {
    const cloud = await tinyCloud({ resources, code: '', onDisk: true })
    const s3 = new S3Client({ ...cloud.clientOptions('s3'), maxAttempts: 1 })
    const put = (Body: string) => s3.send(new PutObjectCommand({ Bucket, Key: 'kept', Body }))
    await put('before')
    for (const [name, written] of [
      ['.data', ''],
      ['.meta.json', '{"key":'],
    ] as const) {
      const empty = fillDisk(name, written)
      await expect(put('after')).rejects.toMatchObject({
        name: 'ServiceUnavailable',
        $metadata: { httpStatusCode: 503 },
        message: 'The object cannot be stored: ENOSPC.',
      })
      empty()
    }
    const again = await cloud.restart()
    const found = await new S3Client(again.clientOptions('s3')).send(new GetObjectCommand({ Bucket, Key: 'kept' }))
    expect(await found.Body!.transformToString()).toBe('before')
  })

  it('completes an upload in parts once there is room', async () => {
    const cloud = await tinyCloud({ resources, code: '', onDisk: true })
    const s3 = new S3Client({ ...cloud.clientOptions('s3'), maxAttempts: 1 })
    const at = { Bucket, Key: 'large' }
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(at))
    const part = { ...at, UploadId, PartNumber: 1 }
    const { ETag } = await s3.send(new UploadPartCommand({ ...part, Body: 'one' }))
    const complete = () =>
      s3.send(
        new CompleteMultipartUploadCommand({
          ...at,
          UploadId,
          MultipartUpload: { Parts: [{ ETag, PartNumber: 1 }] },
        }),
      )
    const empty = fillDisk('.data', '')
    await expect(complete()).rejects.toMatchObject({ name: 'ServiceUnavailable' })
    await expect(s3.send(new UploadPartCommand({ ...part, PartNumber: 2, Body: 'two' }))).rejects.toThrow('ENOSPC')
    empty()
    await complete()
    expect(await (await s3.send(new GetObjectCommand(at))).Body!.transformToString()).toBe('one')
  })

  it('is in a directory that only its owner may enter, also after somebody opened it', async () => {
    const cloud = await tinyCloud({ resources, code: '', onDisk: true })
    const data = join(cloud.folder, 'data')
    expect((await stat(data)).mode & 0o777).toBe(0o700)
    await chmod(data, 0o755)
    await cloud.restart()
    expect((await stat(data)).mode & 0o777).toBe(0o700)
  })

  it('throttles on a fault, and the SDK retries', async () => {
    const cloud = await tinyCloud({ resources, code: '' })
    const fault = cloud.faults.inject({ service: 's3', operation: 'PutObject', action: 'throttle' })
    await new S3Client(cloud.clientOptions('s3')).send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'b' }))
    expect(fault.struck).toBe(1)
  })
})

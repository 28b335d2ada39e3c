import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect, it } from 'vitest'
import { tinyCloud } from '../../../../make/services/tiny-cloud.ts'

const rule = {
  AllowedOrigins: ['https://app.example.com'],
  AllowedMethods: ['GET', 'PUT'],
  AllowedHeaders: ['Content-Type'],
  MaxAge: 60,
}
const resources = { Files: { Type: 'AWS::S3::Bucket', Properties: { CorsConfiguration: { CorsRules: [rule] } } } }
const Bucket = 'files'
const bucket = async (now = Date.now) => {
  const cloud = await tinyCloud({ resources, code: '', now: () => now() })
  return new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', ...cloud.clientOptions('s3') })
}
const put = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body, headers }).then(({ status }) => status)

const hasBody = new Set(['PUT', 'POST'])

describe('a request without a presigned URL', () => {
  it.each([
    ['lists', 'GET', '/files'],
    ['lists the buckets', 'GET', '/'],
    ['reads', 'GET', '/files/kept'],
    ['asks for', 'HEAD', '/files/kept'],
    ['writes', 'PUT', '/files/kept'],
    ['deletes', 'DELETE', '/files/kept'],
    ['deletes many', 'POST', '/files?delete'],
    ['calls a queue', 'POST', '/'],
  ])('never %s (%s %s)', async (_what, method, path) => {
    const s3 = await bucket()
    await s3.send(new PutObjectCommand({ Bucket, Key: 'kept', Body: 'secret' }))
    const base = new URL(await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'kept' }))).origin
    const asked = {
      method,
      headers: { 'x-local-s3-secret': 'local' },
      ...(hasBody.has(method) && { body: '<Delete/>' }),
    }
    const answer = await fetch(`${base}${path}`, asked)
    expect(answer.status).toBe(403)
    expect(await answer.text()).not.toContain('secret')
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'kept' }))
    expect(await Body?.transformToString()).toBe('secret')
  })

  it('cannot be signed with a key that one could guess', async () => {
    const s3 = await bucket()
    await s3.send(new PutObjectCommand({ Bucket, Key: 'kept', Body: 'secret' }))
    const { origin } = new URL(await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'kept' })))
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
    const other = new S3Client({ region: 'local', endpoint: origin, forcePathStyle: true, credentials })
    const forged = await getSignedUrl(other, new GetObjectCommand({ Bucket, Key: 'kept' }))
    expect((await fetch(forged)).status).toBe(403)
  })
})

describe('a presigned URL', () => {
  it('is valid for its method, key, headers and time only', async () => {
    let now = Date.now
    const s3 = await bucket(() => now())
    const signableHeaders = new Set(['host', 'content-type', 'content-length'])
    const url = await getSignedUrl(
      s3,
      new PutObjectCommand({ Bucket, Key: 'ä b/c.txt', ContentType: 'text/plain', ContentLength: 3 }),
      { expiresIn: 60, signableHeaders },
    )
    const type = { 'content-type': 'text/plain' }
    expect(await put(url, 'four', type)).toBe(403)
    expect(await put(url, 'abc', { 'content-type': 'text/html' })).toBe(403)
    expect(await put(url.replace('c.txt', 'd.txt'), 'abc', type)).toBe(403)
    expect((await fetch(url)).status).toBe(403)
    expect(await put(url, 'abc', type)).toBe(200)
    now = () => Date.now() + 61_000
    expect(await put(url, 'abc', type)).toBe(403)
  })

  it('sets the name and type it specifies', async () => {
    const s3 = await bucket()
    await s3.send(new PutObjectCommand({ Bucket, Key: 'page', Body: '<p>', ContentType: 'text/html' }))
    const url = await getSignedUrl(
      s3,
      new GetObjectCommand({
        Bucket,
        Key: 'page',
        ResponseContentType: 'application/octet-stream',
        ResponseContentDisposition: 'attachment; filename="a b"',
      }),
    )
    const { headers } = await fetch(url)
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      'attachment; filename="a b"',
    ])
    expect((await fetch(url.replace('octet-stream', 'x-other'))).status).toBe(403)
  })
})

it('`if-none-match: *` does not replace an object', async () => {
  const s3 = await bucket()
  await s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: '1', IfNoneMatch: '*' }))
  await expect(s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: '2', IfNoneMatch: '*' }))).rejects.toMatchObject({
    name: 'PreconditionFailed',
  })
})

describe('a browser of another origin', () => {
  it.each([
    ['https://app.example.com', 'PUT', 'content-type', 200],
    ['https://app.example.com', 'DELETE', 'content-type', 403],
    ['https://app.example.com', 'PUT', 'x-other', 403],
    ['https://other.example.com', 'PUT', 'content-type', 403],
  ])('from %s may ask for %s with %s: %d', async (origin, method, names, status) => {
    const s3 = await bucket()
    const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'a' }))
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': names },
    })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([
      status,
      status === 200 ? origin : null,
    ])
  })

  it('gets CORS headers on the response as well', async () => {
    const [origin] = rule.AllowedOrigins as [string]
    const url = await getSignedUrl(await bucket(), new PutObjectCommand({ Bucket, Key: 'a' }))
    expect(
      (await fetch(url, { method: 'PUT', body: 'x', headers: { origin } })).headers.get('access-control-allow-origin'),
    ).toBe(origin)
  })
})

import { createHash } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let script: string
beforeAll(async () => {
  service = await sharedService()
  script = /src="\/assets\/(main-[a-z0-9]+\.js)"/.exec(await (await open('/')).text())?.[1] ?? 'none'
})

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const open = (
  path: string,
  headers: Readonly<Record<string, string>> = navigation,
  method = 'GET',
): Promise<Response> => fetch(`${service.url}${path}`, { method, headers, redirect: 'manual' })

/** The bytes as they were sent; `fetch` would unpack them. */
async function received(path: string, encoding?: string): Promise<{ answer: IncomingMessage; bytes: Buffer }> {
  const headers = { ...navigation, ...(encoding !== undefined && { 'accept-encoding': encoding }) }
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${service.url}${path}`, { headers }, resolve).once('error', reject),
  )
  return { answer, bytes: Buffer.concat(await answer.toArray()) }
}

describe('the page of the app', () => {
  it.each(['/', '/e/requests', '/e/requests/7?tab=history', '/?sort=a', '/sign-in', '/a/screen/of/another/version'])(
    'is answered to a browser that opens %s',
    async (path) => {
      const answer = await open(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(await answer.text()).toContain('<div id="app"></div>')
    },
  )

  it('is asked for anew each time, and answered only when it has changed', async () => {
    const { headers } = await open('/')
    expect(headers.get('cache-control')).toBe('no-cache')
    const again = await open('/e/requests', { ...navigation, 'if-none-match': headers.get('etag') as string })
    expect([again.status, again.headers.get('etag')]).toEqual([304, headers.get('etag')])
  })

  it('runs its own scripts only, and is shown in no other page', async () => {
    const { headers } = await open('/')
    const policy = new Map(
      headers
        .get('content-security-policy')
        ?.split('; ')
        .map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]),
    )
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('style-src')).toBe("'self'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  it('has no script and no style inside, and names no other host', async () => {
    const html = await (await open('/')).text()
    expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)/)
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
  })
})

describe('a file of a former build', () => {
  it('is answered to a tab that is open since then, from where each build keeps its files', async () => {
    const s3 = new S3Client(service.cloud.clientOptions('s3'))
    const Bucket = service.cloud.buckets.find((name) => /files/i.test(name))
    const source = 'export const former = "yes"'
    for (const [ending, bytes] of [
      ['br', brotliCompressSync(source)],
      ['gz', gzipSync(source)],
    ] as const)
      await s3.send(new PutObjectCommand({ Bucket, Key: `app/former-ABCDEFGH.js.${ending}`, Body: bytes }))
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await fetch(`${service.url}/assets/former-ABCDEFGH.js`, {
        headers: { 'accept-encoding': encoding },
      })
      expect([answer.status, await answer.text()]).toEqual([200, source])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    }
    // This build has kept its own, for the next one.
    const kept = await s3.send(new GetObjectCommand({ Bucket, Key: `app/${script}.br` }))
    const own = await received(`/assets/${script}`, 'br')
    expect(Buffer.from((await kept.Body?.transformToByteArray()) ?? []).equals(own.bytes)).toBe(true)
  })
})

describe('a file of the app', () => {
  it('never changes', async () => {
    const { headers } = await open(`/assets/${script}`)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('vary')).toBe('accept-encoding')
  })

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
    [undefined, undefined, (bytes: Buffer) => bytes],
  ])('was compressed ahead for a browser that accepts %s', async (accepted, encoding, unpack) => {
    const plain = await received(`/assets/${script}`, 'identity')
    const { answer, bytes } = await received(`/assets/${script}`, accepted)
    expect(answer.headers['content-encoding']).toBe(encoding)
    const hashOf = (of: Uint8Array) => createHash('sha256').update(of).digest('hex')
    expect(hashOf(unpack(bytes))).toBe(hashOf(plain.bytes))
  })

  it.each(['/assets/main-OLDHASH1.js', '/assets/index.html', '/assets/..%2Fhandler.js', '/assets/'])(
    'is 404 when there is none: %s',
    async (path) => expect((await open(path)).status).toBe(404),
  )
})

describe('what is no screen', () => {
  it.each(['/api/nowhere', '/api', '/api/'])('is refused as ever: %s', async (path) => {
    const answer = await service.api('GET', path)
    expect([answer.status, answer.body.code]).toEqual([404, 'endpoint_not_found'])
  })

  it('is 404 for a program that asks for an address of its own', async () => {
    const answer = await service.api('GET', '/nowhere')
    expect([answer.status, answer.body.code]).toEqual([404, 'endpoint_not_found'])
  })

  it.each([
    ['POST', '/', 405],
    ['POST', '/e/requests', 404],
  ])('refuses %s %s', async (method, path, status) => {
    expect((await service.api(method, path)).status).toBe(status)
  })
})

/**
 * S3, provided by fauxqs on a loopback port; objects are files in the data directory. Started by the first call: its
 * modules take a quarter of a second to load.
 */
import { randomBytes } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { findPackageJSON } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { SdkEndpoint } from '../sdk/providers.ts'
import type { WireAnswer, WireRequest } from '../sdk/wire-messages.ts'
import {
  type BucketDefinition,
  type BucketRequest,
  ownRequestHeader,
  refusalOf,
  responseHeaders,
} from './bucket-access.ts'
import { listInByteOrder } from './list-in-byte-order.ts'
import { keepParts, writeWholeFiles } from './whole-files.ts'

export interface ObjectStore {
  /** The endpoint of presigned URLs. */
  endpoint(): Promise<SdkEndpoint>
  /** What presigned URLs are signed with: random for each start, so that nobody else can sign one. */
  readonly secret: string
  /** Sends one S3 request, as serialized by the SDK. */
  request(request: WireRequest, signal?: AbortSignal): Promise<WireAnswer>
  putObject(bucket: string, key: string, body: string): Promise<void>
  close(): Promise<void>
}

export interface ObjectStoreOptions {
  /** Where objects are stored; undefined keeps them in memory. */
  readonly directory?: string
  readonly buckets: readonly BucketDefinition[]
  readonly now: () => number
}

const host = '127.0.0.1'
const maxBodyBytes = 128 * 1024 * 1024

export function openObjectStore(options: ObjectStoreOptions): ObjectStore {
  const agent = new Agent({ keepAlive: true })
  const secret = randomBytes(32).toString('base64url')
  let starting: Promise<S3Server> | undefined

  /** Tried again when it failed, as on a full disk. */
  function started(): Promise<S3Server> {
    starting ??= startS3(options, secret).catch((error: unknown) => {
      starting = undefined
      throw error
    })
    return starting
  }

  async function send(wire: WireRequest, signal?: AbortSignal): Promise<WireAnswer> {
    const { port } = await started()
    return new Promise((resolve, reject) => {
      const headers = { ...wire.headers, host: `${host}:${port}`, [ownRequestHeader]: secret }
      const outgoing = httpRequest(
        { host, port, agent, method: wire.method, path: wire.path + queryText(wire.query), headers, signal },
        (incoming) => {
          const received = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
          resolve({ statusCode: incoming.statusCode ?? 500, headers: Object.fromEntries(received), body: incoming })
        },
      )
      outgoing.on('error', reject)
      if (wire.body instanceof Readable) wire.body.on('error', (error) => outgoing.destroy(error)).pipe(outgoing)
      else outgoing.end(wire.body as string | Uint8Array | undefined)
    })
  }

  return {
    async endpoint() {
      const { port } = await started()
      return { protocol: 'http:', hostname: host, port, path: '/' }
    },
    secret,
    request: send,
    async putObject(bucket, key, body) {
      const path = `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`
      const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
      const answer = await send({ method: 'PUT', path, headers, body })
      ;(answer.body as Readable).resume()
      if (answer.statusCode !== 200)
        throw new Error(`${bucket}/${key} could not be stored: S3 answered ${answer.statusCode}.`)
    },
    async close() {
      const server = await starting?.catch(() => undefined)
      agent.destroy()
      await server?.close()
    },
  }
}

interface S3Server {
  readonly port: number
  close(): Promise<void>
}

/**
 * Builds the fauxqs app itself, because `startFauxqs` listens on all interfaces. Its stores are not exported, so they
 * are imported by file (the version is pinned in package.json).
 */
async function startS3({ directory, buckets, now }: ObjectStoreOptions, secret: string): Promise<S3Server> {
  const manifest = findPackageJSON('fauxqs', import.meta.url)
  if (!manifest) throw new Error('The package fauxqs is not installed.')
  const file = (path: string): Promise<any> =>
    import(/* @vite-ignore */ pathToFileURL(join(manifest, '../dist', path)).href)
  const [{ buildApp }, { SqsStore }, { SnsStore }, { S3Store }, { FileS3Persistence }, { S3Error }] = await Promise.all(
    [
      import('fauxqs'),
      file('sqs/sqsStore.js'),
      file('sns/snsStore.js'),
      file('s3/s3Store.js'),
      file('s3/fileS3Persistence.js'),
      file('common/errors.js'),
    ],
  )
  const s3Store = new S3Store()
  listInByteOrder(s3Store)
  if (directory !== undefined) {
    const persistence = new FileS3Persistence(directory)
    writeWholeFiles(persistence, {
      directory,
      open: (staging) => new FileS3Persistence(staging),
      refusal: (code) => new S3Error('ServiceUnavailable', `The object cannot be stored: ${code}.`, 503),
    })
    keepParts(s3Store)
    persistence.loadS3(s3Store)
    s3Store.persistence = persistence
  }
  for (const { name } of buckets) if (!s3Store.hasBucket(name)) s3Store.createBucket(name)
  const app = buildApp({ logger: false, host, stores: { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store } })
  // fauxqs limits bodies to 11 MB, S3 to 5 GB. This parser gets bodies of types without a parser of their own.
  app.addContentTypeParser(
    /^/,
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (_request: unknown, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body),
  )
  app.addHook('onRequest', async (request: BucketRequest, reply: any) => {
    const refused = refusalOf(request, buckets, secret, now(), (bucket, key) => holds(s3Store, bucket, key))
    if (refused)
      return reply
        .status(refused.status)
        .headers(refused.headers ?? {})
        .send(refused.body ?? '')
  })
  app.addHook('onSend', async (request: BucketRequest, reply: any) => {
    reply.headers(responseHeaders(request, buckets))
  })
  await app.listen({ host, port: 0 })
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
}

function holds(s3Store: any, bucket: string, key: string): boolean {
  try {
    return s3Store.headObject(bucket, key) !== undefined
  } catch {
    return false
  }
}

function queryText(query: WireRequest['query'] = {}): string {
  const terms = Object.entries(query).flatMap(([name, value]) => {
    const encoded = encodeURIComponent(name)
    if (value === null) return [encoded]
    return (typeof value === 'string' ? [value] : value).map((item) => `${encoded}=${encodeURIComponent(item)}`)
  })
  return terms.length === 0 ? '' : `?${terms.join('&')}`
}

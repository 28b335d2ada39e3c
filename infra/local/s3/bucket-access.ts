/**
 * What S3 does and fauxqs does not: unsigned requests are refused, presigned URLs are verified and expire, `response-*`
 * parameters set headers, `if-none-match: *` protects existing objects, and preflights follow the bucket's CORS rules.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export interface CorsRule {
  readonly AllowedOrigins: readonly string[]
  readonly AllowedMethods: readonly string[]
  readonly AllowedHeaders?: readonly string[]
  readonly ExposedHeaders?: readonly string[]
  readonly MaxAge?: number
}
export interface BucketDefinition {
  readonly name: string
  readonly corsRules: readonly CorsRule[]
}

export interface BucketRequest {
  readonly method: string
  /** Path and query as received. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
export interface BucketRefusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The header in which requests of this process carry the secret, in place of a signature. */
export const ownRequestHeader = 'x-local-s3-secret'

/**
 * The response to a request that must not reach the bucket; undefined when it may: it needs a presigned URL, or the
 * `secret` of this process. `exists`: whether the bucket has a key.
 */
export function refusalOf(
  request: BucketRequest,
  buckets: readonly BucketDefinition[],
  secret: string,
  now: number,
  exists: (bucket: string, key: string) => boolean,
): BucketRefusal | undefined {
  const { path, query, bucket, key } = read(request.url)
  if (request.method === 'OPTIONS') {
    const headers = corsHeaders(request, buckets)
    return headers
      ? { status: 200, headers }
      : error(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.')
  }
  if (!isOwn(request, secret)) {
    if (!query.has('X-Amz-Signature')) return error(403, 'AccessDenied', 'Access Denied')
    const wrong = checkSignature(request, path, query, secret, now)
    if (wrong)
      return error(
        403,
        wrong,
        wrong === 'AccessDenied'
          ? 'Request has expired'
          : 'The request signature we calculated does not match the signature you provided.',
      )
  }
  if (request.method === 'PUT' && request.headers['if-none-match'] === '*' && exists(bucket, key)) {
    return error(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
  }
  return undefined
}

/** Headers to add to a response: `response-*` parameters of the URL, and CORS. */
export function responseHeaders(request: BucketRequest, buckets: readonly BucketDefinition[]): Record<string, string> {
  const { query } = read(request.url)
  const overrides = [...query]
    .filter(([name]) => name.startsWith('response-'))
    .map(([name, value]) => [name.slice('response-'.length), value])
  return {
    'x-content-type-options': 'nosniff',
    ...(request.method === 'GET' && Object.fromEntries(overrides)),
    ...corsHeaders(request, buckets),
  }
}

function read(url: string): { path: string; query: URLSearchParams; bucket: string; key: string } {
  const [path = '', search = ''] = url.split('?', 2)
  const [, bucket = '', ...rest] = path.split('/')
  return { path, query: new URLSearchParams(search), bucket, key: decodeURIComponent(rest.join('/')) }
}

function corsHeaders(request: BucketRequest, buckets: readonly BucketDefinition[]): Record<string, string> | undefined {
  const { origin, 'access-control-request-method': asked, 'access-control-request-headers': wanted } = request.headers
  if (typeof origin !== 'string') return undefined
  const { bucket } = read(request.url)
  const method = typeof asked === 'string' ? asked : request.method
  const names =
    typeof wanted === 'string'
      ? wanted
          .toLowerCase()
          .split(',')
          .map((name) => name.trim())
      : []
  const rule = buckets
    .find(({ name }) => name === bucket)
    ?.corsRules.find(
      ({ AllowedOrigins, AllowedMethods, AllowedHeaders = [] }) =>
        (AllowedOrigins.includes('*') || AllowedOrigins.includes(origin)) &&
        AllowedMethods.includes(method) &&
        names.every(
          (name) => AllowedHeaders.includes('*') || AllowedHeaders.some((allowed) => allowed.toLowerCase() === name),
        ),
    )
  if (!rule) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': rule.AllowedMethods.join(', '),
    vary: 'Origin',
    ...(names.length > 0 && { 'access-control-allow-headers': names.join(', ') }),
    ...(rule.ExposedHeaders && { 'access-control-expose-headers': rule.ExposedHeaders.join(', ') }),
    ...(rule.MaxAge !== undefined && { 'access-control-max-age': String(rule.MaxAge) }),
  }
}

/**
 * Verifies AWS Signature Version 4 of a presigned URL (S3 user guide, "Authenticating requests: using query
 * parameters").
 */
function checkSignature(
  { method, url, headers }: BucketRequest,
  path: string,
  query: URLSearchParams,
  secret: string,
  now: number,
): 'AccessDenied' | 'SignatureDoesNotMatch' | undefined {
  const date = query.get('X-Amz-Date') ?? ''
  const [, ...scope] = (query.get('X-Amz-Credential') ?? '').split('/')
  const signedAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(now < signedAt + Number(query.get('X-Amz-Expires')) * 1000)) return 'AccessDenied'
  const signed = (query.get('X-Amz-SignedHeaders') ?? '').split(';')
  const terms = (url.split('?', 2)[1] ?? '').split('&').filter((term) => !term.startsWith('X-Amz-Signature='))
  const canonical = [
    method,
    path,
    terms
      .map((term) => (term.includes('=') ? term : `${term}=`))
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signed.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  )
  const key = scope.reduce<string | Buffer>(
    (above, part) => createHmac('sha256', above).update(part).digest(),
    `AWS4${secret}`,
  )
  return areEqual(createHmac('sha256', key).update(toSign).digest('hex'), query.get('X-Amz-Signature') ?? '')
    ? undefined
    : 'SignatureDoesNotMatch'
}

const isOwn = ({ headers }: BucketRequest, secret: string): boolean => {
  const given = headers[ownRequestHeader]
  return typeof given === 'string' && areEqual(given, secret)
}

const areEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

const error = (status: number, code: string, message: string): BucketRefusal => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
})

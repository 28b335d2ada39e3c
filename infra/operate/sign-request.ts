import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface RequestToSign {
  readonly method: string
  /** The path must need no escaping, and there must be no query. */
  readonly url: URL
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The headers that sign a request (AWS Signature Version 4), for services without an installed client
 * (docs/decisions/0036).
 */
export function signedHeaders(
  { method, url, body, headers = {} }: RequestToSign,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  { region, service, now }: { readonly region: string; readonly service: string; readonly now: number },
): Record<string, string> {
  const moment = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = [moment.slice(0, 8), region, service, 'aws4_request']
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-date': moment,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(signed).toSorted()
  const canonical = [
    method,
    url.pathname,
    '',
    ...names.map((name) => `${name}:${signed[name]}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', moment, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>(
    (above, part) => createHmac('sha256', above).update(part).digest(),
    `AWS4${secretAccessKey}`,
  )
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...signed, authorization }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

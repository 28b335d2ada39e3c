import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { compileRoutes } from '../../../../../infra/local/gateway/http-routes.ts'
import { tinyCloud } from '../../../../make/services/tiny-cloud.ts'
import type { TinyCloud } from '../../../../make/services/tiny-cloud.ts'
import { tinyApi, tinyFunction } from '../../../../make/services/tiny-template.ts'

describe('routes', () => {
  const keys = [
    'GET /things',
    'GET /things/{id}',
    'ANY /things/{id}',
    'GET /things/new',
    'GET /things/{id}/parts/{part}',
    'GET /files/{path+}',
    'ANY /{rest+}',
    'GET /',
  ]
  const match = compileRoutes(keys.map((routeKey) => ({ routeKey, target: routeKey })))

  it.each<[string, string, string | undefined, object | undefined]>([
    ['GET', '/', 'GET /', undefined],
    ['GET', '/things', 'GET /things', undefined],
    ['GET', '/things/7', 'GET /things/{id}', { id: '7' }],
    ['GET', '/things/new', 'GET /things/new', undefined],
    ['DELETE', '/things/7', 'ANY /things/{id}', { id: '7' }],
    ['DELETE', '/things/new', 'ANY /things/{id}', { id: 'new' }],
    ['GET', '/things/7/parts/x%20y', 'GET /things/{id}/parts/{part}', { id: '7', part: 'x y' }],
    ['GET', '/things/a%2Fb', 'GET /things/{id}', { id: 'a/b' }],
    ['GET', '/files/a/b/c', 'GET /files/{path+}', { path: 'a/b/c' }],
    ['POST', '/files/a', 'ANY /{rest+}', { rest: 'files/a' }],
    ['GET', '/things/', 'ANY /{rest+}', { rest: 'things/' }],
    ['POST', '/', undefined, undefined],
  ])('%s %s goes to %s', (method, path, routeKey, parameters) => {
    const found = match(method, path)
    expect(found?.routeKey).toBe(routeKey)
    expect(found?.pathParameters).toEqual(parameters)
  })

  it('prefers any route to $default', () => {
    const withDefault = compileRoutes(['$default', 'GET /a'].map((routeKey) => ({ routeKey, target: routeKey })))
    expect(withDefault('GET', '/a')?.routeKey).toBe('GET /a')
    expect(withDefault('GET', '/b')?.routeKey).toBe('$default')
  })
})

const code = `
export const echo = async (event) => event
export const answer = async (event) => JSON.parse(event.body)
export const fail = async () => { throw new Error('no luck') }
export const hang = () => new Promise(() => {})
export const large = async (event) => ({ statusCode: 200, body: 'x'.repeat(Number(event.queryStringParameters.size)) })
`
const resources = {
  EchoFunction: tinyFunction('echo', { Variables: { TABLE_NAME: '' } }),
  AnswerFunction: tinyFunction('answer', { Variables: { TABLE_NAME: '' } }),
  FailFunction: tinyFunction('fail', { Variables: { TABLE_NAME: '' } }),
  HangFunction: tinyFunction('hang', { Variables: { TABLE_NAME: '' }, Timeout: 0.05 }),
  LargeFunction: tinyFunction('large', { Variables: { TABLE_NAME: '' } }),
  EchoUrl: {
    Type: 'AWS::Lambda::Url',
    Properties: { TargetFunctionArn: { 'Fn::GetAtt': ['EchoFunction', 'Arn'] }, AuthType: 'NONE' },
  },
}
const routes = {
  'ANY /echo/{id}': 'EchoFunction',
  'POST /echo': 'EchoFunction',
  'POST /answer': 'AnswerFunction',
  'GET /fail': 'FailFunction',
  'GET /hang': 'HangFunction',
  'GET /large': 'LargeFunction',
}
const gateway = (cors?: object): Promise<TinyCloud> =>
  tinyCloud({ code, resources: { ...resources, ...tinyApi(routes, cors) } })

/** Sends raw bytes, and reads until the server closes the connection or `enough`. */
function raw(port: number, bytes: string, enough = (text: string) => text.includes('\r\n\r\n')): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (enough(text)) socket.destroy()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

interface HttpEvent {
  readonly headers: Readonly<Record<string, string>>
  readonly requestContext: { readonly requestId: string; readonly time: string }
}

describe('an event', () => {
  it('holds the request as payload format 2.0 says', async () => {
    const { url, port } = await gateway()
    const answer = await fetch(`${url}/echo/a%20b?x=1&x=2&y=%C3%A9+z`, {
      method: 'POST',
      body: '{"a":"é"}',
      headers: { 'Content-Type': 'application/json', Cookie: 'a=1; b=2', 'X-Two': 'one', 'User-Agent': 'test' },
    })
    const event = (await answer.json()) as HttpEvent
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'ANY /echo/{id}',
      rawPath: '/echo/a b',
      rawQueryString: 'x=1&x=2&y=%C3%A9+z',
      cookies: ['a=1', 'b=2'],
      headers: {
        'content-type': 'application/json',
        'x-two': 'one',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': String(port),
        host: `localhost:${port}`,
      },
      queryStringParameters: { x: '1,2', y: 'é z' },
      pathParameters: { id: 'a b' },
      body: '{"a":"é"}',
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        stage: '$default',
        http: { method: 'POST', path: '/echo/a b', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      },
    })
    expect(event.requestContext.requestId).toBe(answer.headers.get('apigw-requestid'))
    expect(event.requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/)
    expect(event.headers).not.toHaveProperty('cookie')
  })

  it('leaves out what the request does not have', async () => {
    const { url } = await gateway()
    const event = await (await fetch(`${url}/echo`, { method: 'POST' })).json()
    for (const absent of ['body', 'cookies', 'queryStringParameters', 'pathParameters'])
      expect(event).not.toHaveProperty(absent)
  })

  it('joins repeated headers by a comma', async () => {
    const { port } = await gateway()
    const text = await raw(port, 'GET /echo/1 HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nx-a: 2\r\n\r\n', (answer) =>
      answer.endsWith('}'),
    )
    expect(JSON.parse(text.split('\r\n\r\n')[1]!).headers['x-a']).toBe('1,2')
  })

  it.each(['application/octet-stream', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'carries %s in base64',
    async (type) => {
      const { url } = await gateway()
      const event = await (
        await fetch(`${url}/echo`, { method: 'POST', body: 'a=1', headers: { 'content-type': type } })
      ).json()
      expect(event).toMatchObject({ isBase64Encoded: true, body: 'YT0x' })
    },
  )

  it('keeps the path of a function URL as received', async () => {
    const { url } = await gateway()
    const event = await (await fetch(`${url}/_local/functions/EchoFunction/hook/a%20b?x=1`)).json()
    expect(event).toMatchObject({ routeKey: '$default', rawPath: '/hook/a%20b', rawQueryString: 'x=1' })
  })
})

describe('an answer', () => {
  const answered = async (result: unknown, cloud?: TinyCloud): Promise<Response> =>
    fetch(`${(cloud ?? (await gateway())).url}/answer`, {
      method: 'POST',
      body: JSON.stringify(result),
      headers: { 'content-type': 'application/json' },
    })

  it('carries status, headers, cookies and body', async () => {
    const answer = await answered({
      statusCode: 201,
      headers: { 'X-A': 1, 'content-type': 'text/html' },
      cookies: ['a=1', 'b=2; HttpOnly'],
      body: '<p>é',
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('x-a')).toBe('1')
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2; HttpOnly'])
    expect(answer.headers.get('content-length')).toBe('5')
    expect(await answer.text()).toBe('<p>é')
  })

  it('decodes a base64 body', async () => {
    const answer = await answered({ statusCode: 200, body: 'AP8=', isBase64Encoded: true })
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array([0, 255]))
  })

  it('is a 200 with JSON for a plain value', async () => {
    const answer = await answered({ hello: 'there' })
    expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
      200,
      'application/json',
      { hello: 'there' },
    ])
  })

  it('has no body and no length with 204', async () => {
    const answer = await answered({ statusCode: 204, body: 'ignored' })
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([204, null, ''])
  })

  it('has its headers but no body for HEAD', async () => {
    const { url } = await gateway()
    const answer = await fetch(`${url}/echo/1`, { method: 'HEAD' })
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100)
    expect(await answer.text()).toBe('')
  })

  it.each<[string, unknown]>([
    ['a status that is none', { statusCode: 'soon' }],
    ['a status out of range', { statusCode: 99 }],
    ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
    ['a header with a line break', { statusCode: 200, headers: { 'x-a': 'a\r\nset-cookie: b=1' } }],
    ['a header name that is none', { statusCode: 200, headers: { 'x a': '1' } }],
  ])('is 500 for %s', async (_, result) => {
    const cloud = await gateway()
    const answer = await answered(result, cloud)
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { success: false, code: 'internal_error', message: 'Internal Server Error' },
    ])
    expect(cloud.logged).toMatchObject([{ level: 'ERROR', error: 'BadResult' }])
  })

  it.each([
    ['throws', '/fail', 'no luck'],
    ['takes longer than its timeout', '/hang', 'Task timed out after 0.05 seconds'],
  ])('is 500 when the function %s, and the log says why', async (_, path, message) => {
    const cloud = await gateway()
    const answer = await fetch(cloud.url + path)
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { success: false, code: 'internal_error', message: 'Internal Server Error' },
    ])
    expect(cloud.logged).toMatchObject([{ level: 'ERROR', message, request_id: answer.headers.get('apigw-requestid') }])
  })

  it('is 500 when it is larger than Lambda allows', async () => {
    const { url } = await gateway()
    expect((await fetch(`${url}/large?size=6000000`)).status).toBe(200)
    expect((await fetch(`${url}/large?size=6291556`)).status).toBe(500)
  })

  it('is 404 when no route matches', async () => {
    const { url } = await gateway()
    const answer = await fetch(`${url}/nowhere`)
    expect([answer.status, await answer.json()]).toEqual([404, { message: 'Not Found' }])
  })

  it('is 400 for a path with a broken escape', async () => {
    const { url } = await gateway()
    const answer = await fetch(`${url}/echo/%zz`)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { success: false, code: 'malformed_request', message: expect.any(String) },
    ])
    expect(answer.headers.get('x-request-id')).toBe(answer.headers.get('apigw-requestid'))
  })
})

describe('a request over the limits', () => {
  it('is 431 when its head is over 10,240 bytes', async () => {
    const { url } = await gateway()
    expect((await fetch(`${url}/echo/1`, { headers: { 'x-a': 'x'.repeat(9_000) } })).status).toBe(200)
    expect((await fetch(`${url}/echo/1`, { headers: { 'x-a': 'x'.repeat(10_240) } })).status).toBe(431)
    expect((await fetch(`${url}/echo/1`, { headers: { 'x-a': 'x'.repeat(20_000) } })).status).toBe(431)
  })

  it('is 413 when its body is over 10 MB, announced or not, and the connection stays open', async () => {
    const { url } = await gateway()
    const refused = { success: false, code: 'body_too_large', message: 'Request Entity Too Large' }
    const announced = await fetch(`${url}/echo`, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) })
    expect([announced.status, await announced.json()]).toEqual([413, refused])
    const streamed = await fetch(`${url}/echo`, {
      method: 'POST',
      duplex: 'half',
      body: new ReadableStream({
        start(controller) {
          for (let megabyte = 0; megabyte < 12; megabyte++) controller.enqueue(new Uint8Array(1024 * 1024))
          controller.close()
        },
      }),
    } as RequestInit)
    expect([streamed.status, await streamed.json()]).toEqual([413, refused])
    expect((await fetch(`${url}/echo/1`)).status).toBe(200)
  })

  it('is 413 when the event would exceed the limit of Lambda', async () => {
    const { url } = await gateway()
    const answer = await fetch(`${url}/echo`, {
      method: 'POST',
      body: Buffer.alloc(5_000_000),
      headers: { 'content-type': 'image/png' },
    })
    expect(answer.status).toBe(413)
  })
})

describe('CORS', () => {
  const cors = {
    AllowOrigins: ['https://app.example.com'],
    AllowMethods: ['GET', 'POST'],
    AllowHeaders: ['authorization'],
    ExposeHeaders: ['x-request-id'],
    MaxAge: 600,
  }
  const preflight = (url: string, Origin: string): Promise<Response> =>
    fetch(`${url}/echo/1`, { method: 'OPTIONS', headers: { Origin, 'Access-Control-Request-Method': 'POST' } })

  it('answers a preflight without the function', async () => {
    const answer = await preflight((await gateway(cors)).url, 'https://app.example.com')
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '600',
    })
  })

  it('allows no other origin', async () => {
    const answer = await preflight((await gateway(cors)).url, 'https://evil.example.com')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('adds headers to other answers, including those of the gateway', async () => {
    const { url } = await gateway(cors)
    for (const path of ['/echo/1', '/nowhere']) {
      const answer = await fetch(url + path, { headers: { Origin: 'https://app.example.com' } })
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
      expect(answer.headers.get('access-control-expose-headers')).toBe('x-request-id')
    }
  })

  it('passes OPTIONS on when the API has none', async () => {
    expect(await (await preflight((await gateway()).url, 'https://app.example.com')).json()).toMatchObject({
      routeKey: 'ANY /echo/{id}',
    })
  })
})

describe('a connection', () => {
  it.each([
    ['nonsense', 'not http at all\r\n\r\n'],
    ['two lengths', 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a broken chunk', 'POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('with %s is answered 400, and the gateway keeps running', async (_, bytes) => {
    const { port, url } = await gateway()
    expect(await raw(port, bytes)).toMatch(/^HTTP\/1\.1 400 /)
    expect((await fetch(`${url}/echo/1`)).status).toBe(200)
  })

  it('may carry pipelined requests', async () => {
    const { port } = await gateway()
    const ask = (id: number): string => `GET /echo/${id} HTTP/1.1\r\nHost: x\r\n\r\n`
    const text = await raw(
      port,
      ask(1) + ask(2) + ask(3),
      (answers) => answers.split('HTTP/1.1 200').length === 4 && answers.endsWith('}'),
    )
    expect([...text.matchAll(/"rawPath":"\/echo\/(\d)"/g)].map(([, id]) => id)).toEqual(['1', '2', '3'])
  })

  it('may end in the middle of a request', async () => {
    const { port, url } = await gateway()
    await new Promise<void>((resolve) => {
      const aborted = request({ port, method: 'POST', path: '/echo', headers: { 'content-length': 100 } })
      aborted.on('error', () => resolve())
      aborted.write('half', () => aborted.destroy(new Error('gone')))
    })
    expect((await fetch(`${url}/echo/1`)).status).toBe(200)
  })
})

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ForbiddenHost } from '../../../../../shared/kernel/addresses/public-address.ts'
import { createFetchPublic } from '../../../../../shared/platform/net/guarded-request.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const local = createFetchPublic({ loopbackAllowed: true, timeoutMs: 300, maxBytes: 1000 })

describe('an address that a tenant named', () => {
  it('is fetched with method, headers and form', async () => {
    const base = await serve(async (request, response) => {
      const chunks = await request.toArray()
      response.setHeader('x-seen', `${request.method} ${request.url} ${request.headers.host === base.slice(7)}`)
      response.end(Buffer.concat(chunks))
    })
    const answer = await local(`${base}/a?b=c`, { method: 'POST', body: new URLSearchParams({ d: 'e f' }) })
    expect([answer.status, answer.headers.get('x-seen'), await answer.text()]).toEqual([
      200,
      'POST /a?b=c true',
      'd=e+f',
    ])
  })

  it('is not left for another one: redirects are answered as they are', async () => {
    let followed = false
    const other = await serve(() => (followed = true))
    const base = await serve((_, response) => response.writeHead(302, { location: other }).end())
    expect([(await local(base)).status, followed]).toEqual([302, false])
  })

  it('has to answer in time, to the last byte', async () => {
    const never = await serve(() => undefined)
    const slowly = await serve((_, response) => void response.write('{'))
    for (const address of [never, slowly]) await expect(local(address)).rejects.toThrow('aborted')
  })

  it('has to resolve in time', async () => {
    const unresolved = createFetchPublic({
      loopbackAllowed: true,
      timeoutMs: 50,
      resolve: () => new Promise(() => undefined),
    })
    await expect(unresolved('https://slow.example')).rejects.toThrow('timeout')
  })

  it('may not answer more than the limit', async () => {
    const base = await serve((_, response) => response.end('x'.repeat(1001)))
    await expect(local(base)).rejects.toThrow('larger than 1000 bytes')
  })

  it.each([
    'http://example.com',
    'http://10.0.0.1',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://localhost/',
    'https://2130706433/',
    'ftp://example.com',
  ])('is refused in a deployment when it is %s', async (address) => {
    const fetchPublic = createFetchPublic({
      loopbackAllowed: false,
      resolve: async (host) => [{ address: host === 'localhost' ? '127.0.0.1' : '8.8.8.8' }],
    })
    await expect(fetchPublic(address)).rejects.toThrow(ForbiddenHost)
  })

  it('is refused when its name leads to this machine or a private network', async () => {
    const fetchPublic = createFetchPublic({ loopbackAllowed: false, resolve: async () => [{ address: '10.0.0.7' }] })
    await expect(fetchPublic('https://login.acme.test')).rejects.toThrow(ForbiddenHost)
  })
})

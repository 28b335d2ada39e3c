import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ForbiddenHost } from '../../../../../shared/kernel/addresses/public-address.ts'
import { guardedRequests } from '../../../../../shared/platform/net/guarded-request.ts'
import { scriptedReceiver } from '../../../../make/services/servers/scripted-receiver.ts'

let receiver: Awaited<ReturnType<typeof scriptedReceiver>>
beforeAll(async () => {
  receiver = await scriptedReceiver((_, { path }) => {
    if (path === '/redirect') return { status: 302, headers: { location: '/target' } }
    if (path === '/endless') return { status: 202, body: 'to be continued', isEndless: true }
    if (path === '/large') return { status: 200, body: 'ä'.repeat(1_000_000) }
    return path === '/silent' ? undefined : { status: 200, body: 'ok' }
  })
})
afterAll(() => receiver?.close())

const limits = { timeoutMs: 500, maxAnswerBytes: 2048 }
/** Resolves every name to these addresses, one answer after the other. */
const resolving = (...answers: string[][]) => {
  let asked = 0
  const resolve = async () => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] as string[]
    return addresses.map((address) => ({ address }))
  }
  return { resolve, asked: () => asked }
}
const get = (url: string, options: object = {}) =>
  guardedRequests({ ...limits, allowLoopback: false, ...options })({ method: 'GET', url, headers: {} })

describe('a guarded request', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://0x7f.1:PORT/',
    'http://2130706433:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://localhost:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'file:///etc/passwd',
  ])('is refused for %s', async (url) => {
    const before = receiver.received.length
    await expect(get(url.replace('PORT', String(receiver.port)))).rejects.toThrow(ForbiddenHost)
    expect(receiver.received).toHaveLength(before)
  })

  it('is refused when one of several addresses of a name is private', async () => {
    const { resolve } = resolving(['93.184.216.34', '10.0.0.1'])
    const refused = get('http://crm.example.com/', { resolve })
    await expect(refused).rejects.toThrow('crm.example.com')
    // What a name resolves to inside the network is not for whoever asks.
    await expect(refused).rejects.not.toThrow('10.0.0.1')
  })

  it('connects to the address that was checked, and asks for no other', async () => {
    const { resolve, asked } = resolving(['127.0.0.1'], ['10.0.0.1'])
    const answer = await get(`http://crm.example.com:${receiver.port}/`, { resolve, allowLoopback: true })
    expect([answer.status, asked()]).toEqual([200, 1])
    expect(receiver.received.at(-1)?.headers.host).toBe(`crm.example.com:${receiver.port}`)
  })

  it('reaches this machine where the runtime permits it, and no private network', async () => {
    expect((await get(`${receiver.url}/`, { allowLoopback: true })).excerpt).toBe('ok')
    await expect(get('http://192.168.0.1/', { allowLoopback: true })).rejects.toThrow(ForbiddenHost)
  })

  it('follows no redirect', async () => {
    const before = receiver.received.length
    expect((await get(`${receiver.url}/redirect`, { allowLoopback: true })).status).toBe(302)
    expect(receiver.received.slice(before).map(({ path }) => path)).toEqual(['/redirect'])
  })

  it('keeps the beginning of a long answer', async () => {
    const { excerpt } = await get(`${receiver.url}/large`, { allowLoopback: true })
    expect(excerpt).toBe('ä'.repeat(1024))
  })

  it('ends when the receiver does not answer in time', async () => {
    await expect(get(`${receiver.url}/silent`, { allowLoopback: true, timeoutMs: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  it('answers the status and what came of a body that does not end', async () => {
    const answer = await get(`${receiver.url}/endless`, { allowLoopback: true, timeoutMs: 100 })
    expect(answer).toMatchObject({ status: 202, excerpt: 'to be continued' })
  })

  it('throws the error of a closed port', async () => {
    await expect(get('http://127.0.0.1:1/', { allowLoopback: true })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('connections', () => {
  /** A server of HTTP that counts connections; `endAfter` closes each after so many answers, a moment after the last. */
  async function countingServer(endAfter = Infinity) {
    const sockets: Socket[] = []
    const requests: number[] = []
    const server = createServer((socket) => {
      const index = sockets.push(socket) - 1
      let answers = 0
      socket.on('error', () => {})
      socket.on('data', () => {
        if (answers++ >= endAfter) return socket.resetAndDestroy()
        requests.push(index)
        return socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return {
      port,
      sockets,
      requests,
      close: () => {
        for (const socket of sockets) socket.destroy()
        return new Promise((resolve) => server.close(resolve))
      },
    }
  }
  const ask = (send: ReturnType<typeof guardedRequests>, url: string) =>
    send({ method: 'POST', url, headers: {}, body: '{}' })

  it('are kept for the next request to the same host', async () => {
    const server = await countingServer()
    const send = guardedRequests({ ...limits, allowLoopback: true })
    for (let n = 0; n < 3; n += 1) expect((await ask(send, `http://127.0.0.1:${server.port}/`)).excerpt).toBe('ok')
    expect([server.sockets.length, server.requests]).toEqual([1, [0, 0, 0]])
    await server.close()
  })

  it('that the host resets when they are used again are replaced, and the request arrives once', async () => {
    const server = await countingServer(1)
    const send = guardedRequests({ ...limits, allowLoopback: true })
    for (let n = 0; n < 3; n += 1) expect((await ask(send, `http://127.0.0.1:${server.port}/`)).excerpt).toBe('ok')
    expect(server.requests).toHaveLength(3)
    await server.close()
  })

  it('that are kept do not serve a name which meanwhile resolves to a private address', async () => {
    const server = await countingServer()
    const { resolve } = resolving(['127.0.0.1'], ['10.0.0.1'])
    const send = guardedRequests({ ...limits, allowLoopback: true, resolve })
    await ask(send, `http://crm.example.com:${server.port}/`)
    await expect(ask(send, `http://crm.example.com:${server.port}/`)).rejects.toThrow(ForbiddenHost)
    expect(server.requests).toEqual([0])
    await server.close()
  })
})

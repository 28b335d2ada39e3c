import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it, vi } from 'vitest'
import { collectBody, maxHeldBytes } from '../../../../../infra/local/gateway/request-body.ts'

const megabyte = Buffer.alloc(1024 * 1024)

function exchange() {
  const request = Object.assign(new EventEmitter(), { resume: vi.fn<() => void>(), socket: { destroy: () => {} } })
  return { request, response: new EventEmitter() }
}

function collect(held: { bytes: number }) {
  const { request, response } = exchange()
  const done = vi.fn<(body: unknown) => void>()
  collectBody(request as unknown as IncomingMessage, response as unknown as ServerResponse, held, done)
  return { request, response, done, send: () => request.emit('data', megabyte) }
}

it('bodies of all requests together have a limit; those over it are refused and what follows of them is not kept', () => {
  const held = { bytes: 0 }
  const bodies = Array.from({ length: 40 }, () => collect(held))
  for (let round = 0; round < 5; round += 1) for (const { send } of bodies) send()
  expect(held.bytes).toBeLessThanOrEqual(maxHeldBytes)
  const refused = bodies.filter(({ done }) => done.mock.calls.some(([body]) => body === 'too many'))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(40)
  for (const { request, done } of bodies) {
    request.emit('end')
    expect(done).toHaveBeenCalledOnce()
  }
  for (const { request, response } of bodies) {
    response.emit('close')
    request.emit('close')
  }
  expect(held.bytes).toBe(0)
})

it('a body counts until its response is closed, also when the client went away', () => {
  const held = { bytes: 0 }
  const [answered, broken] = [collect(held), collect(held)]
  answered.send()
  answered.request.emit('end')
  broken.send()
  expect(held.bytes).toBe(2 * megabyte.length)
  broken.response.emit('close')
  expect(held.bytes).toBe(megabyte.length)
  answered.response.emit('close')
  expect(held.bytes).toBe(0)
  expect(answered.done).toHaveBeenCalledWith(megabyte)
  expect(broken.done).not.toHaveBeenCalled()
})

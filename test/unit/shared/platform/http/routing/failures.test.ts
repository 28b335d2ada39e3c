import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import {
  Conflict,
  Forbidden,
  Invalid,
  NotFound,
  PreconditionFailed,
  TooLarge,
  TooManyRequests,
  Unauthenticated,
} from '../../../../../../shared/kernel/failures/faults.ts'
import { Unhealthy } from '../../../../../../shared/kernel/failures/unhealthy.ts'
import { maxBodyBytes } from '../../../../../../shared/kernel/limits/requests.ts'
import { Throttled } from '../../../../../../shared/kernel/throttling/throttled.ts'
import { implement, implementOpen } from '../../../../../../shared/platform/http/routing/implement.ts'
import { authenticate, changeNote, logged, openRoute, send } from '../../../../../make/services/sample-endpoints.ts'

beforeEach(() => vi.clearAllMocks())

describe('a failure', () => {
  const fail = (error: unknown) => send(implementOpen(openRoute(z.string()), async () => Promise.reject(error)))

  it.each<[unknown, number, Record<string, string>, object]>([
    [
      new Unauthenticated('unauthenticated', 'No token.'),
      401,
      { 'www-authenticate': 'Bearer' },
      { code: 'unauthenticated' },
    ],
    [new Forbidden('registration_closed', 'Closed.'), 403, {}, { code: 'registration_closed', message: 'Closed.' }],
    [
      new NotFound('process_template'),
      404,
      {},
      { code: 'process_template_not_found', message: 'The process template was not found.' },
    ],
    [new Conflict('name_taken', 'Taken.'), 409, {}, { code: 'name_taken', message: 'Taken.' }],
    [new PreconditionFailed(6), 412, { etag: '"6"' }, { code: 'version_mismatch', data: { version: 6 } }],
    [new TooLarge('Too large.'), 413, {}, { code: 'body_too_large' }],
    [
      new Invalid({}, { code: 'refused_by_hook', message: 'No.' }),
      422,
      {},
      { code: 'refused_by_hook', message: 'No.' },
    ],
    [
      new Invalid({ a: ['b'] }, { details: { line: 2 } }),
      422,
      {},
      { code: 'validation_failed', message: 'Validation error', errors: { a: ['b'] }, data: { line: 2 } },
    ],
    [new Throttled(), 503, { 'retry-after': '2' }, { code: 'throttled' }],
    [
      new Unhealthy('database_fails'),
      503,
      { 'retry-after': '5' },
      { status: 'unavailable', code: 'unhealthy', data: { status: 'database_fails' } },
    ],
    [new TooManyRequests(30), 429, { 'retry-after': '30' }, { code: 'too_many_attempts' }],
  ])('%s answers %d', async (error, status, headers, body) => {
    const answered = await fail(error)
    expect(answered.status).toBe(status)
    expect(answered.headers).toMatchObject({
      ...headers,
      'x-request-id': 'request-9',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(answered.body).toMatchObject({ success: false, ...body })
    expect(logged.error).not.toHaveBeenCalled()
  })

  it.each([
    ['an error', new Error('secret-inside', { cause: 'secret-cause' })],
    ['a type error', new TypeError('secret-inside')],
    ['a string', 'secret-inside'],
    ['nothing', undefined],
    ['an object that looks like a fault', { code: 'not_found', message: 'secret-inside', data: {} }],
  ])('that is a defect (%s) reveals no internals, and is logged', async (_, thrown) => {
    const answered = await fail(thrown)
    expect(answered).toMatchObject({
      status: 500,
      body: { success: false, code: 'internal_error', message: 'Server error' },
    })
    expect(answered.headers['x-request-id']).toBe('request-9')
    expect(JSON.stringify(answered)).not.toContain('secret')
    expect(logged.error).toHaveBeenCalledOnce()
  })

  it.each([
    ['one key of 3 MB', { ['語'.repeat(1_000_000)]: 1 }],
    [
      '10,000 long keys',
      Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${index}${'語'.repeat(120)}`, 1])),
    ],
  ])('that names what was sent is small: %s', async (_, sent) => {
    const strict = openRoute(z.undefined(), { method: 'POST', body: z.strictObject({}), maxBytes: maxBodyBytes })
    const answered = await send(
      implementOpen(strict, async () => undefined),
      { body: JSON.stringify(sent) },
    )
    expect(answered.status).toBe(422)
    expect(Buffer.byteLength(answered.text ?? '')).toBeLessThan(2_000_000)
    expect(Object.keys(answered.body.errors)[0]).toMatch(/^\d*語+…?$/)
  })

  it('of a raw route is in the envelope', async () => {
    const page = openRoute(z.string(), { shape: 'raw', contentType: 'text/html; charset=utf-8' })
    const answered = await send(implementOpen(page, async () => Promise.reject(new Conflict('name_taken', 'No.'))))
    expect(answered).toMatchObject({ status: 409, body: { success: false, code: 'name_taken', message: 'No.' } })
  })

  it('of the authentication itself is a 500', async () => {
    authenticate.mockRejectedValueOnce(new Error('secret-inside'))
    const answered = await send(implement(changeNote, async () => ({ title: '' })))
    expect(answered).toMatchObject({
      status: 500,
      body: { success: false, code: 'internal_error', message: 'Server error' },
    })
  })

  it('to serialize the answer is a 500', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect((await send(implementOpen(openRoute(z.unknown()), async () => circular))).status).toBe(500)
  })
})

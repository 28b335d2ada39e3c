import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { unknownBearers } from '../../../../../shared/accounts/attempts/budget.ts'
import { refusedTokens } from '../../../../../shared/accounts/sessions/refused-tokens.ts'
import { createTokenGuard } from '../../../../../shared/accounts/sign-in/unknown-tokens.ts'
import { Forbidden, NotFound } from '../../../../../shared/kernel/failures/faults.ts'
import { networkBudgetKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { deploymentWide } from '../../../../../shared/platform/store/store.ts'
import { type FrozenClock, frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let table: SingleTable
let clock: FrozenClock
let guard: ReturnType<typeof createTokenGuard>
let network = 0
let sourceIp: string
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table.close())
beforeEach(() => {
  clock = frozenClock()
  guard = createTokenGuard({ store: table.store, clock })
  sourceIp = `198.51.100.${(network += 1)}`
})

const unknown = () => Promise.reject(new NotFound('invitation'))
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'opened',
    ({ code }: { code: string }) => code,
  )
const open = (token: string, use: () => Promise<unknown> = unknown, from = sourceIp) =>
  codeOf(guard.open({ token, sourceIp: from }, use))
const exhaust = async (): Promise<void> => {
  for (let n = 0; n < 60; n += 1) expect(await open(`guess ${n}`)).toBe('invitation_not_found')
}

it('looks nothing up for a network that tried sixty unknown secrets; others go on', async () => {
  await exhaust()
  const use = vi.fn<() => Promise<string>>(() => Promise.resolve('in'))
  expect(await open('the right one', use)).toBe('too_many_attempts')
  expect(use).not.toHaveBeenCalled()
  expect(await open('the right one', use, '203.0.113.9')).toBe('opened')
  clock.advance(20 * 60_000)
  expect(await open('the right one', use)).toBe('opened')
})

it('counts none that opens, and none that is refused for another reason', async () => {
  for (let n = 0; n < 70; n += 1) {
    expect(await open(`own ${n}`, () => Promise.resolve())).toBe('opened')
    expect(await open(`late ${n}`, () => Promise.reject(new Forbidden('tenant_deleted', 'Deleted.')))).toBe(
      'tenant_deleted',
    )
  }
})

it('counts a secret once, however often a page asks with it', async () => {
  for (let n = 0; n < 200; n += 1) expect(await open('of a link that was withdrawn')).toBe('invitation_not_found')
  expect(await open('the right one', () => Promise.resolve())).toBe('opened')
})

it('lets no more than the budget pass when all come at once', async () => {
  const codes = await Promise.all(Array.from({ length: 90 }, (_, n) => open(`burst ${n}`)))
  expect(codes.filter((code) => code === 'invitation_not_found').length).toBeLessThanOrEqual(60)
})

it('refuses unknown bearer tokens beyond a thousand, and lets valid ones pass', async () => {
  const caller = { caller: {}, preloaded: {} } as never
  const authenticate = guard.guarded(async (authorization) => {
    if (authorization === 'Bearer good') return caller
    throw authorization === 'Bearer old' ? refusedTokens.expired() : refusedTokens.unknown()
  })
  const send = (token: string) => codeOf(authenticate(`Bearer ${token}`, () => [], undefined, sourceIp))
  expect(await send('bad 1')).toBe('unauthenticated')
  const many = { expression: `ADD m${Math.floor(clock.now() / 300_000)} :many`, values: { ':many': 998 } }
  const row = networkBudgetKey(unknownBearers.name, sourceIp)
  await table.store.write(deploymentWide, { update: row, change: many })
  expect(await send('bad 1000')).toBe('unauthenticated')
  expect([await send('bad'), await send('old'), await send('good'), await send('bad 1')]).toEqual([
    'too_many_attempts',
    'unauthenticated',
    'opened',
    'unauthenticated',
  ])
})

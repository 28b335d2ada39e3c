import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeToken, recordUse, tokenOf } from '../../../../../shared/accounts/credentials/token.ts'
import { issueToken, revokeToken } from '../../../../../shared/accounts/sessions/issue-token.ts'
import { tokenKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { deploymentWide } from '../../../../../shared/platform/store/store.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { interruptedStore } from '../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const hourMs = 3_600_000
const tenant = { id: 1 }
const user = { id: 7, credentialVersion: 1, roles: ['agent'] }
const clock = frozenClock()
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const numberOf = (text: string) => Number(text.split('|')[0])
const rowOf = (number: number) => single.store.get(deploymentWide, tokenKey(number))
const issue = async () => numberOf(await issueToken({ store: single.store, clock }, { tenant, user }))
const tokenAt = async (number: number) => tokenOf((await rowOf(number)) as never)

describe('the number of a token', () => {
  it('is never one that another token has', async () => {
    const sameNumberTwice = [1, 1, 2].map((number) => Buffer.from(`000000000000${number}000`, 'hex'))
    const repeating = {
      ...clock,
      bytes: (size: number) => (size === 8 ? (sameNumberTwice.shift() as Buffer) : clock.bytes(size)),
    }
    const store = single.store
    const first = await issueToken({ store, clock: repeating }, { tenant, user })
    const before = await rowOf(numberOf(first))
    const second = await issueToken({ store, clock: repeating }, { tenant, user: { ...user, id: 8 } })
    expect([numberOf(first), numberOf(second)]).toEqual([2, 4])
    expect(await rowOf(2)).toEqual(before)
  })
})

describe('the last use of a token', () => {
  it('is stored once an hour, and keeps the row as long as the session may idle', async () => {
    const number = await issue()
    const before = await tokenAt(number)
    clock.advance(hourMs - 1)
    await recordUse({ store: single.store, clock }, before)
    expect((await tokenAt(number)).lastUsedAtMs).toBe(before.lastUsedAtMs)
    clock.advance(1)
    await recordUse({ store: single.store, clock }, before)
    expect(await rowOf(number)).toMatchObject({
      last_used_at_ms: clock.now(),
      expires_at: Math.ceil(clock.now() / 1000) + 7 * 86_400,
    })
  })

  it('is not stored for one that is revoked meanwhile: it stays away', async () => {
    const number = await issue()
    const token = await tokenAt(number)
    clock.advance(hourMs)
    const store = interruptedStore(single, 'UpdateItem', () =>
      revokeToken({ store: single.store, clock }, tenant, { userId: user.id }, number),
    )
    await recordUse({ store, clock }, token)
    expect(await rowOf(number)).toBeUndefined()
  })

  it('does not let the row of an API key expire', async () => {
    const { token, item } = makeToken(clock, {
      kind: 'api_key',
      tenantId: 1,
      credentialVersion: 1,
      endsAtMs: null,
      lastUsedAtMs: 0,
    })
    await single.store.write(deploymentWide, { put: item(7) })
    await recordUse({ store: single.store, clock }, { ...token, userId: 7 })
    const row = await rowOf(token.number)
    expect([row?.last_used_at_ms, row?.expires_at]).toEqual([clock.now(), undefined])
  })
})

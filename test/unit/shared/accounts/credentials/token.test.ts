import { assert, integer, property, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hashSecret,
  isPresented,
  makeSecret,
  parseToken,
  tokenIdleMs,
  tokenOf,
} from '../../../../../shared/accounts/credentials/token.ts'
import { issueToken } from '../../../../../shared/accounts/sessions/issue-token.ts'
import { clock } from '../../../../../shared/kernel/time/clock.ts'
import type { Item } from '../../../../../shared/platform/store/values/marshal.ts'
import { TransactionRefused } from '../../../../../shared/platform/store/writes/refusals.ts'

const secret = 'A'.repeat(43)

describe('reading a token', () => {
  it.each([
    undefined,
    '',
    'Bearer',
    `Basic 1|${secret}`,
    `Bearer ${secret}`,
    `Bearer 1|${secret}A`,
    `Bearer 1|${'A'.repeat(42)}`,
    `Bearer 1|${'A'.repeat(42)}=`,
    `Bearer 0|${secret}`,
    `Bearer 01|${secret}`,
    `Bearer -1|${secret}`,
    `Bearer 1.5|${secret}`,
    `Bearer 9007199254740992|${secret}`,
    `Bearer 1|${secret} `,
    `Bearer 1|${secret}\n`,
  ])('refuses %j', (authorization) => {
    expect(parseToken(authorization)).toBeUndefined()
  })

  it('ignores the case of the scheme', () => {
    expect(parseToken(`bearer 7|${secret}`)).toEqual({ number: 7, hash: hashSecret(secret) })
  })

  it('accepts every number and secret that is issued', () => {
    assert(
      property(
        integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        uint8Array({ minLength: 32, maxLength: 32 }),
        (number, bytes) => {
          const made = makeSecret({ bytes: () => Buffer.from(bytes) })
          expect(parseToken(`Bearer ${number}|${made}`)).toEqual({ number, hash: hashSecret(made) })
        },
      ),
    )
  })
})

describe('issuing a token', () => {
  const owner = { tenant: { id: 7 }, user: { id: 3, credentialVersion: 2, roles: ['agent'] } }

  it('stores the hash, never the secret, with its expiry and the credential version', async () => {
    let stored: Item | undefined
    const store = { transact: async (_scope: unknown, [one]: unknown[]) => void (stored = (one as { put: Item }).put) }
    const now = Date.parse('2026-11-20T08:00:00Z')
    const token = await issueToken({ store: store as never, clock: { ...clock, now: () => now } }, owner)
    const presented = parseToken(`Bearer ${token}`)
    expect(JSON.stringify(stored)).not.toContain(token.split('|')[1])
    expect(stored).toMatchObject({
      kind: 'token',
      tenant_id: 7,
      user_id: 3,
      credential_version: 2,
      role_hint: ['agent'],
      expires_at: (now + tokenIdleMs) / 1000,
    })
    expect(presented && isPresented(tokenOf(stored as Item), presented)).toBe(true)
    expect(presented && isPresented(tokenOf(stored as Item), { ...presented, hash: hashSecret('other') })).toBe(false)
  })

  it('names ten roles at most, which need not be all that the user has', async () => {
    let stored: Item | undefined
    const store = { transact: async (_scope: unknown, [one]: unknown[]) => void (stored = (one as { put: Item }).put) }
    const roles = Array.from({ length: 12 }, (_, n) => `role${n}`)
    await issueToken({ store: store as never, clock }, { ...owner, user: { ...owner.user, roles } })
    expect(tokenOf(stored as Item).roleHint).toEqual(roles.slice(0, 10))
  })

  it('retries with another number when one is in use', async () => {
    let tries = 0
    const store = {
      transact: async () =>
        (tries += 1) < 3 ? Promise.reject(new TransactionRefused([{ failed: true, existing: undefined }])) : undefined,
    }
    expect(await issueToken({ store: store as never, clock }, owner)).toMatch(/^\d+\|/)
    expect(tries).toBe(3)
  })
})

import { describe, expect, it } from 'vitest'
import { readIdentity } from '../../../../../../shared/accounts/sign-in/providers/identity-claims.ts'

const claims = { sub: 'subject', email: 'Ada@Acme.test' }
const read = (more: object, groupsClaim?: string) =>
  readIdentity('https://issuer.test', { ...claims, ...more }, groupsClaim)

describe('the identity in the claims of a token', () => {
  it.each<[object, boolean | undefined]>([
    [{}, undefined],
    [{ email_verified: true }, true],
    [{ email_verified: 'true' }, true],
    [{ email_verified: false }, false],
    [{ email_verified: 'false' }, false],
    [{ email_verified: null }, false],
    [{ email_verified: 'yes' }, false],
    [{ xms_edov: true }, true],
    [{ xms_edov: '1' }, true],
    [{ xms_edov: 1 }, true],
    [{ xms_edov: false }, false],
    [{ xms_edov: '0' }, false],
    [{ xms_edov: true, email_verified: false }, false],
    [{ xms_edov: false, email_verified: true }, true],
  ])('with %j says that the address is verified: %s', (more, verified) => {
    expect(read(more)?.emailVerified).toBe(verified)
  })

  it.each([
    [{ name: ' Ada ' }, 'Ada'],
    [{ given_name: 'Ada', family_name: 'King' }, 'Ada King'],
    [{ name: '', family_name: 'King' }, 'King'],
    [{ name: 7 }, 'ada'],
    [{ name: 'x'.repeat(300) }, 'ada'],
  ])('with %j has a name', (more, name) => {
    expect(read(more)?.name).toBe(name)
  })

  it.each([
    [{ groups: ['a', 'b'] }, ['a', 'b']],
    [{ groups: 'a' }, ['a']],
    [{}, []],
    [{ groups: [1] }, []],
    [{ groups: { a: true } }, []],
  ])('with %j has groups', (more, groups) => {
    expect(read(more, 'groups')?.groups).toEqual(groups)
  })

  it('has no groups where none are asked for', () => {
    expect(read({ groups: ['a'] })?.groups).toBeUndefined()
  })

  it.each([
    { sub: '' },
    { sub: 7 },
    { sub: 'x'.repeat(256) },
    { email: undefined },
    { email: ['a@b.test'] },
    { email: 'a' },
  ])('is missing with %j', (more) => {
    expect(read(more)).toBeUndefined()
  })

  it('has the address in lower case', () => {
    expect(read({})?.email).toBe('ada@acme.test')
  })
})

import { describe, expect, it } from 'vitest'
import { mayUseSes } from '../../../../../shared/platform/mail/ses.ts'

const SES_DOMAINS = new Map([
  ['acme.com', 'acme'],
  ['other.org', 'other'],
])

describe('a tenant may send through SES', () => {
  it.each([
    ['from its own domain only, once the operator named some', 'single', true, 'acme', 'desk@ACME.com', true],
    ['not from that of another', 'saas', true, 'acme', 'ceo@other.org', false],
    ['not from a subdomain or a domain that nobody named', 'saas', true, 'acme', 'desk@mail.acme.com', false],
    ['not from an address that hides another domain', 'saas', true, 'acme', 'a@acme.com@other.org', false],
    ['from every domain in single mode', 'single', false, 'acme', 'desk@any.org', true],
    ['from none in saas mode', 'saas', false, 'acme', 'desk@acme.com', false],
  ] as const)('%s', (_what, APP_MODE, isNamed, slug, address, allowed) => {
    expect(mayUseSes({ APP_MODE, ...(isNamed && { SES_DOMAINS }) }, slug, address)).toBe(allowed)
  })
})

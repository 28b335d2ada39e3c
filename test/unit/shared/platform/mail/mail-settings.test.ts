import { describe, expect, it } from 'vitest'
import { mailSettingsOf } from '../../../../../shared/platform/mail/mail-settings.ts'

const given = { MAIL_HOST: 'mail.example', MAIL_FROM_ADDRESS: 'desk@acme.test' }

describe('the mail settings of a tenant', () => {
  it('are missing without a host or a sender', () => {
    for (const name of ['MAIL_HOST', 'MAIL_FROM_ADDRESS'])
      for (const value of [undefined, null, '']) expect(mailSettingsOf({ ...given, [name]: value })).toBeUndefined()
  })

  it.each([
    ['ssl', 465],
    ['tls', 587],
    [null, 587],
  ])('with the encryption %s use the port %i unless one is given', (MAIL_ENCRYPTION, port) => {
    expect(mailSettingsOf({ ...given, MAIL_ENCRYPTION })?.port).toBe(port)
    expect(mailSettingsOf({ ...given, MAIL_ENCRYPTION, MAIL_PORT: '2525' })?.port).toBe(2525)
  })

  it('leave out what is empty', () => {
    expect(mailSettingsOf({ ...given, MAIL_USERNAME: '', MAIL_PASSWORD: null })).toEqual({
      transport: 'smtp',
      encryption: 'opportunistic',
      host: 'mail.example',
      port: 587,
      fromAddress: 'desk@acme.test',
    })
  })
})

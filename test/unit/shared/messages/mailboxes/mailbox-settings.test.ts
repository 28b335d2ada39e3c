import { describe, expect, it } from 'vitest'
import {
  type MailboxSettingValues,
  mailboxSettingsOf,
  namesMailbox,
} from '../../../../../shared/messages/mailboxes/mailbox-settings.ts'

const login = { IMAP_HOST: 'imap.acme.test', IMAP_USERNAME: 'desk', IMAP_PASSWORD: 'secret' }
const mail = { MAIL_HOST: 'mail.acme.test', MAIL_USERNAME: 'desk', MAIL_PASSWORD: 'secret' }

describe('the settings of a mailbox', () => {
  it.each<[string, MailboxSettingValues, object]>([
    ['TLS at 993 by default', login, { host: 'imap.acme.test', port: 993, encryption: 'ssl', folder: 'INBOX' }],
    ['STARTTLS at 143', { ...login, IMAP_ENCRYPTION: 'tls' }, { port: 143, encryption: 'tls' }],
    ['their own port', { ...login, IMAP_PORT: 1993, IMAP_ENCRYPTION: 'ssl' }, { port: 1993, encryption: 'ssl' }],
    ['another port without encryption', { ...login, IMAP_PORT: 10_143 }, { port: 10_143, encryption: 'unset' }],
    [
      'the server of MAIL_*',
      { ...mail, MAIL_PORT: 993, MAIL_ENCRYPTION: 'ssl' },
      { host: 'mail.acme.test', port: 993 },
    ],
    [
      'not the port at which MAIL_HOST takes mail',
      { ...mail, MAIL_PORT: 587, MAIL_ENCRYPTION: 'tls' },
      { host: 'mail.acme.test', port: 993, encryption: 'ssl' },
    ],
    [
      'not the port of another host',
      { ...login, ...mail, MAIL_PORT: 1025, MAIL_ENCRYPTION: 'tls' },
      { host: 'imap.acme.test', port: 993, encryption: 'ssl' },
    ],
    ['another folder', { ...login, IMAP_MAILBOX: 'INBOX/Desk' }, { folder: 'INBOX/Desk' }],
  ])('mean %s', (_what, values, expected) => {
    expect(mailboxSettingsOf(values)).toMatchObject(expected)
  })

  it.each<[string, MailboxSettingValues, string[]]>([
    ['nothing', {}, ['IMAP_HOST', 'IMAP_USERNAME', 'IMAP_PASSWORD']],
    ['no password', { ...login, IMAP_PASSWORD: null }, ['IMAP_PASSWORD']],
    [
      'no client',
      { ...login, IMAP_AUTH: 'client_credentials', IMAP_OAUTH_TOKEN_URL: 'https://login.test/token' },
      ['IMAP_OAUTH_CLIENT_ID', 'IMAP_OAUTH_CLIENT_SECRET'],
    ],
    [
      'no token',
      { ...login, IMAP_AUTH: 'refresh_token', IMAP_OAUTH_CLIENT_ID: 'app' },
      ['IMAP_OAUTH_TOKEN_URL', 'IMAP_OAUTH_REFRESH_TOKEN'],
    ],
  ])('with %s name what is missing', (_what, values, missing) => {
    expect(mailboxSettingsOf(values)).toEqual({ missing })
  })

  it('name a mailbox when one of them is its own', () => {
    expect([namesMailbox(mail), namesMailbox({ ...mail, IMAP_PORT: 993 })]).toEqual([false, true])
  })
})

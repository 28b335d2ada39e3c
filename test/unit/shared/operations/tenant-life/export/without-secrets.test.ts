import { expect, it } from 'vitest'
import { withoutSecrets } from '../../../../../../shared/operations/tenant-life/export/exported-document.ts'

it.each([
  ['TIMEZONE', 'Europe/Berlin', 'Europe/Berlin'],
  ['MAIL_PASSWORD', 'x', '********'],
  ['OAUTH_GOOGLE_CLIENT_SECRET', { value: 'x' }, '********'],
  ['BOT_TOKEN', ['x'], '********'],
  ['MAIL_PASSWORD', null, null],
  [
    'SSO',
    { issuer: 'https://id.test', keys: [{ private_key: 'x', kid: 'a' }] },
    { issuer: 'https://id.test', keys: [{ private_key: '********', kid: 'a' }] },
  ],
  ['MAIL_HOST', { sealed: 'x', port: 25, on: true }, { sealed: '********', port: 25, on: true }],
])('of the setting %s the export shows what is no secret', (name, value, shown) => {
  expect(withoutSecrets(name, value)).toEqual(shown)
})

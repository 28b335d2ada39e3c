import { describe, expect, it } from 'vitest'
import type { IncomingAction } from '../../../../../../shared/automation/incoming-actions/incoming-action.ts'
import type { Subscription } from '../../../../../../shared/automation/subscriptions/subscription.ts'
import type { InboundSource } from '../../../../../../shared/messages/inbound-sources/source.ts'
import { exportedDocument } from '../../../../../../shared/operations/tenant-life/export/exported-document.ts'
import { isSecret, settingNames } from '../../../../../../shared/platform/settings/setting-values.ts'
import { objectRow } from '../../../../../../shared/platform/store/rows/object-row.ts'
import { testChannel } from '../../../../../make/services/worlds/delivery-world.ts'

const canary = 'canary-7d1f'
const namedLikeSecrets = {
  password_reset: 'subject',
  api_token: 'payload.token',
  hash: '=x',
  sealed: 'payload.private',
}

describe('what people wrote is exported as it is, whatever it is called', () => {
  it('a filter of a subscription', () => {
    const filter = { token_state: { _in: ['open'] }, _or: [{ passport: '7' }, { secret_santa: true }] }
    const { name, doc } = objectRow({
      id: 1,
      version: 1,
      filter,
      fields: ['password_hint'],
    } as unknown as Subscription)
    expect(exportedDocument('SUBSCRIPTION', name, doc)).toEqual(doc)
  })

  it('mapping and condition of a rule', () => {
    const condition = { 'payload.token': 'x', credentials: { _null: true } }
    const rule = { id: 1, version: 1, fieldMapping: namedLikeSecrets, condition, script: '$data.token = 1' }
    const { name, doc } = objectRow(rule as unknown as IncomingAction)
    expect(exportedDocument('INCOMING_ACTION', name, doc)).toEqual(doc)
  })

  it.each(['TABLE', 'ROLE', 'RELATION', 'PROCESS', 'AUTH_MAPPING', 'NOTIFICATION_TEMPLATE'] as const)(
    'a document of %s',
    (kind) => {
      const document = { name: 'tokens', rules: [namedLikeSecrets] }
      expect(exportedDocument(kind, 'api_tokens', document)).toEqual(document)
    },
  )

  it('a setting that is none, such as an address of tokens', () => {
    const address = 'https://login.example.com/oauth2/v2.0/token'
    expect(exportedDocument('SETTING', 'IMAP_OAUTH_TOKEN_URL', address)).toBe(address)
    for (const name of settingNames.filter((one) => !isSecret(one)))
      expect([name, exportedDocument('SETTING', name, 'shown')]).toEqual([name, 'shown'])
  })
})

describe('no secret is exported', () => {
  const secrets = settingNames.filter(isSecret)
  it.each(secrets)('of the setting %s', (name) => {
    for (const value of [canary, { sealed: canary }, { value: canary }])
      expect(exportedDocument('SETTING', name, value)).toBe('********')
    expect(exportedDocument('SETTING', name, null)).toBeNull()
  })

  it('of a setting that is sealed or was removed', () => {
    const shown = [
      exportedDocument('SETTING', 'MAIL_HOST', { sealed: canary, port: 25 }),
      exportedDocument('SETTING', 'OLD_API_KEY', canary),
      exportedDocument('SETTING', 'constructor', { password: canary }),
    ]
    expect(shown).toEqual([{ sealed: '********', port: 25 }, '********', { password: '********' }])
  })

  it('of a channel, nor the one before', () => {
    const sealed = { secret: canary, 'auth.token': canary }
    const channel = { ...testChannel, sealed, previousSecret: { sealed: canary, untilMs: 5 } }
    const { name, doc } = objectRow({
      ...channel,
      config: { ...channel.config, auth: { type: 'bearer', token: canary } },
    })
    const shown = JSON.stringify(exportedDocument('CHANNEL', name, doc))
    expect(shown).not.toContain(canary)
    expect(shown).toContain('https://crm.example.com')
  })

  it('of a source, nor the hash of its token', () => {
    const hmac = { scheme: 'header', header: 'x-signature', prefix: 'sha256=', sealed: canary }
    const source = { id: 1, name: 'Monitoring', isEnabled: true, hmac, tokenHash: canary, version: 1 }
    const { name, doc } = objectRow(source as InboundSource)
    expect(exportedDocument('INBOUND_SOURCE', name, doc)).toEqual({
      id: 1,
      name: 'Monitoring',
      isEnabled: true,
      hmac: { ...hmac, sealed: '********' },
      tokenHash: '********',
    })
  })
})

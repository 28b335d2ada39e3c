import { administrator, defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { SettingsAnswer, SettingsBody } from '../../../shared/platform/settings/schema.ts'

const tag = 'Settings'
const unset = Object.fromEntries(Object.keys(SettingsAnswer.shape).map((name) => [name, null]))
/** The demo's mailbox, on the machine of `npm start`. */
const demo = {
  ...unset,
  FOLLOW_TABLES: 'requests',
  IMAP_HOST: 'local',
  IMAP_USERNAME: 'support@demo.example',
  IMAP_PASSWORD: '********',
}
const answer = { ...demo, TIMEZONE: 'Europe/Vienna', MAIL_HOST: 'smtp.example.com', MAIL_PASSWORD: '********' }

export const readSettings = defineRoute({
  method: 'GET',
  path: '/api/sys/settings',
  operationId: 'getSettings',
  tag,
  summary: 'Read the settings',
  description:
    'Answers every setting by name; null when it has no value. Secrets are write-only and answered as `********`.',
  permission: administrator,
  answer: SettingsAnswer,
  example: { answer: demo },
})

export const changeSettings = defineRoute({
  method: 'PUT',
  path: '/api/sys/settings',
  tag,
  summary: 'Change settings',
  description:
    'Settings that are left out keep their values, as do secrets sent as `********`; null removes a value. Secrets are stored encrypted, and neither answers nor the audit trail hold them. A change takes effect with the next request.',
  permission: administrator,
  body: SettingsBody,
  answer: SettingsAnswer,
  example: {
    body: { TIMEZONE: 'Europe/Vienna', MAIL_HOST: 'smtp.example.com', MAIL_PASSWORD: 'a long password' },
    answer,
  },
})

export const routes: readonly Route[] = [readSettings, changeSettings]

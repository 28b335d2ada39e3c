import type { SettingName } from '../../platform/settings/service.ts'

/** The id of the channels that settings make: no channel of its own has it. */
export const legacyChannelId = 0

/** The settings that hold the secrets of such channels, by the path of the secret. */
export const legacySecrets = {
  password: 'MAIL_PASSWORD',
  bot_token: 'MESSENGER_BOT_TOKEN',
} as const satisfies Readonly<Record<string, SettingName>>

/** The name under which a secret of a channel is sealed. */
export const secretName = (id: number, path: string): string =>
  id === legacyChannelId ? legacySecrets[path as keyof typeof legacySecrets] : `channel.${id}.${path}`

import * as limits from '../../../../../kernel/limits/configuration.ts'
import { explained } from '../explained.ts'

export const configurationLimits = explained('Configuration and settings', limits, {
  maxConfiguredItems: [
    'items',
    'roles, tables, relations, processes, channels, templates or subscriptions of one configuration document',
    '422',
  ],
  maxConfiguredRules: ['rules', 'incoming rules of one configuration document', '422'],
  maxSettingCharacters: ['characters', 'a setting', '422'],
  maxHostCharacters: ['characters', 'the name of a host', '422'],
  maxConfigurationBytes: ['bytes', 'a configuration document that is applied as a file', '422 on `file`'],
  maxMailboxCharacters: ['characters', '`IMAP_MAILBOX`', '422'],
})

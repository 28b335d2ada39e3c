import type { Grant } from './deployed-function.ts'

/*
 * What functions may do, as the catalogue in functions.ts combines it.
 */

// IAM has no action for a transaction: it needs the actions of its items.
export const recordAccess: readonly Grant[] = [
  {
    on: 'table',
    actions: [
      'dynamodb:BatchGetItem',
      'dynamodb:BatchWriteItem',
      'dynamodb:ConditionCheckItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ],
  },
  { on: 'slots', actions: ['dynamodb:Query'] },
]
export const readSlots: Grant = { on: 'slots', actions: ['dynamodb:Query'] }
/** Readers write one thing: authentication updates `last_used_at_ms` of the token, at most once an hour. */
export const readAccess: Grant = {
  on: 'table',
  actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
}
/** For functions that write few kinds of rows and remove none, such as those that notify people in the bell. */
export const writeAccess: Grant = {
  on: 'table',
  actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
}

/** Processes write records, and store states that are too large for a row. */
export const runProcesses: readonly Grant[] = [
  ...recordAccess,
  { on: 'files', prefix: 'files/', actions: ['s3:GetObject'] },
  { on: 'files', prefix: 'history/', actions: ['s3:GetObject'] },
  { on: 'files', prefix: 'processes/', actions: ['s3:GetObject', 's3:PutObject'] },
  { on: 'files', prefix: 'deliveries/', actions: ['s3:PutObject'] },
]

/**
 * Administrators write confidential settings, and other functions use them. No function may do both with a setting, and none may open
 * what it does not use.
 */
export const sealSettings: Grant = {
  on: 'settings-key',
  names: ['MAIL_*', 'IMAP_*', 'MESSENGER_*', 'OAUTH_*', 'SSO_CLIENT_SECRET'],
  actions: ['kms:Encrypt'],
}
/** Secrets of authenticator apps: setting one up seals it, every code opens it. */
export const useMfaSecrets: Grant = {
  on: 'settings-key',
  names: ['MFA_SECRET'],
  actions: ['kms:Encrypt', 'kms:Decrypt'],
}
/** The login at the mail server of a tenant: that of its mail channel, or that of its settings. */
export const openMailSettings: Grant = {
  on: 'settings-key',
  names: [
    'MAIL_*',
    'channel.*.password',
    'channel.*.auth.client_secret',
    'mailbox.*.secret',
    'mailbox.*.refresh_token',
  ],
  actions: ['kms:Decrypt'],
}
/** The logins at the mailboxes of a tenant. */
export const openMailboxSettings: Grant = {
  on: 'settings-key',
  names: ['MAIL_PASSWORD', 'IMAP_*', 'mailbox.*.secret'],
  actions: ['kms:Decrypt'],
}
/** A provider may replace a refresh token at each use: functions that use it keep the new one, which is no setting. */
export const keepRefreshTokens: Grant = {
  on: 'settings-key',
  names: ['mailbox.refresh_token', 'mailbox.*.refresh_token'],
  actions: ['kms:Encrypt', 'kms:Decrypt'],
}
/** SES asks for the second right when the message is a complete one. */
export const sendBySes: Grant = { on: 'mail-identities', actions: ['ses:SendEmail', 'ses:SendRawEmail'] }
/** The client credentials of the providers that people sign in with. */
export const openProviderSettings: Grant = {
  on: 'settings-key',
  names: ['OAUTH_*', 'SSO_CLIENT_SECRET'],
  actions: ['kms:Decrypt'],
}

/** A write checks the files that a record refers to. */
export const readFiles: Grant = { on: 'files', prefix: 'files/', actions: ['s3:GetObject'] }

/** History entries that are too large for a row. */
export const readHistoryObjects: Grant = { on: 'files', prefix: 'history/', actions: ['s3:GetObject'] }

/** The rows of an import that runs as a job. */
export const putImports: Grant = { on: 'files', prefix: 'imports/', actions: ['s3:PutObject'] }

/** Contents of messages that are too large for a row. */
export const readContents: Grant = { on: 'files', prefix: 'deliveries/', actions: ['s3:GetObject'] }
export const putContents: Grant = { on: 'files', prefix: 'deliveries/', actions: ['s3:PutObject'] }

/** What incoming messages say, when it is too large for a row. */
export const readMessages: Grant = { on: 'files', prefix: 'messages/', actions: ['s3:GetObject'] }
export const putMessages: Grant = { on: 'files', prefix: 'messages/', actions: ['s3:PutObject'] }
/** Files that arrive with messages. */
export const putFiles: Grant = { on: 'files', prefix: 'files/', actions: ['s3:PutObject'] }

/** The files of builds of the web app, which outlive their functions. */
export const keepAppFiles: Grant = { on: 'files', prefix: 'app/', actions: ['s3:GetObject', 's3:PutObject'] }

/** Finds and removes everything of a tenant. */
export const removeTenants: readonly Grant[] = [
  { on: 'table', actions: ['dynamodb:Scan'] },
  { on: 'files-listing', actions: ['s3:ListBucket'] },
  ...(['files/', 'history/', 'processes/', 'imports/', 'exports/', 'deliveries/', 'messages/'] as const).map(
    (prefix): Grant => ({
      on: 'files',
      prefix,
      actions: ['s3:DeleteObject'],
    }),
  ),
]

/** Fetches mails from the mailboxes of tenants, and stores them as messages. */
export const fetchMails: readonly Grant[] = [
  ...recordAccess,
  readFiles,
  putFiles,
  readMessages,
  putMessages,
  openMailboxSettings,
  keepRefreshTokens,
]

import { routes as apiDocs } from '../../functions/api/api-docs/routes.ts'
import { routes as auth } from '../../functions/api/auth/routes.ts'
import { routes as channels } from '../../functions/api/channels/routes.ts'
import { routes as configuration } from '../../functions/api/configuration/routes.ts'
import { routes as directory } from '../../functions/api/directory/routes.ts'
import { routes as files } from '../../functions/api/files/routes.ts'
import { routes as history } from '../../functions/api/history/routes.ts'
import { routes as importExport } from '../../functions/api/import-export/routes.ts'
import { routes as inbound } from '../../functions/api/inbound/routes.ts'
import { routes as incoming } from '../../functions/api/incoming/routes.ts'
import { routes as jobs } from '../../functions/api/jobs/routes.ts'
import { routes as lists } from '../../functions/api/lists/routes.ts'
import { routes as mailbox } from '../../functions/api/mailbox/routes.ts'
import { routes as messengerWebhook } from '../../functions/api/messenger-webhook/routes.ts'
import { routes as notifications } from '../../functions/api/notifications/routes.ts'
import { routes as portal } from '../../functions/api/portal/routes.ts'
import { routes as processes } from '../../functions/api/processes/routes.ts'
import { routes as records } from '../../functions/api/records/routes.ts'
import { routes as relations } from '../../functions/api/relations/routes.ts'
import { routes as scripts } from '../../functions/api/scripts/routes.ts'
import { routes as tables } from '../../functions/api/tables/routes.ts'
import { routes as tenant } from '../../functions/api/tenant/routes.ts'
import { routes as views } from '../../functions/api/views/routes.ts'
import { routes as webApp } from '../../functions/api/web-app/routes.ts'
import type { Route } from '../../shared/platform/http/routing/define-route.ts'
import { senderRights, senderVariables } from './delivery-functions.ts'
import type { FunctionEntry, EnvironmentName } from './deployed-function.ts'
import {
  fetchMails,
  keepAppFiles,
  openMailSettings,
  openProviderSettings,
  putContents,
  putImports,
  putMessages,
  readAccess,
  readContents,
  readFiles,
  readHistoryObjects,
  readMessages,
  readSlots,
  recordAccess,
  runProcesses,
  sealSettings,
  useMfaSecrets,
  writeAccess,
} from './grants.ts'

const service: readonly EnvironmentName[] = [
  'TABLE_NAME',
  'PUBLIC_URL',
  // Whose pages may use the cookie of a session.
  'APP_URL',
  'TENANT_REQUESTS_PER_SECOND',
  'TRUSTED_PROXIES',
]

/** An endpoint group. HTTP API gives up after 30 s, so a function that runs longer works for nobody. */
const endpointGroup = (
  name: string,
  description: string,
  routes: readonly Route[],
  own: Partial<FunctionEntry> = {},
): FunctionEntry => ({
  name,
  description,
  memoryMb: 1024,
  timeoutSeconds: 29,
  trigger: { kind: 'routes', routes },
  grants: recordAccess,
  environment: service,
  ...own,
})

/** The functions that answer requests, one for each group of endpoints. */
export const endpointGroups: readonly FunctionEntry[] = [
  // argon2id is CPU-bound: 1769 MB buy one full vCPU, which keeps sign-in below a second.
  endpointGroup('auth', 'Sign in and out, registration, invitations', auth, {
    memoryMb: 1769,
    grants: [...recordAccess, openProviderSettings, useMfaSecrets],
    environment: [
      ...service,
      'SETTINGS_KEY_ARN',
      'APP_MODE',
      'REGISTRATION',
      'EMAIL_VERIFICATION',
      'SSO_ISSUER',
      'SSO_AUDIENCE',
      'SSO_JWKS_URL',
      'SSO_GROUPS_CLAIM',
      'SSO_DOMAINS',
      // Whether the deployment can send mail.
      'MAIL_HOST',
      'MAIL_FROM_ADDRESS',
    ],
  }),
  // Administrators set passwords here, so this function hashes them too.
  endpointGroup('directory', 'Users, roles and API keys of a tenant', directory, { memoryMb: 1769 }),
  endpointGroup('tenant', 'Export, deletion and restore of a tenant; erasure of a user', tenant),
  endpointGroup('tables', 'Tables and their fields', tables),
  endpointGroup('configuration', 'Settings, and the whole configuration as one document', configuration, {
    grants: [...recordAccess, sealSettings, readFiles, putImports],
    environment: [...service, 'SETTINGS_KEY_ARN', 'FILES_BUCKET'],
  }),
  // Separate from `records`: a list computes in memory, which asks for one full vCPU, and it writes nothing.
  endpointGroup('lists', 'Lists of records: filters, sorts, search and groups', lists, {
    memoryMb: 1769,
    columnMemoryMb: 256,
    grants: [readAccess, readSlots],
  }),
  // Separate from `lists`, which computes and writes nothing.
  endpointGroup('views', 'Views of lists, private and shared', views, { memoryMb: 512 }),
  endpointGroup('records', 'Single records: read, create, update, delete, restore', records, {
    scripts: true,
    grants: [...recordAccess, readFiles, readHistoryObjects, putContents],
    environment: [...service, 'FILES_BUCKET'],
  }),
  // Separate from `records`: it validates thousands of rows in one request, and the S3 client would slow down the
  // cold starts of `records`.
  endpointGroup('import-export', 'Import and export of records', importExport, {
    memoryMb: 1769,
    scripts: true,
    grants: [...recordAccess, putImports, readFiles, readHistoryObjects, putContents],
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('relations', 'Many-to-many relations between records', relations),
  endpointGroup('files', 'Presigned URLs to upload and download files', files, {
    grants: [
      writeAccess,
      // Presigned URLs carry the permissions of the function that signs them.
      { on: 'files', prefix: 'files/', actions: ['s3:GetObject', 's3:PutObject'] },
      readMessages,
    ],
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('history', 'History and timeline of records, and what their links show', history, {
    grants: [readAccess, readSlots, readHistoryObjects, readMessages],
    environment: [...service, 'FILES_BUCKET'],
  }),
  // No write access: a dry run stores nothing.
  endpointGroup('scripts', 'Checks and dry runs of scripts, and the log of their runs', scripts, {
    scripts: true,
    grants: [readAccess, readSlots, readFiles],
    environment: [...service, 'FILES_BUCKET'],
  }),
  // Separate from `records`: whoever uses it needs no permission on a table, so its code checks something else.
  endpointGroup('portal', 'Requests, approvals and articles of people without permissions on tables', portal, {
    scripts: true,
    grants: [...recordAccess, readFiles, readHistoryObjects, putContents],
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('processes', 'Process templates, instances and tasks', processes, {
    scripts: true,
    grants: runProcesses,
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('notifications', 'The bell of a user, and where the user receives notifications', notifications, {
    memoryMb: 512,
    grants: [writeAccess],
  }),
  endpointGroup('channels', 'Outgoing channels, notification templates, and what was delivered', channels, {
    grants: [
      ...recordAccess,
      readContents,
      // A test message opens the secrets of its channel, a test mail also those of the settings.
      { on: 'settings-key', names: ['channel.*'], actions: ['kms:Encrypt', 'kms:Decrypt'] },
      // The link of a chat names the bot.
      { on: 'settings-key', names: ['MESSENGER_BOT_TOKEN'], actions: ['kms:Decrypt'] },
      ...senderRights,
      openMailSettings,
    ],
    environment: [
      ...new Set([...service, 'MESSENGER_URL', 'FILES_BUCKET', 'SETTINGS_KEY_ARN', ...senderVariables] as const),
    ],
  }),
  endpointGroup('incoming', 'Messages that came in, the rules for them, and sources of messages', incoming, {
    scripts: true,
    grants: [
      ...recordAccess,
      readFiles,
      putContents,
      readMessages,
      putMessages,
      { on: 'settings-key', names: ['inbound.*'], actions: ['kms:Encrypt'] },
    ],
    environment: [...service, 'FILES_BUCKET', 'SETTINGS_KEY_ARN'],
  }),
  // Separate from `incoming`: it connects to mail servers and parses mails, which weighs more than the rest.
  endpointGroup('mailbox', 'The mailboxes; tests and fetches them', mailbox, {
    grants: [...fetchMails, { on: 'settings-key', names: ['mailbox.*.secret'], actions: ['kms:Encrypt'] }],
    environment: [...service, 'FILES_BUCKET', 'SETTINGS_KEY_ARN'],
  }),
  endpointGroup('inbound', 'Takes messages of other systems', inbound, {
    grants: [writeAccess, putMessages, { on: 'settings-key', names: ['inbound.*'], actions: ['kms:Decrypt'] }],
    environment: [...service, 'FILES_BUCKET', 'SETTINGS_KEY_ARN'],
  }),
  // Thin: the messenger repeats what is not answered soon, and holds back what follows. Alone, because its address may be
  // open past the API: nothing else can be reached there.
  endpointGroup('messenger-webhook', 'Takes messages of the messenger', messengerWebhook, {
    functionUrl: { maxConcurrency: 50 },
    grants: [writeAccess, putMessages],
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('jobs', 'Progress of background jobs', jobs, { memoryMb: 512, grants: [readAccess, readSlots] }),
  endpointGroup('web-app', 'The web app, and the pages behind mailed links', webApp, {
    memoryMb: 512,
    grants: [keepAppFiles],
    // Pictures and uploads go to the bucket, whose address the browser is allowed.
    environment: ['PUBLIC_URL', 'FILES_BUCKET'],
    webApp: true,
    isReplacedAtOnce: true,
  }),
  endpointGroup('api-docs', 'Health, API reference, and 404 for unknown addresses of the API', apiDocs, {
    memoryMb: 512,
    // The document with the tables of a caller.
    grants: [readAccess],
    environment: service,
    folders: {
      page: 'functions/api/api-docs/page',
      guide: 'docs/guide',
    },
  }),
]

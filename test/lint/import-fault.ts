/** Which file may import which. All paths are relative to the repository. */
import { publicFiles } from './public-files.ts'

/** The wings of `shared/`, from the lowest to the highest: each may import those before it, never those after it. */
const wings = [
  'kernel',
  'platform',
  'tables',
  'lists',
  'scripts',
  'accounts',
  'messages',
  'records',
  'automation',
  'operations',
  'client',
] as const

/**
 * The rooms of each wing, from the lowest to the highest: each may import those before it. `kernel`, `scripts` and
 * `client` are one room each; `''` is what a wing holds beside its other rooms.
 */
const rooms: Readonly<Partial<Record<string, readonly string[]>>> = {
  platform: [
    'store',
    'objects',
    'queue',
    'secrets',
    'net',
    'http',
    'mail',
    'trail',
    'listing',
    'configured-objects',
    'settings',
    'jobs',
  ],
  tables: ['field-types', 'formulas', 'tables', 'record-types', 'org-units', 'files'],
  lists: ['search', 'columns', 'query'],
  accounts: ['access', ''],
  messages: [
    'preferences',
    'bell',
    'channels',
    'mailboxes',
    'notification-templates',
    'incoming-messages',
    'inbound-sources',
    'messenger',
    'deliveries',
    'senders',
    'mailbox',
    'notifications',
  ],
  records: [
    'relations',
    'history',
    'changes',
    'records',
    'rollups',
    'comments',
    'portal-requests',
    'follow',
    'snoozes',
    'presence',
    'views',
  ],
  automation: [
    'subscriptions',
    'macros',
    'snippets',
    'portal-items',
    'decisions',
    'incoming-actions',
    'replies',
    'bpmn',
    'processes',
    'portal',
  ],
  operations: [
    'maintenance',
    'batches',
    'import-mappings',
    'import-export',
    'timeline',
    'warnings',
    'configuration',
    'tenant-life',
  ],
}

/** Rooms that everything uses file by file, and what each may import of the others. */
const foundation: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  'platform/store': ['kernel'],
  'platform/objects': ['kernel'],
  'platform/queue': ['kernel', 'platform/store'],
  'platform/secrets': ['kernel'],
  'platform/net': ['kernel'],
  'platform/http': ['kernel'],
  'platform/mail': ['kernel'],
}

/** Files that other rooms load with `import()`, because loading them slows a cold start; their types may be imported. */
const loadedOnDemand: ReadonlySet<string> = new Set([
  'shared/scripts/script-runtime.ts',
  'shared/operations/configuration/preview/preview-table.ts',
  'shared/automation/decisions/definition/compile-decision.ts',
  'shared/automation/bpmn/document/compile-process.ts',
  'shared/automation/bpmn/diagram/lay-out-diagram.ts',
  'shared/automation/bpmn/diagram/draw-diagram.ts',
  'shared/messages/mailbox/mail/store-mail.ts',
])

/** What the stack reads of the service: its routes, and what types of channels need. */
const declarations: ReadonlySet<string> = new Set([
  'shared/platform/http/routing/define-route.ts',
  'shared/messages/channels/schema.ts',
  'shared/platform/store/due/due-kinds.ts',
])

/** What BPMN may import of other rooms: it reads, checks and runs documents without I/O. */
const bpmnReads: ReadonlySet<string> = new Set(['kernel', 'tables/field-types', 'tables/formulas', 'scripts'])

/** Packages that only one folder may import, and what that folder encapsulates. */
const packageOwners: readonly (readonly [RegExp, string, string])[] = [
  [/^@aws-sdk\/(client-dynamodb|lib-dynamodb)$/, 'shared/platform/store', 'DynamoDB'],
  [/^@aws-sdk\/client-sqs$/, 'shared/platform/queue', 'SQS'],
  [/^@aws-sdk\/(client-s3|s3-request-presigner)$/, 'shared/platform/objects', 'S3'],
  [/^@aws-sdk\/client-kms$/, 'shared/platform/secrets', 'KMS'],
  [/^@aws-sdk\/client-sns$/, 'shared/messages/senders', 'SNS'],
  [/^(jose|openid-client)$/, 'shared/accounts/sign-in/providers', 'identity providers'],
  [/^bpmn-moddle$/, 'shared/automation/bpmn/document', 'the form of BPMN documents'],
  [/^nodemailer(\/|$)/, 'shared/platform/mail', 'SMTP'],
  [/^imapflow$/, 'shared/messages/mailbox', 'IMAP'],
  [/^@aws-sdk\/client-sesv2$/, 'shared/platform/mail', 'SES'],
  [/^(amqplib|@aws-sdk\/client-(kinesis|eventbridge))$/, 'shared/messages/senders', 'brokers and streams'],
  [/^croner$/, 'shared/kernel/time', 'cron schedules'],
  [/^dmn-moddle$/, 'shared/automation/decisions/definition', 'DMN'],
  [/^feelin$/, 'shared/tables/formulas', 'FEEL'],
  [/^quickjs-emscripten/, 'shared/scripts/sandbox', 'QuickJS'],
]

/**
 * Says why the file `from` may not import `target` (a path in the repository, or a package); undefined when it may.
 * `isLazy`: the import is an `import()` expression, or of types only.
 */
export function importFault(from: string, target: string, isLazy: boolean): string | undefined {
  if (from.startsWith('web/')) return webFault(from, target)
  if (!/^(shared|functions|infra)\//.test(from)) return undefined
  if (target.startsWith('web/')) return 'The web app is built and served, never imported.'
  if (!/^(shared|functions|infra|test)\//.test(target)) return packageFault(from, target)
  if (target.startsWith('test/')) return 'Only tests import test/: move what the service needs to shared/.'
  if (from.startsWith('shared/')) return sharedFault(from, target, isLazy)
  if (from.startsWith('functions/')) return functionFault(from, target, isLazy)
  return infraFault(from, target)
}

function packageFault(from: string, name: string): string | undefined {
  if (from.startsWith('infra/')) return undefined
  if (/^bpmn-(engine|elements)$/.test(name)) return 'Only tests import bpmn-engine: they compare our engine with it.'
  for (const [pattern, folder, owned] of packageOwners) {
    if (pattern.test(name) && !from.startsWith(`${folder}/`))
      return `Only ${folder} imports ${name}, because it encapsulates ${owned}.`
  }
  if (
    name.startsWith('@aws-sdk/') &&
    !/^shared\/(platform\/(store|queue|objects|secrets|mail)|messages\/senders)\//.test(from)
  )
    return 'Reach AWS through shared/platform (store, queue, objects, secrets, mail) or shared/messages/senders.'
  return undefined
}

function sharedFault(from: string, target: string, isLazy: boolean): string | undefined {
  if (!target.startsWith('shared/')) return 'shared/ imports neither functions/ nor infra/: pass what it needs in.'
  const [room, targetRoom] = [roomOf(from), roomOf(target)]
  if (room === targetRoom) return undefined
  if (room === 'automation/bpmn' && !bpmnReads.has(targetRoom))
    return `BPMN imports ${[...bpmnReads].join(', ')} of shared: it does no I/O.`
  const allowed = foundation[room]
  if (allowed) {
    return allowed.includes(targetRoom)
      ? undefined
      : `shared/${room} may import ${allowed.join(', ') || 'nothing else'} of shared, not ${targetRoom}.`
  }
  if (isFoundation(targetRoom)) return undefined
  const [height, targetHeight] = [heightOf(room), heightOf(targetRoom)]
  if (height < 0) return `Add shared/${room} to the rooms in test/lint/import-fault.ts.`
  if (targetHeight > height) return `${targetRoom} is above ${room}: move what both need down, or pass it in.`
  return innerFileFault(target, isLazy)
}

/** Other rooms see the public files of a room (what it does) and its schema.ts (the shapes it takes and answers). */
function innerFileFault(target: string, isLazy: boolean): string | undefined {
  if (isLazy && loadedOnDemand.has(target)) return undefined
  const room = roomOf(target)
  const file = target.slice(`shared/${room}/`.length).replace(/\.ts$/, '')
  if (file === 'schema' || publicFiles[room]?.has(file)) return undefined
  return `${target} is private to its room: import one of its public files (test/lint/public-files.ts) or its schema.ts.`
}

function functionFault(from: string, target: string, isLazy: boolean): string | undefined {
  if (target.startsWith('infra/')) return 'functions/ does not import infra/: read the deployment from the environment.'
  if (target.startsWith('functions/')) return otherFunctionFault(from, target)
  if (isRoutes(from)) {
    return /^shared\/(platform\/http|kernel\/limits)\//.test(target) || target === `shared/${roomOf(target)}/schema.ts`
      ? undefined
      : 'Routes import zod, shared/platform/http, limits and schema.ts files only, because the stack and the API reference read them.'
  }
  return isFoundation(roomOf(target)) ? undefined : innerFileFault(target, isLazy)
}

function otherFunctionFault(from: string, target: string): string | undefined {
  const [name, targetName] = [functionOf(from), functionOf(target)]
  if (name === targetName) {
    return isRoutes(from) && target.endsWith('/handler.ts')
      ? 'The handler imports the routes, not the other way round.'
      : undefined
  }
  if (name === 'wiring') return 'A capability imports shared/ and other capabilities only.'
  const documents = name === 'api-docs' && /\/[a-z-]*routes\.ts$/.test(target)
  return documents || targetName === 'wiring'
    ? undefined
    : 'A function imports shared/, functions/wiring and its own files only.'
}

/**
 * The folders of the web app that screens share, from the lowest to the highest: each may import those before it. Every
 * other folder is a screen, or several of one kind, and imports these, its own files and how screens fail.
 */
const webFoundation = ['words', 'api', 'keyboard', 'parts', 'fields', 'tasks'] as const
/** What screens may use of the frame around them. */
const webFrame: ReadonlySet<string> = new Set([
  'web/shell/screen-states.tsx',
  'web/shell/last-table.ts',
  'web/shell/leave-to.ts',
])
/** `main.tsx` and `routes.tsx` bring everything together. */
const isWebRoot = (path: string): boolean => /^web\/[a-z-]+\.tsx?$/.test(path)

/** What the service says, by code, is written once: the web app translates it. */
const sentenceFiles: ReadonlySet<string> = new Set([
  'shared/kernel/failures/fill-sentence.ts',
  'shared/kernel/failures/sentences.ts',
])

function webFault(from: string, target: string): string | undefined {
  if (/^(shared|functions|infra|test)\//.test(target))
    return target.startsWith('shared/client/') || (from.startsWith('web/words/') && sentenceFiles.has(target))
      ? undefined
      : 'The web app knows the service by its API: it imports shared/client, and the sentences of the service into its words.'
  if (!target.startsWith('web/') || isWebRoot(from)) return undefined
  if (isWebRoot(target)) return 'Screens are listed in routes.tsx and import nothing of it.'
  const [height, targetHeight] = [from, target].map((path) => webFoundation.indexOf(path.split('/')[1] as 'words'))
  const isSame = from.split('/')[1] === target.split('/')[1]
  if (isSame || webFrame.has(target) || (targetHeight !== -1 && (height === -1 || (targetHeight ?? 0) < (height ?? 0))))
    return undefined
  return 'A folder of the web app imports those below it (words, api, keyboard, parts, fields, tasks), and screens none of each other.'
}

/** `shared/kernel/text/` is plain functions over words, which know no service: the local cloud uses them as well. */
function infraFault(from: string, target: string): string | undefined {
  if (from.startsWith('infra/local/')) {
    return /^(shared|functions)\//.test(target) && !target.startsWith('shared/kernel/text/')
      ? 'The local cloud runs any stack: it reads the template, not the code of the service.'
      : undefined
  }
  if (from.startsWith('infra/client-types/')) {
    return /^(shared\/platform\/http\/openapi\/|functions\/api\/api-docs\/api-document\.ts$|infra\/)/.test(target)
      ? undefined
      : 'The types of the client are written from the OpenAPI document: import that.'
  }
  const isOperate = from.startsWith('infra/operate/')
  const findsLocalService =
    isOperate && (target === 'infra/local/runtime/local-endpoint.ts' || target.startsWith('infra/local/backup/'))
  const measuresLocalCloud =
    from.startsWith('infra/operate/cost/') && /^infra\/local\/(runtime|template|sdk\/meter)\//.test(target)
  if (target.startsWith('infra/local/') && !findsLocalService && !measuresLocalCloud)
    return 'The local cloud imports the stack, not the other way round.'
  if (isOperate) {
    if (target.startsWith('functions/')) return 'Commands of operators use the services in shared/, not the endpoints.'
    return !target.startsWith('shared/') || isFoundation(roomOf(target)) ? undefined : innerFileFault(target, false)
  }
  if (target.startsWith('functions/') && !isRoutes(target))
    return 'The stack imports routes.ts files of functions/, never the code behind them.'
  if (target.startsWith('shared/') && !declarations.has(target))
    return `The stack imports ${[...declarations].join(' and ')} of shared/, nothing else.`
  return undefined
}

/** The room of a file of `shared/`: `kernel`, or `platform/store`. */
export function roomOf(path: string): string {
  const [, wing = '', room = ''] = path.split('/')
  const ofWing = rooms[wing]
  return !ofWing || (ofWing.includes('') && !ofWing.includes(room)) ? wing : `${wing}/${room}`
}

/** All rooms in the order in which they may import each other. */
const order = wings.flatMap((wing): string[] => rooms[wing]?.map((room) => (room ? `${wing}/${room}` : wing)) ?? [wing])
const heightOf = (room: string): number => order.indexOf(room)
const isFoundation = (room: string): boolean => Object.hasOwn(foundation, room)

/** `auth` of `functions/api/auth/handler.ts`; `wiring` has no folder of its own kind. */
function functionOf(path: string): string {
  const [, kind = '', name = ''] = path.split('/')
  return kind === 'wiring' ? kind : name
}
const isRoutes = (file: string): boolean => /^functions\/api\/[a-z-]+\/([a-z-]+-)?routes\.ts$/.test(file)

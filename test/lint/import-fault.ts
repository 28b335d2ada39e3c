/** Which file may import which. All paths are relative to the repository. */

/** Folders of `shared/` that every slice uses, and what each may import of the others. */
const foundation: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  store: ['kernel'],
  objects: ['kernel'],
  queue: ['kernel', 'store'],
  secrets: ['kernel'],
  net: ['kernel'],
  http: ['kernel'],
  mail: ['kernel'],
}

/** The slices, from the lowest to the highest: each may import those before it, never those after it. */
const slices: readonly string[] = [
  'trail',
  'listing',
  'settings',
  'jobs',
  'tables',
  'search',
  'columns',
  'record-types',
  'org-units',
  'query',
  'row-rules',
  'auth',
  'files',
  'preferences',
  'bell',
  'channels',
  'notification-templates',
  'incoming-messages',
  'inbound-sources',
  'messenger',
  'deliveries',
  'senders',
  'mailbox',
  'scripts',
  'notifications',
  'relations',
  'history',
  'records',
  'comments',
  'subscriptions',
  'incoming-actions',
  'maintenance',
  'import-export',
  'processes',
  'timeline',
  'configuration',
  'tenant-life',
]

/** Inner files of a slice that other folders may load with `import()`, because loading them slows a cold start. */
const loadedOnDemand: ReadonlySet<string> = new Set([
  'shared/scripts/script-runtime.ts',
  'shared/processes/definition/compile-process.ts',
  'shared/processes/definition/layout/lay-out-diagram.ts',
  'shared/mailbox/mail/store-mail.ts',
  'shared/senders/amqp/amqp.ts',
  'shared/senders/aws/eventbridge.ts',
  'shared/senders/aws/kinesis.ts',
])

/** Packages that only one folder may import, and what that folder encapsulates. */
const packageOwners: readonly (readonly [RegExp, string, string])[] = [
  [/^@aws-sdk\/(client-dynamodb|lib-dynamodb)$/, 'shared/store', 'DynamoDB'],
  [/^@aws-sdk\/client-sqs$/, 'shared/queue', 'SQS'],
  [/^@aws-sdk\/(client-s3|s3-request-presigner)$/, 'shared/objects', 'S3'],
  [/^@aws-sdk\/client-kms$/, 'shared/secrets', 'KMS'],
  [/^@aws-sdk\/client-sns$/, 'shared/senders', 'SNS'],
  [/^(jose|openid-client)$/, 'shared/auth/external', 'identity providers'],
  [/^(bpmn-elements|moddle-context-serializer)$/, 'shared/processes/engine', 'the BPMN engine'],
  [/^nodemailer(\/|$)/, 'shared/mail', 'SMTP'],
  [/^imapflow$/, 'shared/mailbox', 'IMAP'],
  [/^@aws-sdk\/client-sesv2$/, 'shared/mail', 'SES'],
  [/^(amqplib|@aws-sdk\/client-(kinesis|eventbridge))$/, 'shared/senders', 'brokers and streams'],
  [/^quickjs-emscripten/, 'shared/scripts/sandbox', 'QuickJS'],
]

/**
 * Says why the file `from` may not import `target` (a path in the repository, or a package); undefined when it may.
 * `isDynamic`: the import is an `import()` expression.
 */
export function importFault(from: string, target: string, isDynamic: boolean): string | undefined {
  if (!/^(shared|functions|infra)\//.test(from)) return undefined
  if (!/^(shared|functions|infra|test)\//.test(target)) return packageFault(from, target)
  if (target.startsWith('test/')) return 'Only tests import test/: move what the service needs to shared/.'
  if (from.startsWith('shared/')) return sharedFault(from, target, isDynamic)
  if (from.startsWith('functions/')) return functionFault(from, target, isDynamic)
  return infraFault(from, target)
}

function packageFault(from: string, name: string): string | undefined {
  if (from.startsWith('infra/')) return undefined
  if (name === 'bpmn-engine') return 'Only tests import bpmn-engine: they compare our engine with it.'
  for (const [pattern, folder, owned] of packageOwners) {
    if (pattern.test(name) && !from.startsWith(`${folder}/`))
      return `Only ${folder} imports ${name}, because it encapsulates ${owned}.`
  }
  if (name.startsWith('@aws-sdk/') && !/^shared\/(store|queue|objects|secrets|mail|senders)\//.test(from))
    return 'Reach AWS through shared/store, shared/queue, shared/objects, shared/secrets, shared/mail or shared/senders.'
  return undefined
}

function sharedFault(from: string, target: string, isDynamic: boolean): string | undefined {
  if (!target.startsWith('shared/')) return 'shared/ imports neither functions/ nor infra/: pass what it needs in.'
  const [folder, targetFolder] = [folderOf(from), folderOf(target)]
  if (folder === targetFolder) return sameFolderFault(from, target)
  const allowed = foundation[folder]
  if (allowed) {
    return allowed.includes(targetFolder)
      ? undefined
      : `shared/${folder} may import ${allowed.join(', ') || 'nothing else'} of shared, not ${targetFolder}.`
  }
  if (isFoundation(targetFolder)) return undefined
  if (!slices.includes(folder)) return `Add shared/${folder} to the list of slices in test/lint/import-fault.ts.`
  if (slices.indexOf(targetFolder) > slices.indexOf(folder))
    return `${targetFolder} is a higher slice than ${folder}: move what both need down, or pass it in.`
  return innerFileFault(target, isDynamic)
}

function sameFolderFault(from: string, target: string): string | undefined {
  const engine = 'shared/processes/engine/'
  const compiled = 'shared/processes/definition/compiled-process.ts'
  if (from.startsWith(engine) && !target.startsWith(engine) && target !== compiled)
    return `The engine imports its own files and ${compiled} only.`
  if (/\/(service|schema)\.ts$/.test(from) || target !== `shared/${folderOf(from)}/service.ts`) return undefined
  return 'service.ts is for other slices: inside a slice, import the file that declares the name.'
}

/** Other slices see the service.ts of a slice (what it does) and its schema.ts (the shapes it takes and answers). */
function innerFileFault(target: string, isDynamic: boolean): string | undefined {
  if (isDynamic && loadedOnDemand.has(target)) return undefined
  if (/^shared\/[^/]+\/(service|schema)\.ts$/.test(target)) return undefined
  return `${target} is private to its slice: import shared/${folderOf(target)}/service.ts or schema.ts.`
}

function functionFault(from: string, target: string, isDynamic: boolean): string | undefined {
  if (target.startsWith('infra/')) return 'functions/ does not import infra/: read the deployment from the environment.'
  if (target.startsWith('functions/')) return otherFunctionFault(from, target)
  if (isRoutes(from)) {
    return /^shared\/(http|kernel\/limits)\//.test(target) || /^shared\/[a-z-]+\/schema\.ts$/.test(target)
      ? undefined
      : 'Routes import zod, shared/http, limits and schema.ts files only, because the stack and the API reference read them.'
  }
  return isFoundation(folderOf(target)) ? undefined : innerFileFault(target, isDynamic)
}

function otherFunctionFault(from: string, target: string): string | undefined {
  const [name, targetName] = [folderOf(from), folderOf(target)]
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

function infraFault(from: string, target: string): string | undefined {
  if (from.startsWith('infra/local/')) {
    return /^(shared|functions)\//.test(target)
      ? 'The local cloud runs any stack: it reads the template, not the code of the service.'
      : undefined
  }
  if (from.startsWith('infra/client-types/')) {
    return /^(shared\/http\/openapi\/|functions\/api-docs\/api-document\.ts$|infra\/)/.test(target)
      ? undefined
      : 'The types of the client are written from the OpenAPI document: import that.'
  }
  const isOperate = from.startsWith('infra/operate/')
  const findsLocalService = isOperate && target === 'infra/local/runtime/local-endpoint.ts'
  const measuresLocalCloud =
    from.startsWith('infra/operate/cost/') && /^infra\/local\/(runtime|template|meter)\//.test(target)
  if (target.startsWith('infra/local/') && !findsLocalService && !measuresLocalCloud)
    return 'The local cloud imports the stack, not the other way round.'
  if (isOperate) {
    if (target.startsWith('functions/')) return 'Commands of operators use the services in shared/, not the endpoints.'
    return !target.startsWith('shared/') || isFoundation(folderOf(target)) ? undefined : innerFileFault(target, false)
  }
  if (target.startsWith('functions/') && !isRoutes(target))
    return 'The stack imports routes.ts files of functions/, never the code behind them.'
  if (target.startsWith('shared/') && target !== 'shared/http/routing/define-route.ts')
    return 'The stack imports define-route.ts of shared/, nothing else.'
  return undefined
}

/** The second part of a path: the slice, or the function. */
const folderOf = (path: string): string => path.split('/')[1] ?? ''
const isFoundation = (folder: string): boolean => Object.hasOwn(foundation, folder)
const isRoutes = (file: string): boolean => /^functions\/[a-z-]+\/([a-z-]+-)?routes\.ts$/.test(file)

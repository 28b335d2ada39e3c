/**
 * Lint rules that keep the architecture visible: who may import whom (docs/decisions, "Slices talk through service.ts and
 * schema.ts"). Paths are those of the repository, so a rule reads like the folder tree.
 */
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** What every slice stands on; imported file by file. */
const foundation: ReadonlySet<string> = new Set(['kernel', 'store', 'objects', 'queue', 'http'])

/** The slices, from the lowest to the highest: each may import those before it, never those after it. */
const slices = [
  'trail',
  'jobs',
  'tables',
  'search',
  'query',
  'row-rules',
  'auth',
  'files',
  'scripts',
  'relations',
  'history',
  'records',
  'maintenance',
  'import-export',
  'processes',
  'configuration',
]

/** What the folders of the foundation may import of each other. */
const foundationImports: Record<string, readonly string[]> = {
  kernel: [],
  store: ['kernel'],
  objects: ['kernel'],
  queue: ['kernel', 'store'],
  http: ['kernel'],
}

/** Loaded on demand with `import()`, so that a cold start does not pay for them; no slice imports them statically. */
const loadedOnDemand = new Set(['shared/scripts/script-runtime.ts', 'shared/processes/definition/compile-process.ts'])

/** The one folder that may import a package. */
const owners: readonly (readonly [RegExp, string, string])[] = [
  [/^@aws-sdk\/(client-dynamodb|lib-dynamodb)$/, 'shared/store', 'DynamoDB'],
  [/^@aws-sdk\/client-sqs$/, 'shared/queue', 'SQS'],
  [/^@aws-sdk\/(client-s3|s3-request-presigner)$/, 'shared/objects', 'S3'],
  [/^(bpmn-elements|moddle-context-serializer)$/, 'shared/processes/engine', 'the BPMN engine'],
  [/^quickjs-emscripten/, 'shared/scripts/sandbox', 'QuickJS'],
]

/** What is wrong with an import of `target` (a path of ours, or a package) by the file `from`; undefined when nothing is. */
export function importFault(from: string, target: string, isDynamic: boolean): string | undefined {
  if (from.startsWith('test/') || !/^(shared|functions|infra)\//.test(from)) return undefined
  return /^(shared|functions|infra|test)\//.test(target)
    ? ownFault(from, target, isDynamic)
    : packageFault(from, target)
}

function packageFault(from: string, name: string): string | undefined {
  if (from.startsWith('infra/')) return undefined
  if (name === 'bpmn-engine') return 'bpmn-engine is an oracle of the tests.'
  for (const [pattern, folder, what] of owners) {
    if (pattern.test(name) && !from.startsWith(`${folder}/`)) return `Only ${folder} imports ${name}: it owns ${what}.`
  }
  if (name.startsWith('@aws-sdk/') && !/^shared\/(store|queue|objects)\//.test(from)) {
    return 'AWS is reached through shared/store, shared/queue and shared/objects only.'
  }
  return undefined
}

function ownFault(from: string, target: string, isDynamic: boolean): string | undefined {
  if (target.startsWith('test/')) return 'The service imports nothing of its tests.'
  const [top, room = ''] = from.split('/')
  if (top === 'shared') return sharedFault(from, room, target, isDynamic)
  if (top === 'functions') return functionFault(from, room, target, isDynamic)
  return infraFault(from, target)
}

function sharedFault(from: string, room: string, target: string, isDynamic: boolean): string | undefined {
  const [targetTop = '', targetRoom = ''] = target.split('/')
  if (targetTop !== 'shared') return 'Imports point one way: shared knows nothing of functions and infra.'
  if (room === targetRoom) return insideFault(from, target)
  const mayImport = foundationImports[room]
  if (mayImport) {
    return mayImport.includes(targetRoom)
      ? undefined
      : `shared/${room} may import ${mayImport.join(', ') || 'nothing else'} of shared, not ${targetRoom}.`
  }
  if (foundation.has(targetRoom)) return undefined
  if (!slices.includes(room)) return `shared/${room} is not in the list of slices (test/lint/boundaries.ts).`
  if (slices.indexOf(targetRoom) > slices.indexOf(room))
    return `${targetRoom} stands above ${room}: move the shared idea down, or pass it in.`
  return doorFault(target, isDynamic)
}

/** Rooms inside a slice that know nothing of what is around them. */
function insideFault(from: string, target: string): string | undefined {
  const engine = 'shared/processes/engine/'
  if (
    from.startsWith(engine) &&
    !target.startsWith(engine) &&
    target !== 'shared/processes/definition/compiled-process.ts'
  ) {
    return 'The engine knows nothing of what is around it.'
  }
  if (/\/(service|schema)\.ts$/.test(from) || !target.endsWith('/service.ts')) return undefined
  return dirname(target) === target.split('/').slice(0, 2).join('/')
    ? 'service.ts is for other slices: inside a slice, import the file that holds it.'
    : undefined
}

/** Another slice is entered through its service.ts (what it does) or schema.ts (what it says). */
function doorFault(target: string, isDynamic: boolean): string | undefined {
  if (isDynamic && loadedOnDemand.has(target)) return undefined
  const [, room, file, ...deeper] = target.split('/')
  if (deeper.length === 0 && (file === 'service.ts' || file === 'schema.ts')) return undefined
  return `Import shared/${room}/service.ts or schema.ts: ${target} is an inner file of that slice.`
}

function functionFault(from: string, room: string, target: string, isDynamic: boolean): string | undefined {
  const [targetTop = '', targetRoom = ''] = target.split('/')
  if (targetTop === 'infra') return 'Functions know nothing of how they are deployed.'
  if (targetTop === 'functions') {
    const isOwn = targetRoom === room
    const isReference = room === 'api-docs' && /\/[a-z-]*routes\.ts$/.test(target)
    if (room === 'wiring' && !isOwn) return 'A capability is made of shared and other capabilities only.'
    if (!isOwn && !isReference && targetRoom !== 'wiring')
      return 'A function imports shared, functions/wiring and its own files.'
    if (isOwn && isRoutes(from) && target.endsWith('/handler.ts'))
      return 'The handler imports the routes, not the other way round.'
    return undefined
  }
  if (isRoutes(from)) {
    return target.startsWith('shared/http/') || /^shared\/[a-z-]+\/schema\.ts$/.test(target)
      ? undefined
      : 'Routes are read by CDK and the API reference: only zod, shared/http and schema files.'
  }
  return foundation.has(targetRoom) ? undefined : doorFault(target, isDynamic)
}

const isRoutes = (file: string): boolean => /^functions\/[a-z-]+\/([a-z-]+-)?routes\.ts$/.test(file)

function infraFault(from: string, target: string): string | undefined {
  if (from.startsWith('infra/local/')) {
    return /^(shared|functions)\//.test(target)
      ? 'The local cloud stands in for AWS: it knows the template, not the service.'
      : undefined
  }
  const findsLocalService = from.startsWith('infra/operate/') && target === 'infra/local/runtime/local-endpoint.ts'
  if (target.startsWith('infra/local/') && !findsLocalService)
    return 'The local cloud runs the stack; the stack knows nothing of it.'
  if (from.startsWith('infra/operate/')) {
    if (target.startsWith('functions/')) return "Operators' tools use the rules in shared, not the endpoints."
    const [top, room = ''] = target.split('/')
    return top !== 'shared' || foundation.has(room) ? undefined : doorFault(target, false)
  }
  if (target.startsWith('functions/') && !isRoutes(target))
    return 'The stack reads contracts (routes.ts), never the code behind them.'
  if (target.startsWith('shared/') && target !== 'shared/http/routing/define-route.ts')
    return 'The stack knows routes, nothing else of shared.'
  return undefined
}

/** As much of a node of the syntax tree as these rules look at. */
interface SyntaxNode {
  readonly type: string
  readonly value?: unknown
  readonly name?: string
  readonly source?: SyntaxNode | null
  readonly key?: SyntaxNode
  readonly object?: SyntaxNode
  readonly property?: SyntaxNode
}

interface RuleContext {
  readonly physicalFilename: string
  report(problem: { readonly node: SyntaxNode; readonly message: string }): void
}

type Visitors = Record<string, (node: SyntaxNode) => void>

const fileOf = ({ physicalFilename }: RuleContext): string => relative(root, physicalFilename).replaceAll('\\', '/')

/** Outside the store, where keys and slots have no names. */
const isOutsideStore = (file: string): boolean =>
  /^(shared|functions)\//.test(file) && !file.startsWith('shared/store/')

/** Who may import whom. */
const imports = {
  create(context: RuleContext): Visitors {
    const from = fileOf(context)
    const check = (source: SyntaxNode | null | undefined, isDynamic: boolean): void => {
      if (!source || typeof source.value !== 'string') return
      const named = source.value
      const target = named.startsWith('.') ? join(dirname(from), named) : named
      const fault = importFault(from, target, isDynamic)
      if (fault) context.report({ node: source, message: fault })
    }
    return {
      ImportDeclaration: ({ source }) => check(source, false),
      ExportNamedDeclaration: ({ source }) => check(source, false),
      ExportAllDeclaration: ({ source }) => check(source, false),
      ImportExpression: ({ source }) => check(source, true),
    }
  },
}

/** The text of a literal, or of a piece of a template. */
function textOf({ value }: SyntaxNode): string {
  if (typeof value === 'string') return value
  return value !== null && typeof value === 'object' && 'raw' in value ? String(value.raw) : ''
}

const slotAttribute = /\b(?:[ps](?:0[1-9]|1[0-9]|20)|slot(?:0[1-9]|1[0-9]|20))\b/

/** Index slots as attributes (`p20`, `s15`) are named in the store, which gives them meanings. */
const slots = {
  create(context: RuleContext): Visitors {
    if (!isOutsideStore(fileOf(context))) return {}
    const message = 'Slot attributes are named in shared/store/slots.ts only.'
    const check = (node: SyntaxNode, text: string): void => {
      if (slotAttribute.test(text)) context.report({ node, message })
    }
    return {
      Literal: (node) => check(node, textOf(node)),
      TemplateElement: (node) => check(node, textOf(node)),
      Identifier: (node) => check(node, node.name ?? ''),
    }
  },
}

/** Every partition begins with one of these; see the table in docs/data-model.md. */
const partition = /(?:^|[^A-Za-z])(?:T|TENANT|SLUG|EMAIL|TOKEN)#/

/** Keys of the single table are built in the store. */
const keys = {
  create(context: RuleContext): Visitors {
    if (!isOutsideStore(fileOf(context))) return {}
    const message = 'Keys are built in shared/store/keys only.'
    const check = (node: SyntaxNode): void => {
      if (partition.test(textOf(node))) context.report({ node, message })
    }
    return {
      Literal: check,
      TemplateElement: check,
      Property(node) {
        const isKey = node.key?.name === 'pk' || node.key?.name === 'sk'
        if (isKey && (node.value as SyntaxNode | undefined)?.type.endsWith('Literal')) context.report({ node, message })
      },
    }
  },
}

/** Where JSON comes in that is no attribute of an item: from clients, queues and scripts. */
const readsJson =
  /^shared\/(store\/(json-attribute|pack-json)\.ts|http\/|queue\/|scripts\/sandbox\/|processes\/engine\/|records\/read\/list-records\.ts|relations\/related-cursor\.ts)/

/** Attributes of items are parsed by the store's helpers, whose errors name the item. */
const json = {
  create(context: RuleContext): Visitors {
    const file = fileOf(context)
    if (!/^(shared|functions)\//.test(file) || readsJson.test(file)) return {}
    const message = 'Read a JSON attribute with readJson or readPackedJson (shared/store).'
    return {
      MemberExpression(node) {
        if (node.object?.name === 'JSON' && node.property?.name === 'parse') context.report({ node, message })
      },
    }
  },
}

export default { meta: { name: 'boundaries' }, rules: { imports, slots, keys, json } }

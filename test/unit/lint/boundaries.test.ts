import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import boundaries from '../../lint/boundaries.ts'
import { importFault, roomOf } from '../../lint/import-fault.ts'
import type { LintRule, SyntaxNode } from '../../lint/lint-rule.ts'
import { publicFiles } from '../../lint/public-files.ts'

interface Case {
  readonly from: string
  /** Files that `from` may import, and files that it may not. */
  readonly allowed: readonly string[]
  readonly refused: readonly string[]
}

const importRules: Readonly<Record<string, Case>> = {
  'tests may import everything': {
    from: 'test/story/records/records.test.ts',
    allowed: [
      'shared/records/records/write/create-record.ts',
      'infra/local/start.ts',
      'functions/api/auth/handler.ts',
      'bpmn-engine',
    ],
    refused: [],
  },
  'the service imports no test': {
    from: 'shared/records/records/write/create-record.ts',
    allowed: ['node:crypto', 'zod'],
    refused: ['test/make/client.ts'],
  },
  'shared imports neither functions nor infra': {
    from: 'shared/records/records/write/create-record.ts',
    allowed: ['shared/records/records/actor.ts'],
    refused: ['functions/wiring/platform/store.ts', 'infra/catalogue/functions.ts'],
  },
  'the kernel imports nothing else of shared': {
    from: 'shared/kernel/runtime/log.ts',
    allowed: ['shared/kernel/time/clock.ts'],
    refused: [
      'shared/platform/store/store.ts',
      'shared/platform/http/paging/cursor.ts',
      'shared/accounts/people/user.ts',
    ],
  },
  'the store imports the kernel': {
    from: 'shared/platform/store/store.ts',
    allowed: ['shared/kernel/time/clock.ts', 'shared/platform/store/keys/key.ts'],
    refused: ['shared/platform/queue/send.ts', 'shared/tables/tables/schema.ts'],
  },
  'the queue imports the kernel and the store': {
    from: 'shared/platform/queue/change-feed/on-stream.ts',
    allowed: ['shared/kernel/runtime/log.ts', 'shared/platform/store/values/marshal.ts'],
    refused: ['shared/platform/http/paging/cursor.ts', 'shared/records/records/service.ts'],
  },
  'rooms import the foundation file by file': {
    from: 'shared/accounts/people/user.ts',
    allowed: [
      'shared/kernel/time/clock.ts',
      'shared/platform/store/keys/auth.ts',
      'shared/platform/http/paging/cursor.ts',
      'shared/platform/queue/send.ts',
    ],
    refused: [],
  },
  'a wing imports lower wings, never higher ones': {
    from: 'shared/messages/bell/list-bell.ts',
    allowed: ['shared/accounts/people/user.ts', 'shared/platform/trail/trail-event.ts'],
    refused: ['shared/records/records/service.ts', 'shared/automation/processes/schema.ts'],
  },
  'a room imports lower rooms of its wing, never higher ones': {
    from: 'shared/records/history/read-trail.ts',
    allowed: ['shared/records/relations/links/record-links.ts'],
    refused: ['shared/records/records/service.ts', 'shared/records/comments/schema.ts'],
  },
  'a room imports the public files of another one and its schema.ts': {
    from: 'shared/records/records/write/create-record.ts',
    allowed: ['shared/tables/tables/table.ts', 'shared/tables/tables/schema.ts'],
    refused: ['shared/tables/tables/retired-fields.ts', 'shared/scripts/sandbox/sandbox.ts'],
  },
  'inside a room every file is open': {
    from: 'shared/records/records/write/create-record.ts',
    allowed: ['shared/records/records/write/save-record.ts', 'shared/records/records/schema.ts'],
    refused: [],
  },
  'a new room has to be given its height': {
    from: 'shared/operations/reports/report.ts',
    allowed: ['shared/kernel/time/clock.ts'],
    refused: ['shared/tables/tables/table.ts'],
  },
  'BPMN imports itself and lower rooms that do no I/O': {
    from: 'shared/automation/bpmn/elements/triggers/timer.ts',
    allowed: [
      'shared/automation/bpmn/engine/tokens/timers.ts',
      'shared/automation/bpmn/shapes/time-values.ts',
      'shared/kernel/time/cron.ts',
      'shared/tables/formulas/service.ts',
    ],
    refused: [
      'shared/automation/processes/rows/instance-row.ts',
      'shared/platform/store/store.ts',
      'shared/automation/decisions/decisions.ts',
      'bpmn-engine',
    ],
  },
  'processes import the public files of BPMN': {
    from: 'shared/automation/processes/steps/run-step.ts',
    allowed: ['shared/automation/bpmn/process.ts', 'shared/automation/bpmn/schema.ts'],
    refused: ['shared/automation/bpmn/engine/tokens/engine-run.ts', 'bpmn-moddle'],
  },
  'functions import wiring, public files, schemas and the foundation': {
    from: 'functions/api/auth/handler.ts',
    allowed: [
      'functions/wiring/accounts.ts',
      'functions/api/auth/routes.ts',
      'shared/accounts/sign-in/login.ts',
      'shared/kernel/time/clock.ts',
    ],
    refused: [
      'functions/api/records/routes.ts',
      'shared/accounts/attempts/network-of.ts',
      'infra/catalogue/functions.ts',
    ],
  },
  'routes import schemas and shared/platform/http only': {
    from: 'functions/api/processes/task-routes.ts',
    allowed: [
      'shared/automation/processes/schema.ts',
      'shared/platform/http/routing/define-route.ts',
      'functions/api/processes/example.ts',
      'zod',
    ],
    refused: [
      'shared/automation/processes/tasks/list-tasks.ts',
      'shared/kernel/time/clock.ts',
      'functions/api/processes/handler.ts',
    ],
  },
  'api-docs imports the routes of every function': {
    from: 'functions/api/api-docs/all-routes.ts',
    allowed: ['functions/api/auth/routes.ts', 'functions/api/processes/task-routes.ts'],
    refused: ['functions/api/auth/handler.ts'],
  },
  'capabilities import shared and each other': {
    from: 'functions/wiring/lists/queries.ts',
    allowed: ['functions/wiring/platform/store.ts', 'shared/lists/query/service.ts'],
    refused: ['functions/api/jobs/routes.ts', 'shared/lists/query/plan/plan-page.ts'],
  },
  'the stack imports contracts': {
    from: 'infra/catalogue/functions.ts',
    allowed: [
      'functions/api/auth/routes.ts',
      'functions/api/processes/task-routes.ts',
      'shared/platform/http/routing/define-route.ts',
      'shared/messages/channels/schema.ts',
      'aws-cdk-lib',
    ],
    refused: [
      'functions/api/auth/handler.ts',
      'shared/accounts/schema.ts',
      'shared/messages/channels/service.ts',
      'infra/local/start.ts',
    ],
  },
  'the types of the client are written from the document': {
    from: 'infra/client-types/generic-document.ts',
    allowed: [
      'functions/api/api-docs/api-document.ts',
      'shared/platform/http/openapi/document-types.ts',
      'infra/operate/error-message.ts',
    ],
    refused: ['functions/api/api-docs/handler.ts', 'shared/tables/tables/service.ts', 'functions/api/auth/routes.ts'],
  },
  'the local cloud does not know the service': {
    from: 'infra/local/start.ts',
    allowed: [
      'infra/stack/service-stack.ts',
      'infra/local/runtime/cloud.ts',
      'shared/kernel/text/did-you-mean.ts',
      '@aws-sdk/client-s3',
    ],
    refused: ['shared/kernel/time/clock.ts', 'functions/api/auth/routes.ts'],
  },
  'commands of operators use public files': {
    from: 'infra/operate/admin.ts',
    allowed: ['shared/accounts/people/user.ts', 'shared/kernel/time/clock.ts', 'infra/local/runtime/local-endpoint.ts'],
    refused: ['functions/api/auth/routes.ts', 'shared/accounts/attempts/network-of.ts', 'infra/local/start.ts'],
  },
  'the cost command measures the local cloud': {
    from: 'infra/operate/cost/measured-service.ts',
    allowed: ['infra/local/runtime/cloud.ts', 'infra/local/template/assemble.ts', 'infra/local/sdk/meter/usage.ts'],
    refused: ['infra/local/lambda/functions.ts', 'infra/local/start.ts', 'functions/api/auth/routes.ts'],
  },
  'only the store imports the DynamoDB client': {
    from: 'shared/platform/store/store.ts',
    allowed: ['@aws-sdk/client-dynamodb', '@aws-sdk/core'],
    refused: ['@aws-sdk/client-sqs', '@aws-sdk/client-s3'],
  },
  'rooms import no SDK, no engine and no sandbox': {
    from: 'shared/records/records/write/create-record.ts',
    allowed: ['zod'],
    refused: ['@aws-sdk/core', 'bpmn-elements', 'bpmn-engine', 'quickjs-emscripten-core'],
  },
}

/** Path and text of each production file. */
const root = join(import.meta.dirname, '../../..')
const sources = ['shared', 'functions', 'infra'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => [join(folder, file), readFileSync(join(root, folder, file), 'utf8')] as const),
)

describe('boundaries/imports', () => {
  it.each(Object.entries(importRules))('%s', (_rule, { from, allowed, refused }) => {
    expect(allowed.filter((target) => importFault(from, target, false))).toEqual([])
    expect(refused.filter((target) => !importFault(from, target, false))).toEqual([])
  })

  it('lets other rooms load the script runtime and the BPMN compiler on demand only, and import their types', () => {
    for (const target of ['shared/scripts/script-runtime.ts', 'shared/automation/bpmn/document/compile-process.ts']) {
      expect(importFault('functions/wiring/record-writes.ts', target, true)).toBeUndefined()
      expect(importFault('functions/wiring/record-writes.ts', target, false)).toContain('is private to its room')
    }
  })

  it('names public files that exist, and that others import', () => {
    const importing = sources.flatMap(([from, text]) =>
      [...text.matchAll(/from '(\.[^']*)'|import\('(\.[^']*)'\)/g)].map(([, ...found]) => {
        const target = join(dirname(from), found.find((path) => path !== undefined) as string)
        return from.startsWith('shared/') && roomOf(from) === roomOf(target) ? '' : target
      }),
    )
    const imported = new Set(importing)
    const listed = Object.entries(publicFiles).flatMap(([room, files]) =>
      [...files].map((file) => `shared/${room}/${file}.ts`),
    )
    expect(listed.length).toBeGreaterThan(100)
    expect(listed.filter((file) => !imported.has(file))).toEqual([])
  })

  it('checks every form of import, with relative paths resolved', () => {
    const from = 'shared/records/records/write/create-record.ts'
    const source: SyntaxNode = { type: 'Literal', value: '../../../tables/tables/check-value.ts' }
    for (const type of ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'])
      expect(report('imports', from, { type, source })).toEqual([
        expect.stringContaining('shared/tables/tables/check-value.ts'),
      ])
    expect(report('imports', from, { type: 'ExportNamedDeclaration', source: null })).toEqual([])
  })
})

const literal = (value: string): SyntaxNode => ({ type: 'Literal', value })
const template = (raw: string): SyntaxNode => ({ type: 'TemplateElement', value: { raw } })
const property = (name: string, value: SyntaxNode): SyntaxNode => ({
  type: 'Property',
  key: { type: 'Identifier', name },
  value,
})
const call = (object: string, name: string): SyntaxNode => ({
  type: 'MemberExpression',
  object: { type: 'Identifier', name: object },
  property: { type: 'Identifier', name },
})

describe('what only the store names', () => {
  it.each([
    ['slots', literal('p20'), 'shared/lists/query/plan/plan-page.ts', 'shared/platform/store/slots.ts'],
    ['slots', template('slot01'), 'functions/wiring/platform/store.ts', 'shared/platform/store/slots.ts'],
    [
      'slots',
      { type: 'Identifier', name: 's15' },
      'shared/lists/query/plan/plan-page.ts',
      'test/make/builders/records/records.ts',
    ],
    ['keys', template('TENANT#'), 'shared/accounts/people/create-tenant.ts', 'shared/platform/store/keys/auth.ts'],
    [
      'keys',
      property('pk', literal('x')),
      'shared/accounts/people/create-tenant.ts',
      'shared/platform/store/keys/auth.ts',
    ],
    [
      'json',
      call('JSON', 'parse'),
      'shared/records/records/write/create-record.ts',
      'shared/platform/store/values/json-attribute.ts',
    ],
    [
      'json',
      call('JSON', 'parse'),
      'functions/stream/fan-out/handler.ts',
      'shared/platform/http/routing/json/json-body.ts',
    ],
  ] as const)('boundaries/%s refuses %o in %s, but not in %s', (rule, node, refusedIn, allowedIn) => {
    expect(report(rule, refusedIn, node)).toHaveLength(1)
    expect(report(rule, allowedIn, node)).toEqual([])
  })

  it.each([
    ['slots', literal('p21')],
    ['slots', literal('top15')],
    ['keys', literal('TENANT')],
    ['keys', property('pk', { type: 'Identifier', name: 'key' })],
    ['json', call('JSON', 'stringify')],
  ] as const)('boundaries/%s allows %o', (rule, node) => {
    expect(report(rule, 'shared/records/records/write/create-record.ts', node)).toEqual([])
  })
})

const named = (name: string): SyntaxNode => ({ type: 'Identifier', name })
const textKeyed: SyntaxNode = {
  type: 'TSTypeAnnotation',
  typeAnnotation: {
    type: 'TSTypeReference',
    typeName: named('Readonly'),
    typeArguments: {
      params: [
        {
          type: 'TSTypeReference',
          typeName: named('Record'),
          typeArguments: { params: [{ type: 'TSStringKeyword' }, { type: 'TSNumberKeyword' }] },
        },
      ],
    },
  },
}
const fieldErrors: SyntaxNode = {
  type: 'TSTypeAnnotation',
  typeAnnotation: { type: 'TSTypeReference', typeName: named('FieldErrors') },
}
const objectOf = (...properties: SyntaxNode[]): SyntaxNode => ({ type: 'ObjectExpression', properties })
const memberBy = (object: string, key: SyntaxNode): SyntaxNode => ({
  type: 'MemberExpression',
  computed: true,
  object: named(object),
  property: key,
})
const declared = (name: string, typeAnnotation: SyntaxNode, init: SyntaxNode): SyntaxNode => ({
  type: 'VariableDeclarator',
  id: { ...named(name), typeAnnotation },
  init,
})
const table = declared('words', textKeyed, objectOf(property('a', literal('b'))))

describe('boundaries/names', () => {
  const file = 'shared/tables/tables/error-list.ts'
  const made = (operator: string, left: SyntaxNode): SyntaxNode => ({ type: 'AssignmentExpression', operator, left })
  const oneIn = (right: SyntaxNode): SyntaxNode => ({
    type: 'BinaryExpression',
    operator: 'in',
    left: named('key'),
    right,
  })
  const prototype: SyntaxNode = { type: 'MemberExpression', object: named('Object'), property: named('prototype') }

  it.each<[string, SyntaxNode[]]>([
    [
      'errors that begin as an empty object',
      [{ type: 'PropertyDefinition', typeAnnotation: fieldErrors, value: objectOf() }],
    ],
    ['a collection that begins as an empty object', [declared('found', textKeyed, objectOf())]],
    ['a member that is made when it is missing', [made('??=', memberBy('errors', named('path')))]],
    ['the same with an or', [made('||=', memberBy('errors', named('path')))]],
    ['in', [oneIn(named('members'))]],
    ['a table of the file, read before it is declared', [memberBy('words', named('word')), table]],
    [
      'a table whose value has a type of its own',
      [
        { ...table, init: { type: 'TSSatisfiesExpression', expression: table.init as SyntaxNode } },
        memberBy('words', named('word')),
      ],
    ],
  ])('refuses %s', (_, nodes) => {
    expect(report('names', file, ...nodes)).toHaveLength(1)
    expect(report('names', 'shared/platform/store/values/marshal.ts', ...nodes)).toEqual([])
    expect(report('names', 'test/story/api/fuzz.test.ts', ...nodes)).toEqual([])
  })

  it.each<[string, SyntaxNode[]]>([
    ['a member by its own name', [table, memberBy('words', literal('a'))]],
    ['a member of what the file does not declare', [memberBy('others', named('word'))]],
    ['a write', [table, made('=', memberBy('words', named('word')))]],
    [
      'an element by its place',
      [
        made(
          '||=',
          memberBy('list', {
            type: 'BinaryExpression',
            operator: '+',
            left: named('at'),
            right: { type: 'Literal', value: 1 },
          }),
        ),
      ],
    ],
    ['a collection without a prototype', [declared('found', textKeyed, { type: 'CallExpression' })]],
    [
      'an empty object that is no map',
      [
        declared(
          'found',
          { type: 'TSTypeAnnotation', typeAnnotation: { type: 'TSTypeReference', typeName: named('State') } },
          objectOf(),
        ),
      ],
    ],
    ['a question about the prototype itself', [oneIn(prototype)]],
    [
      'a question about a symbol',
      [
        {
          ...oneIn(named('members')),
          left: { type: 'MemberExpression', object: named('Symbol'), property: named('iterator') },
        },
      ],
    ],
    ['a question about a name of the code', [{ ...oneIn(named('members')), left: literal('error') }]],
  ])('allows %s', (_, nodes) => {
    expect(report('names', file, ...nodes)).toEqual([])
  })
})

/** The messages that a rule reports for nodes of a file, in their order; of an assignment also for what it writes to. */
function report(name: keyof typeof boundaries.rules, file: string, ...nodes: SyntaxNode[]): string[] {
  const messages: string[] = []
  const rule: LintRule = boundaries.rules[name]
  const visitors = rule.create({
    physicalFilename: `${import.meta.dirname}/../../../${file}`,
    sourceCode: { getAllComments: () => [] },
    report: ({ message }) => void messages.push(message),
  })
  for (const node of nodes) {
    visitors[node.type]?.(node)
    if (node.type === 'AssignmentExpression' && node.left) visitors[node.left.type]?.(node.left)
  }
  visitors['Program:exit']?.({ type: 'Program' })
  return messages
}

describe('boundaries/recordRights', () => {
  const file = 'shared/records/comments/watchers/change-watchers.ts'
  const asked = (action: string, callee = 'mayOnTable'): SyntaxNode => ({
    type: 'CallExpression',
    callee: named(callee),
    arguments: [named('caller'), named('model'), literal(action)],
  })
  const opened: SyntaxNode = { type: 'FunctionDeclaration' }
  const closed: SyntaxNode = { type: 'FunctionDeclaration:exit' }
  const inner = ['ArrowFunctionExpression', 'ArrowFunctionExpression:exit'].map((type): SyntaxNode => ({ type }))
  const [into, outOf] = inner as [SyntaxNode, SyntaxNode]

  it.each<[string, SyntaxNode[]]>([
    ['an update beside an id', [opened, named('id'), asked('update'), closed]],
    ['a delete beside ids', [opened, asked('delete'), named('ids'), closed]],
    ['one inside of a function that has the id', [opened, named('id'), into, asked('update'), outOf, closed]],
    ['one whose id is inside of another function', [opened, asked('update'), into, named('id'), outOf, closed]],
    ['a helper of a file about records', [opened, asked('update'), closed, named('RecordRef')]],
    ['the same by its key', [named('recordKey'), opened, asked('update'), closed]],
  ])('refuses %s', (_, nodes) => {
    expect(report('recordRights', file, ...nodes)).toEqual([expect.stringContaining('access.require')])
    expect(report('recordRights', 'test/make/builders/people.ts', ...nodes)).toEqual([])
  })

  it.each<[string, SyntaxNode[]]>([
    ['a table alone', [opened, named('table'), asked('update'), closed]],
    ['an id of another function', [opened, named('id'), closed, opened, asked('update'), closed]],
    ['what reads or creates', [opened, named('id'), asked('read'), asked('create'), closed]],
    ['another question', [opened, named('id'), asked('update', 'permitted'), closed]],
  ])('allows %s', (_, nodes) => {
    expect(report('recordRights', file, ...nodes)).toEqual([])
  })
})

describe('words of comments', () => {
  const reported = (filename: string, value: string): string[] => {
    const messages: string[] = []
    const visitors = (boundaries.rules.words as LintRule).create({
      physicalFilename: join(import.meta.dirname, '../../..', filename),
      sourceCode: { getAllComments: () => [{ type: 'Block', value }] },
      report: ({ message }) => messages.push(message),
    })
    visitors.Program?.({ type: 'Program' })
    return messages
  }

  it('are the plain ones in production code', () => {
    expect(reported('shared/kernel/runtime/log.ts', ' The work goes on, and who waits is told. ')).toHaveLength(2)
    expect(reported('shared/kernel/runtime/log.ts', ' The work continues; one is told apart from the other. ')).toEqual(
      [],
    )
    expect(reported('test/story/a.test.ts', ' The work goes on. ')).toEqual([])
  })
})

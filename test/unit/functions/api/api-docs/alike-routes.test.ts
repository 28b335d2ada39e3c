import { expect, it } from 'vitest'
import * as z from 'zod'
import { allRoutes } from '../../../../../functions/api/api-docs/all-routes.ts'
import { kindOfCode } from '../../../../../shared/kernel/failures/failure-codes.ts'
import { operationIdOf } from '../../../../../shared/platform/http/openapi/operation-id.ts'
import { type Route, takesIfMatch } from '../../../../../shared/platform/http/routing/define-route.ts'

/** What a list that is asked for nothing, and for too much, answers. */
const usualPage = [25, 100]

/** Lists whose paging differs: rows when `per_page` is left out, and at most; each with what says so. */
const otherPages: Readonly<Record<string, readonly [number, number, string]>> = {
  'GET /api/sys/entities': [1000, 1000, 'specification: "list of all tables"'],
  'GET /api/sys/relations/all/{sys_table_id}': [1000, 1000, 'specification: "all SysRelation records"'],
  'GET /api/sys/incoming-actions/models': [1000, 1000, 'contract 7: "lists every table"'],
  'GET /api/users': [25, 1000, 'contract 4: `ids` picks up to 1,000 people'],
  ...Object.fromEntries(
    [
      'GET /api/e/{model}',
      'GET /api/e/{model}/{id}/comments',
      'GET /api/e/{model}/{id}/timeline',
      'GET /api/sys/related_instances/{relation_id}/{table_name}/{instance_id}',
      'GET /api/sys/history/{model}/{id}',
      'GET /api/sys/audit',
      'GET /api/sys/script-runs',
      'GET /api/sys/process-instances',
      'GET /api/sys/incidents',
      'GET /api/sys/process-tasks',
      'GET /api/portal/approvals',
      'GET /api/notifications',
      'GET /api/sys/deliveries',
      'GET /api/sys/incoming_messages',
      'GET /api/sys/jobs',
      'GET /api/sys/batches',
    ].map((key) => [key, [25, 1000, 'contract 1: records, and what happens to them, are clamped to 1..1000']]),
  ),
}

const newestFirst = 'contract 3 and 7: a trail is read newest first, and has filters of its own'
/** Lists without `sort` or `search`, each with what says so. */
const withoutOrder: Readonly<Record<string, string>> = {
  'GET /api/e/{model}/{id}/comments': newestFirst,
  'GET /api/e/{model}/{id}/timeline': newestFirst,
  'GET /api/sys/history/{model}/{id}': newestFirst,
  'GET /api/sys/audit': newestFirst,
  'GET /api/notifications': 'contract 6: the bell is read newest first, with `unread`',
  'POST /api/e/{model}/list-server': 'contract 3: its body has both',
  'GET /api/sys/related_instances/{relation_id}/{table_name}/{instance_id}':
    'contract 3: paged, nothing else; a filter of the far table sorts and searches',
}

/** Answers that hold a list and are no page. */
const noPages: Readonly<Record<string, string>> = {
  'GET /api/e/{model}/{id}/timeline': 'contract 7: merged from several sources, read by cursor only, without a total',
}

/** Answers that are a whole list, each with what says so. */
const wholeLists: Readonly<Record<string, string>> = {
  'GET /api/sys/views/counts': 'contract 12: "exact counts of all views of the caller in one call"',
  'GET /api/search': 'contract 12: the best matches of each table, which its own list pages',
}

/** Objects without one of the three, each with what says so. */
const withoutStamps: Readonly<Record<string, string>> = {
  'GET /api/sys/entities': 'contract 2: heads are id, name, label, is_system and fields_count',
}

/** Members of answers that may be absent and may be null. */
const absentOrNull: Readonly<Record<string, string>> = {
  'GET /api/sys/config': 'contract 2: the document is what PUT takes; left out keeps, null clears',
}

/** The words with which an operation id begins. */
const verbs =
  /^(accept|add|apply|begin|cancel|change|check|claim|complete|confirm|count|create|decide|delegate|delete|disable|dismiss|end|erase|evaluate|exchange|execute|export|fetch|forward|get|impersonate|import|invite|link|list|login|logout|make|mark|merge|migrate|modify|patch|prepare|preview|query|reassign|receive|redirect|register|remove|reopen|replay|reprocess|request|resend|reset|restore|resume|retry|run|search|send|set|split|start|subscribe|suspend|switch|test|unclaim|undo|unlink|unmerge|unsubscribe|update|verify)([A-Z]\w*)?$/

type Shape = Readonly<Record<string, z.ZodType>>

/** The schema inside of what may be absent, null or filled in, and whether it may. */
function opened(schema: z.ZodType): {
  readonly inner: z.ZodType
  readonly isOptional: boolean
  readonly isNull: boolean
} {
  let [inner, isOptional, isNull] = [schema, false, false]
  for (;;) {
    if (inner instanceof z.ZodOptional) isOptional = true
    else if (inner instanceof z.ZodNullable) isNull = true
    else if (!(inner instanceof z.ZodDefault || inner instanceof z.ZodReadonly)) return { inner, isOptional, isNull }
    inner = inner.unwrap() as z.ZodType
  }
}

/** The members of an object, or of each object of a union or intersection. */
function membersOf(schema: z.ZodType | undefined): Shape {
  const inner = schema && opened(schema).inner
  if (inner instanceof z.ZodPipe) return membersOf(inner.in as z.ZodType)
  if (inner instanceof z.ZodObject) return inner.shape as Shape
  if (inner instanceof z.ZodUnion) return Object.assign({}, ...inner.options.map((one) => membersOf(one as z.ZodType)))
  return {}
}

/** All members of a schema, however deep, by their path. */
function* deepMembers(schema: z.ZodType, path = '', seen = new Set<z.ZodType>()): Generator<[string, z.ZodType]> {
  const { inner } = opened(schema)
  if (seen.has(inner)) return
  seen.add(inner)
  if (inner instanceof z.ZodArray) yield* deepMembers(inner.element as z.ZodType, path, seen)
  if (inner instanceof z.ZodRecord) yield* deepMembers(inner.valueType as z.ZodType, `${path}*.`, seen)
  for (const [name, member] of Object.entries(membersOf(inner))) {
    yield [`${path}${name}`, member]
    yield* deepMembers(member, `${path}${name}.`, seen)
  }
}

const isList = ({ key, shape, query }: Route): boolean =>
  shape === 'page' || key in noPages || 'per_page' in membersOf(query)
const routeAt = (method: string, path: string): Route | undefined =>
  allRoutes.find((route) => route.method === method && route.path === path)
/** Those that change an object which has a version. */
const changes = allRoutes.filter(
  ({ method, path, answer }) => method === 'PUT' && path.includes('{') && 'version' in membersOf(answer),
)

const told = (deviations: readonly string[]): void => expect(deviations.join('\n')).toBe('')

it('a list is a page with `page`, `per_page`, `cursor`, `sort` and `search`', () => {
  told(
    allRoutes.flatMap((route) => {
      if (route.key in wholeLists) return []
      if (opened(route.answer).inner instanceof z.ZodArray)
        return [`${route.key} answers a bare array: give it \`shape: 'page'\` and \`query: listQuery(Answer)\`.`]
      if (!isList(route)) return []
      const wanted = [
        ...(route.key in noPages ? [] : ['page']),
        'per_page',
        'cursor',
        ...(route.key in withoutOrder ? [] : ['sort', 'search']),
      ]
      const lacking = wanted.filter((name) => !(name in membersOf(route.query)))
      return lacking.length === 0
        ? []
        : [
            `${route.key} does not take ${lacking.join(', ')}: use listQuery(Answer) or rowListQuery(...), or name it in \`withoutOrder\` with the line of the contract that says so.`,
          ]
    }),
  )
})

it('a page has 25 rows when nothing else is asked for, and at most 100: more are clamped, never refused', () => {
  told(
    // A list that is asked by POST reads its paging from the body (test/story/lists).
    allRoutes
      .filter((route) => isList(route) && route.method === 'GET')
      .flatMap((route) => {
        const query = route.query as z.ZodType<{ per_page: number }>
        const needed = Object.fromEntries(
          Object.entries(membersOf(query)).flatMap(([name, member]) =>
            member.safeParse(undefined).success ? [] : [[name, '1']],
          ),
        )
        const perPage = (asked?: string) => query.parse({ ...needed, ...(asked && { per_page: asked }) }).per_page
        const [unset, most] = otherPages[route.key] ?? usualPage
        const found = [perPage(), perPage('100000'), perPage('0')]
        return found.join() === [unset, most, 1].join()
          ? []
          : [
              `${route.key} answers ${found.join(', ')} rows for no per_page, 100000 and 0, not ${unset}, ${most}, 1: use listQuery(Answer), or name it in \`otherPages\` with the line that says so.`,
            ]
      }),
  )
})

it('every parameter of a list is described', () => {
  told(
    allRoutes
      .filter(isList)
      .flatMap((route) =>
        Object.entries(membersOf(route.query)).flatMap(([name, schema]) =>
          ['page', 'per_page', 'cursor', 'sort', 'search'].includes(name) && !schema.meta()?.description
            ? [`${route.key}: describe \`${name}\` with .meta({ description }).`]
            : [],
        ),
      ),
  )
})

it('an object that is changed has `created_at`, `updated_at` and `version` in every answer', () => {
  told(
    changes.flatMap(({ path }) => {
      const collection = path.replace(/(\/name)?\/\{\w+\}$/, '')
      const answering = [
        routeAt('GET', path),
        routeAt('PUT', path),
        routeAt('GET', collection),
        routeAt('POST', collection),
      ]
      return answering.flatMap((route) => {
        if (!route || route.status === 204 || route.key in withoutStamps) return []
        const lacking = ['created_at', 'updated_at', 'version'].filter((name) => !(name in membersOf(route.answer)))
        return lacking.length === 0
          ? []
          : [`${route.key} does not answer ${lacking.join(', ')}: add ...stamps to its answer.`]
      })
    }),
  )
})

it('an object that is changed takes back what it answered, takes `If-Match`, and takes an empty change', () => {
  told(
    changes.flatMap((route) => {
      const { key, path, body = z.object({}) } = route
      const remove = routeAt('DELETE', path)
      const isRecord = path === '/api/e/{model}/{id}'
      const lacking = ['id', 'created_at', 'updated_at', 'version'].filter((name) => !(name in membersOf(body)))
      const isComment = path.endsWith('/comments/{comment_id}')
      return [
        ...(takesIfMatch(route) ? [] : [`${key}: add takesIfMatch and hand \`ifMatch\` to requireCurrentVersion.`]),
        ...(!remove || takesIfMatch(remove) ? [] : [`${remove.key}: add takesIfMatch and hand \`ifMatch\` on.`]),
        ...(isRecord || isComment || lacking.length === 0
          ? []
          : [`${key} refuses ${lacking.join(', ')}: add ...readOnly to its body.`]),
        ...(body.safeParse({}).success
          ? []
          : [`${key} refuses an empty change: make every member of its body optional.`]),
      ]
    }),
  )
})

it('a member of an answer may be absent or may be null, not both', () => {
  told(
    allRoutes.flatMap((route) =>
      route.key in absentOrNull
        ? []
        : [...deepMembers(route.answer)].flatMap(([path, member]) => {
            const { isOptional, isNull } = opened(member)
            return isOptional && isNull
              ? [
                  `${route.key}: ${path} may be absent and null. Make it .nullable() and always answer it, or .optional().`,
                ]
              : []
          }),
    ),
  )
})

it('attachments are objects in every answer', () => {
  told(
    allRoutes.flatMap((route) =>
      [...deepMembers(route.answer)].flatMap(([path, member]) => {
        if (!/(^|\.)attachments$/.test(path)) return []
        const { inner } = opened(member)
        const isObjects = inner instanceof z.ZodArray && opened(inner.element as z.ZodType).inner instanceof z.ZodObject
        return isObjects
          ? []
          : [`${route.key}: ${path} is no list of objects. Answer AttachedFile (shared/tables/files).`]
      }),
    ),
  )
})

/** Booleans whose names the specification or the contract gives, and that of the feed of changes; every other one asks. */
const givenBooleans = new Set(
  'mfa_required mfa_enabled mfa_setup_required messenger_linked required unique case_insensitive indexed searchable multiple readonly visible ok success returned bell email messenger deleted send next kept'.split(
    ' ',
  ),
)
/** Switches of an object: contract 6 and 20 call that of a channel and a mailbox `is_enabled`, everything else is `is_active`. */
const switches: Readonly<Record<string, readonly string[]>> = {
  is_enabled: ['/api/sys/channels', '/api/sys/mailboxes'],
}

it('a boolean begins with is_ or has_, and what is switched off is called is_active', () => {
  told(
    allRoutes.flatMap((route) =>
      [...deepMembers(route.answer)].flatMap(([path, member]) => {
        const name = path.split('.').at(-1) as string
        if (!(opened(member).inner instanceof z.ZodBoolean) || givenBooleans.has(name)) return []
        if (
          name in switches &&
          !switches[name]?.some((start) => route.path.startsWith(start)) &&
          !route.path.startsWith('/api/sys/config')
        )
          return [`${route.key}: ${path} is called is_active everywhere but on channels and mailboxes.`]
        return /^(is|has|may|can|verification|send)_/.test(name) ? [] : [`${route.key}: call ${path} is_${name}.`]
      }),
    ),
  )
})

it('an operation id says what the operation does, verb first, and is the id of no other', () => {
  const ids = allRoutes.map(operationIdOf)
  told([
    ...allRoutes.flatMap((route) =>
      verbs.test(operationIdOf(route))
        ? []
        : [
            `${route.key}: ${operationIdOf(route)} does not begin with a verb. Give the route an \`operationId\`, or add its verb here.`,
          ],
    ),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is the id of two routes.`),
  ])
})

it('what is in use is 422, and what is stale is 412', () => {
  expect([kindOfCode.in_use, kindOfCode.version_mismatch]).toEqual(['invalid', 'precondition_failed'])
})

it('every exception is still needed', () => {
  const keys = new Set(allRoutes.map(({ key }) => key))
  const named = [otherPages, withoutOrder, noPages, withoutStamps, absentOrNull].flatMap((list) => Object.keys(list))
  expect(named.filter((key) => !keys.has(key as Route['key']))).toEqual([])
})

import * as z from 'zod'
import { maxFieldNameCharacters, maxViewNameCharacters, maxViewRoles } from '../../kernel/limits/lists.ts'
import { names } from '../../lists/query/schema.ts'
import { exampleTimes, readOnly, stamps } from '../../platform/configured-objects/schema.ts'
import { listQuery } from '../../platform/http/paging/page-query.ts'
import { defineRoute, type Route, signedIn } from '../../platform/http/routing/define-route.ts'
import { objectRoutes } from '../../platform/http/routing/object-routes.ts'

const scopes = ['private', 'shared'] as const
const Filter = z.record(z.string(), z.unknown())

const Name = z
  .string()
  .trim()
  .min(1)
  .max(maxViewNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })

/** What a view shows: the same in requests and in the configuration document. */
const members = {
  roles: z
    .array(z.string())
    .max(maxViewRoles)
    .nullish()
    .meta({ description: 'Of a shared view: who sees it. Left out, everybody who may read the table.' }),
  columns: names('What is shown, in this order: fields, standard members, `client_id.name`. Left out or empty, all.'),
  filter: Filter.nullish().meta({
    description: 'In the grammar of lists. `$CURRENT_USER` is who looks, `$NOW` when they look.',
  }),
  search: z.string().nullish(),
  sort: names('`-` for descending, as in lists.'),
  group_by: names('As in `list-server`, which answers the groups. Lists and exports answer the records.'),
  is_default: z.boolean().optional().meta({
    description: 'What clients open first; of the private views of a person and a table, one.',
  }),
}

const ViewAnswer = z.object({
  id: z.int(),
  model: z.string(),
  name: z.string(),
  scope: z.enum(scopes),
  roles: z.array(z.string()).nullable(),
  columns: z.array(z.string()).meta({ description: 'Without those that you may not read.' }),
  filter: Filter.nullable(),
  search: z.string().nullable(),
  sort: z.array(z.string()).nullable(),
  group_by: z.array(z.string()).nullable(),
  is_default: z.boolean(),
  owner: z.int().meta({ description: 'The id of the user who made it.' }),
  problem: z.string().nullable().meta({
    description: 'What the view names and the table no longer has. Columns and sorts that are gone are left out.',
  }),
  ...stamps,
})
export type ViewAnswer = z.output<typeof ViewAnswer>

const ViewInput = z.strictObject({
  ...readOnly,
  owner: z.int().optional().meta({ description: 'Read only: who makes it.' }),
  problem: z.string().nullish(),
  model: z.string().max(maxFieldNameCharacters).meta({ description: 'Name of the table.' }),
  name: Name,
  scope: z.enum(scopes).optional().meta({ description: 'Private when left out. Sharing needs `views.share`.' }),
  ...members,
})
export type ViewInput = z.output<typeof ViewInput>

const ViewChange = ViewInput.partial()
export type ViewChange = z.output<typeof ViewChange>

/** A shared view in the configuration document. */
export const ViewDocument = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,62}\../, { error: 'Write table and name of the view: requests.Urgent.' })
    .max(maxFieldNameCharacters + maxViewNameCharacters)
    .meta({ description: 'The table and the name: `requests.Urgent`.' }),
  ...members,
})
export type ViewDocument = z.output<typeof ViewDocument>

const ViewCount = z.object({
  id: z.int(),
  name: z.string(),
  count: z.int().nullable().meta({ description: 'Null when the view has a problem.' }),
  problem: z.string().nullable(),
})
export type ViewCount = z.output<typeof ViewCount>

const mine = {
  model: 'requests',
  name: 'Mine, urgent first',
  columns: ['title', 'priority', 'status', 'client_id.name'],
  filter: { created_by: '$CURRENT_USER', status: { _neq: 'closed' } },
  sort: ['-priority'],
}
const answer = {
  ...mine,
  id: 2,
  scope: 'private' as const,
  roles: null,
  search: null,
  group_by: null,
  is_default: false,
  owner: 1,
  problem: null,
  ...exampleTimes,
  version: 1,
}
const stored = {
  ...answer,
  id: 1,
  name: 'New requests',
  scope: 'shared' as const,
  columns: ['title', 'priority', 'client_id.name'],
  filter: { status: 'new' },
  sort: null,
}

const tag = 'Views'
/** The table of which views are asked for. */
const ofTable = z.string().max(maxFieldNameCharacters)

const ViewsQuery = listQuery(ViewAnswer).extend({
  model: ofTable.optional().meta({ description: 'Only views of this table.' }),
  scope: z.enum(scopes).optional(),
})

/** The routes of views as objects. */
export const viewRoutes = objectRoutes({
  path: '/api/sys/views',
  tag,
  called: { one: 'view', many: 'views' },
  permission: signedIn,
  alsoFails: [403, 404],
  answer: ViewAnswer,
  input: ViewInput,
  change: ViewChange,
  says: {
    list: {
      description: 'Your own and those shared with you, of tables that you may read. Newest first.',
      alsoFails: [403],
      query: ViewsQuery,
      example: { query: { model: 'requests' }, answer: [stored] },
    },
    create: {
      summary: 'Save a view of a table',
      description:
        'Everybody who may read a table may have views of it: a private one is seen by its owner alone, a shared one by everybody who may read the table, or by the `roles` it names. Columns, filter, sort and groups are checked against the table, as far as the caller may read it. The same name again is 409.',
    },
    change: {
      description:
        'Members that are left out stay; null clears. A shared view is changed by its owner and by administrators; only holders of `views.share` share one. Set back to `private`, it is its owner’s. `version`, when given, must be the current one (412).',
    },
    remove: { description: 'As a change: by the owner, or an administrator.' },
  },
  examples: { create: { body: mine, answer }, stored, change: { sort: ['-priority'] } },
})

export type ViewsQuery = z.output<typeof ViewsQuery>

export const countViews = defineRoute({
  method: 'GET',
  path: '/api/sys/views/counts',
  operationId: 'countViews',
  tag,
  summary: 'Count the records of all views of a table',
  description:
    'The exact number of records in each view of the caller, as `meta.total` of its list says, all of one moment. It costs about as much as one list.',
  permission: signedIn,
  alsoFails: [403, 404],
  query: z.object({ model: ofTable }),
  answer: z.array(ViewCount),
  example: {
    query: { model: 'requests' },
    answer: [{ id: 1, name: 'New requests', count: 1, problem: null }],
  },
})

export const allViewRoutes: readonly Route[] = Object.values(viewRoutes)

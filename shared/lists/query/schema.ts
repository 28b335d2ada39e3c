import * as z from 'zod'
import {
  maxCursorCharacters,
  maxFieldNameCharacters,
  maxNamesPerList,
  maxSearchCharacters,
  maxTopGroups,
} from '../../kernel/limits/lists.ts'
import { PageQuery, queryId } from '../../platform/http/paging/page-query.ts'

/** A list of names, of a body or with commas in a query string. */
export const names = (description: string) =>
  z
    // An empty parameter, as in `?fields=`, counts as left out.
    .preprocess(
      (given) => (given === '' ? undefined : typeof given === 'string' ? given.split(',') : given),
      z.array(z.string().max(maxFieldNameCharacters)).max(maxNamesPerList).nullish(),
    )
    .meta({ description, type: 'array', items: { type: 'string' } })

const Filter = z.record(z.string(), z.unknown()).nullish()
const search = z.string().max(maxSearchCharacters).nullish().meta({
  description: 'Words that must all occur, the last one as a beginning; best match first unless `sort` is given.',
})
const sort = names('`-` for descending. `id` is always the last key. Records without a value come last. Default `-id`.')
const fields = names(
  'What `data` and the standard members are reduced to; `client_id.name` puts that field of the referenced record under `expanded`.',
)
const expand = names('References whose record is put under `expanded`.')
const explain = z
  .boolean()
  .nullish()
  .meta({ description: 'Administrators: `meta.explain` says what was read, and how.' })

/** A boolean in a query string; `?explain` alone is true. */
export const isTrue = z.preprocess(
  (given) =>
    given === 'true' || given === '1' || given === '' ? true : given === 'false' || given === '0' ? false : given,
  z.boolean().optional(),
)

const fillsIn = 'The id of a view, which fills in what the request leaves out.'
/** A view in a query string. */
const viewParameter = queryId('view', fillsIn)

/** The query language as GET parameters. */
export const ListParameters = PageQuery.extend({
  sort: sort.meta({
    description: 'Names with commas between them, `-` for descending. Default `-id`.',
    type: 'string',
  }),
  search,
  filter: z.string().optional().meta({ description: 'The filter of `list-server` as JSON.' }),
  fields: fields.meta({ description: 'What the records are reduced to, with commas.', type: 'string' }),
  expand: expand.meta({ description: 'References whose record is put under `expanded`, with commas.', type: 'string' }),
  view: viewParameter,
  explain: isTrue.meta({ description: 'Administrators: `meta.explain` says what was read, and how.', type: 'boolean' }),
})
export type ListParameters = z.output<typeof ListParameters>

/** What the answer of one record is reduced to, as in lists. */
export const SelectionParameters = ListParameters.pick({ fields: true, expand: true })

/** The query string of the links in a `list-server` answer: send the same body there for another page. */
export const LinkParameters = z.object({
  page: z
    .string()
    .regex(/^-?\d{1,9}$/, { error: 'The page must be an integer.' })
    .optional()
    .meta({ description: 'Page number; wins over the body.' }),
  per_page: z
    .string()
    .regex(/^-?\d{1,9}$/, { error: 'The per_page must be an integer.' })
    .optional()
    .meta({ description: 'Rows per page; wins over the body.' }),
  cursor: z.string().max(maxCursorCharacters).optional().meta({ description: 'Wins over the body.' }),
  view: viewParameter,
})

const Aggregate = z.strictObject({
  count: z
    .union([z.literal('*'), z.boolean()], { error: 'The aggregate.count must be "*": it counts records, not values.' })
    .optional(),
  sum: names('Numeric fields.'),
  avg: names('Numeric fields.'),
  min: names('Fields that can be ordered.'),
  max: names('Fields that can be ordered.'),
  first: names('The value of the oldest record; null when it has none.'),
  last: names('The value of the newest record; null when it has none.'),
})
export type Aggregate = z.output<typeof Aggregate>

const Column = z.strictObject({
  id: z.string().optional(),
  displayName: z.string().optional(),
  field: z.string().optional(),
  aggFunc: z.string().nullish(),
})
const noPivot =
  'Pivoting is not supported. Switch pivot mode off and take all columns out of pivotCols; rowGroupCols and valueCols group and aggregate.'
const whole = z.int().min(0)

/** Members of a request of AG Grid's server-side row model. */
const GridMembers = {
  startRow: whole.optional(),
  endRow: whole.optional(),
  filterModel: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({ description: 'AG Grid: the model of its column filters, or of its advanced filter.' }),
  sortModel: z
    .array(
      z.strictObject({
        colId: z.string(),
        sort: z.enum(['asc', 'desc']),
        type: z
          .literal('default', {
            error: 'Only the sort type default is supported: values are not sorted by their size without sign.',
          })
          .nullish(),
      }),
    )
    .nullish(),
  inRangeInclusive: z.boolean().nullish().meta({
    description:
      'AG Grid: whether `inRange` holds its two ends, as `filterParams.inRangeInclusive` of the columns says; default false, as in the grid.',
  }),
  rowGroupCols: z.array(Column).nullish(),
  valueCols: z.array(Column).nullish(),
  groupKeys: z.array(z.unknown()).nullish(),
  pivotCols: z.array(Column).max(0, { error: noPivot }).nullish(),
  pivotMode: z.literal(false, { error: noPivot }).nullish(),
}

/** The body of `list-server`. */
export const ListBody = z.strictObject({
  filter: Filter.meta({
    description:
      'Operators `_eq _neq _ieq _lt _lte _gt _gte _in _nin _between _null _nnull _contains _icontains _starts_with _istarts_with _ends_with _iends_with _empty _nempty`, `_and _or _not`. `$CURRENT_USER`, `$CURRENT_ORG_UNITS`, `$NOW(-7 days)`, `$TODAY` stand for values.',
  }),
  search,
  sort,
  fields,
  expand,
  ...PageQuery.shape,
  aggregate: Aggregate.nullish(),
  group_by: names(
    'Fields whose values make the groups of `aggregate`. Moments and dates by `hour`, `day`, `week`, `month`, `quarter` or `year` of the tenant’s time zone: `created_at:week`, whose value is its first day.',
  ),
  having: Filter.meta({
    description:
      'Which groups are answered, by `count` and measures: `{"count": {"_gte": 5}, "avg.priority": {"_lt": 3}}`.',
  }),
  top: z.int().min(1).max(maxTopGroups).nullish().meta({
    description: 'So many groups in the order of `sort`; what is in all others follows as one row with `others`.',
  }),
  view: z.int().min(1).nullish().meta({ description: fillsIn }),
  explain,
  ...GridMembers,
})
export type ListBody = z.output<typeof ListBody>
/** A query in a body, in our grammar or AG Grid's, without paging. */
export type QueryBody = Omit<ListBody, 'page' | 'per_page' | 'cursor' | 'explain'>

/** A query as sent, without its paging, from a query string, a body or a grid request. */
export interface RawQuery {
  readonly filter?: unknown
  readonly search?: string | null
  readonly sort?: readonly string[] | null
  readonly fields?: readonly string[] | null
  readonly expand?: readonly string[] | null
  readonly aggregate?: Aggregate | null
  readonly group_by?: readonly string[] | null
  readonly having?: unknown
  readonly top?: number | null
  /** Ids that are left out of the list; its cursors stay good when they change. */
  readonly without?: readonly number[] | null
}

/** The conversation with whoever a record is about. */
export const ConversationAnswer = z
  .object({
    last_at: z.string().meta({ format: 'date-time', description: 'When the latest message was written.' }),
    last_by: z.enum(['customer', 'team']),
    awaits: z.enum(['team', 'customer']).nullable().meta({
      description:
        'Whose turn it is; null: nobody’s, since the record reached a final state after the latest message of the customer.',
    }),
    messages: z.int().meta({ description: 'What the customer wrote, and what the team answered.' }),
  })
  .meta({ id: 'Conversation' })

/** A record of a list: all members, or `id` and those in `fields`. */
export const ListedRecord = z.object({
  id: z.int(),
  tenant_id: z.int().optional(),
  created_by: z.int().optional(),
  updated_by: z.int().optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  version: z.int().optional(),
  conversation: ConversationAnswer.optional().meta({
    description: 'Where there is one; lists filter and sort by `conversation.awaits` and `conversation.last_at`.',
  }),
  matched_in: z.array(z.string()).optional().meta({
    description: 'With `search`: which fields have one of the words, and `comments` or `messages` that have.',
  }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'The fields of the table.' }),
  expanded: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Referenced records by the name of the reference; null where there is none.' }),
})
export type ListedRecord = z.output<typeof ListedRecord>

const totals = z.record(z.string(), z.union([z.number(), z.string()]).nullable())
const plain = z.union([z.string(), z.number(), z.boolean()])
const values = z.record(z.string(), plain.nullable())
const groupValues = z.record(z.string(), z.union([plain, z.array(z.string())]).nullable())
export type GroupValue = z.output<typeof groupValues>[string]

/** One group of an aggregation. */
export const AggregateRow = z.object({
  group: groupValues.meta({
    description: 'The values that the records of the group have in common; null stands for none.',
  }),
  others: z
    .int()
    .optional()
    .meta({ description: 'With `top`: how many groups this row stands for; its `group` is empty.' }),
  count: z.int().optional(),
  sum: totals.optional().meta({ description: 'Of decimals: exact, as text.' }),
  avg: totals.optional().meta({ description: 'Of decimals: as text, rounded half to even.' }),
  min: values.optional(),
  max: values.optional(),
  first: values.optional(),
  last: values.optional(),
  data: z.record(z.string(), z.unknown()).optional().meta({
    description: 'AG Grid: the values of the group where a record has its own; an empty text stands for none.',
  }),
})
export type AggregateRow = z.output<typeof AggregateRow>

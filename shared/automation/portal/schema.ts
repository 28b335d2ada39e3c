import * as z from 'zod'
import { say, asIssue } from '../../kernel/failures/sentence.ts'
import { maxAddressCharacters } from '../../kernel/limits/accounts.ts'
import { maxCommentCharacters, maxCommentFiles } from '../../kernel/limits/comments.ts'
import { maxAddedWatchers, maxRequestFiles, maxStars } from '../../kernel/limits/portal.ts'
import { maxOutcomeCharacters } from '../../kernel/limits/processes.ts'
import { listQuery, rowListQuery } from '../../platform/http/paging/page-query.ts'
import { AttachedFile, FileToAttach } from '../../tables/files/schema.ts'
import { TaskAnswer } from '../processes/schema.ts'

const Moment = z.string().meta({ format: 'date-time' })
const Person = z.object({ id: z.int(), name: z.string() })
export type PortalPerson = z.output<typeof Person>

export const OfferedItem = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  category: z.string().nullable(),
  icon: z.string().nullable(),
  position: z.int(),
})
export type OfferedItem = z.output<typeof OfferedItem>

export const NewPortalRequest = z.strictObject({
  item_id: z.int().min(1),
  data: z.record(z.string(), z.unknown()).meta({ description: 'Values of the fields of the item, and of no others.' }),
  files: z
    .array(FileToAttach)
    .max(maxRequestFiles)
    .optional()
    .meta({ description: 'Paths of files that you uploaded. They begin the conversation.' }),
})
export type NewPortalRequest = z.output<typeof NewPortalRequest>

const ItemHead = OfferedItem.pick({ id: true, name: true, icon: true })

export const PortalRequestHead = z.object({
  id: z.int(),
  number: z
    .string()
    .nullable()
    .meta({ description: 'The number by which people know it, if its table gives numbers.' }),
  title: z.string(),
  item: ItemHead.nullable().meta({ description: 'Null once the item is deleted.' }),
  state: z.string().nullable().meta({ description: 'In the words of the item.' }),
  is_closed: z.boolean(),
  is_own: z.boolean().meta({ description: 'False: somebody added you to it.' }),
  created_at: Moment,
})
export type PortalRequestHead = z.output<typeof PortalRequestHead>

export const PortalRequestsQuery = listQuery(PortalRequestHead).extend({ state: z.enum(['open', 'closed']).optional() })
export type PortalRequestsQuery = z.output<typeof PortalRequestsQuery>

const ShownField = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  value: z.unknown(),
  text: z.string().nullable().meta({ description: 'What people read in place of a slug or an id.' }),
})
export type ShownField = z.output<typeof ShownField>

const ConversationEntry = z.object({
  id: z.int(),
  author: z.object({
    name: z
      .string()
      .nullable()
      .meta({ description: 'Null for the team when the company hides names (`PORTAL_AGENT_NAMES`).' }),
    is_you: z.boolean(),
    is_team: z.boolean().meta({ description: 'False for who sent the request, and for those who were added to it.' }),
  }),
  body: z.string(),
  attachments: z
    .array(AttachedFile)
    .meta({ description: '`GET /api/portal/requests/{id}/files?path=` answers where to download them.' }),
  is_edited: z.boolean(),
  created_at: Moment,
})
export type ConversationEntry = z.output<typeof ConversationEntry>

const Rating = z.object({ stars: z.int(), comment: z.string().nullable(), rated_at: Moment })
export type PortalRating = z.output<typeof Rating>

export const PortalRequestAnswer = PortalRequestHead.extend({
  promised_at: Moment.nullable().meta({
    description: 'When it is promised to be done; null when nothing is promised.',
  }),
  actions: z
    .array(z.enum(['comment', 'add_watchers', 'reopen', 'rate']))
    .meta({ description: 'What you may do with it now.' }),
  fields: z.array(ShownField),
  watchers: z.array(Person).meta({ description: 'Who was added to it.' }),
  rating: Rating.nullable().meta({ description: 'Since it was closed; null while it is open.' }),
  conversation: z.array(ConversationEntry).meta({ description: 'Oldest first. Internal comments are not in it.' }),
  has_more: z.boolean().meta({ description: 'There are earlier entries, which are not shown.' }),
})
export type PortalRequestAnswer = z.output<typeof PortalRequestAnswer>

export const PortalComment = z.strictObject({
  body: z
    .string()
    .max(maxCommentCharacters)
    .refine((text) => text.trim() !== '', asIssue(say('empty_body', {}))),
  attachments: z
    .array(FileToAttach)
    .max(maxCommentFiles)
    .optional()
    .meta({ description: 'Paths of files that you uploaded.' }),
})
export type PortalComment = z.output<typeof PortalComment>

export const RatingInput = z.strictObject({
  stars: z.int().min(1).max(maxStars),
  comment: z.string().max(maxCommentCharacters).nullish(),
})
export type RatingInput = z.output<typeof RatingInput>

export const AddWatchers = z
  .strictObject({
    user_ids: z.array(z.int().min(1)).max(maxAddedWatchers).optional(),
    emails: z
      .array(z.string().trim().max(maxAddressCharacters))
      .max(maxAddedWatchers)
      .optional()
      .meta({ description: 'Addresses of people in your company.' }),
  })
  .refine(({ user_ids, emails }) => (user_ids?.length ?? 0) + (emails?.length ?? 0) > 0, {
    error: 'Name somebody in user_ids or emails.',
  })
export type AddWatchers = z.output<typeof AddWatchers>

export const Approval = z.object({
  ...TaskAnswer.pick({ id: true, name: true, due_at: true, form: true, outcomes: true, created_at: true }).shape,
  is_claimed: z.boolean().meta({ description: 'False: it is offered to others, too.' }),
  request: z
    .object({
      item: ItemHead.nullable(),
      title: z.string(),
      state: z.string().nullable(),
      requester: Person,
      fields: z.array(ShownField),
      created_at: Moment,
    })
    .nullable()
    .meta({ description: 'What the item shows of the request. Null when the record was not made in the portal.' }),
})
export type Approval = z.output<typeof Approval>

export const LinkedDecision = Approval.extend({
  company: z.string(),
  accent_color: z.string().optional().meta({ description: 'The color of the company, when it has one.' }),
  person: z.string().meta({ description: 'The name of whoever decides: the person to whom the mail went.' }),
  record: z
    .object({ label: z.string(), number: z.int(), title: z.string().nullable() })
    .nullable()
    .meta({ description: 'A record that was not made in the portal, as far as the person may read it.' }),
  url: z.string().meta({ description: 'Where the person finds the task in the app.' }),
  may_comment: z.boolean(),
  is_sign_in_needed: z.boolean().meta({
    description: 'The account asks for a second factor, which a mail does not prove: the task is decided in the app.',
  }),
})
export type LinkedDecision = z.output<typeof LinkedDecision>

export const LinkedDecisionBody = z.strictObject({
  outcome: z.string().min(1).max(maxOutcomeCharacters),
  data: z.record(z.string(), z.unknown()).optional().meta({ description: 'Values of the form, by field name.' }),
  comment: z.string().max(maxCommentCharacters).optional().meta({ description: 'What is said with the decision.' }),
})
export type LinkedDecisionBody = z.output<typeof LinkedDecisionBody>

export const LinkedOutcome = z.object({ outcome: z.string().nullable() })

export const ApprovalsQuery = rowListQuery('name, element, priority and outcome')

export const ArticleHead = z.object({
  id: z.int(),
  title: z.string(),
  category: z.string().nullable(),
  excerpt: z.string().meta({ description: 'The beginning of its text.' }),
  updated_at: Moment,
})
export type ArticleHead = z.output<typeof ArticleHead>

export const ArticleAnswer = ArticleHead.omit({ excerpt: true }).extend({
  body: z.string(),
  votes: z.object({ helpful: z.int(), not_helpful: z.int() }),
  my_vote: z
    .enum(['helpful', 'not_helpful'])
    .nullable()
    .meta({ description: 'What you said; null when you said nothing.' }),
})
export type ArticleAnswer = z.output<typeof ArticleAnswer>

export const Vote = z.strictObject({ helpful: z.boolean() })

export const Suggestions = z.object({
  articles: z.array(ArticleHead).meta({ description: 'At most five, the best first.' }),
  items: z.array(OfferedItem).meta({ description: 'At most five, the best first.' }),
})
export type Suggestions = z.output<typeof Suggestions>

import * as z from 'zod'
import { say, asIssue } from '../../kernel/failures/sentence.ts'
import { maxAddressCharacters } from '../../kernel/limits/accounts.ts'
import {
  maxCommentCharacters,
  maxCommentFiles,
  maxForwardedMessages,
  maxMentionSearchCharacters,
  maxReplyCopies,
  maxReplySubjectCharacters,
  maxWatchers,
} from '../../kernel/limits/comments.ts'
import { AttachedFile, FileToAttach } from '../../tables/files/schema.ts'

const Person = z.object({ id: z.int(), name: z.string() })

export const CommentAnswer = z.object({
  id: z.int(),
  body: z.string(),
  is_internal: z.boolean(),
  attachments: z.array(AttachedFile),
  mentions: z.array(Person).meta({ description: 'The people whom `@[id]` in the body names.' }),
  user: Person.nullable().meta({ description: 'Who wrote it; null for somebody who is no user.' }),
  from: z
    .object({ name: z.string().nullable(), email: z.string().nullable() })
    .optional()
    .meta({ description: 'Who wrote it, when no user did: the sender of the message that became the comment.' }),
  message_id: z.int().optional().meta({ description: 'The incoming message that became the comment.' }),
  cc: z.array(z.string()).optional().meta({ description: 'Who got a copy of it as a mail.' }),
  conversation: z.int().optional().meta({
    description:
      'Where several customers have theirs about the record: the record whose customer it was sent to, and who alone reads it in the portal. Negative: that of a forward, which is the comment with this number.',
  }),
  to: z.string().optional().meta({ description: 'Of a mail in the conversation of a forward: whom it went to.' }),
  forwarded: z
    .object({ message_ids: z.array(z.int()), comment_ids: z.array(z.int()), subject: z.string() })
    .optional()
    .meta({ description: 'Of a forward: what it passed on, and what its mail was called.' }),
  impersonator: Person.optional().meta({ description: 'The administrator who wrote it as the user.' }),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time' }),
  is_edited: z.boolean(),
  version: z.int().meta({ description: 'Rises by one with every edit; the ETag of the comment.' }),
})
export type CommentAnswer = z.output<typeof CommentAnswer>

const Body = z
  .string()
  .max(maxCommentCharacters)
  .refine((text) => text.trim() !== '', asIssue(say('empty_body', {})))
  .meta({ description: '1 to 20,000 characters of text. `@[7]` mentions the user with the id 7.', minLength: 1 })
const Attachments = z
  .array(FileToAttach)
  .max(maxCommentFiles)
  .meta({ description: 'Paths of uploaded files; attachments as they were answered will do.' })

const Copies = z.array(z.string().trim().toLowerCase().max(maxAddressCharacters).pipe(z.email())).max(maxReplyCopies)

/** How a comment reaches whoever its record is about. */
export const sendWays = ['email', 'messenger', 'none'] as const
export type SendWay = (typeof sendWays)[number]

export const CommentInput = z.strictObject({
  body: Body,
  is_internal: z.boolean().optional().meta({
    description: 'Only for those with `<table>.comment_internal`; false when left out.',
  }),
  attachments: Attachments.optional(),
  send: z.enum(sendWays).optional().meta({
    description:
      'How it goes to whoever the record is about: as a mail, as a message in the chat, or not at all. Left out, it is a mail where the rule that made the record says `send_comments`. `email` and `messenger` need update on the record, and are 422 where they reach nobody.',
  }),
  cc: Copies.optional().meta({
    description: 'Of a comment with `send: "email"`: the addresses that get a copy, which everybody sees.',
  }),
  subject: z.string().trim().min(1).max(maxReplySubjectCharacters).optional().meta({
    description:
      'Of a comment with `send: "email"`: its subject. Left out, it is that of the mail that it answers, else the title of the record.',
  }),
  conversation: z.int().optional().meta({
    description:
      'Of a comment that is sent: the conversation that it answers, as `reply-options` lists them. After a merge each customer has one of their own. Left out, it is the default one. In that of a forward, whose id is negative, the comment goes to whoever it was forwarded to, and is internal whatever `is_internal` says.',
  }),
})
export type CommentInput = z.output<typeof CommentInput>

export const ForwardInput = z.strictObject({
  to: z.string().trim().toLowerCase().max(maxAddressCharacters).pipe(z.email()).meta({
    description: 'The address of somebody outside: no customer of the record, and no address of your own.',
  }),
  cc: Copies.optional().meta({ description: 'The addresses that get a copy, which everybody sees.' }),
  subject: z.string().trim().min(1).max(maxReplySubjectCharacters).optional().meta({
    description: 'Left out, it is `Fwd:` and that of the first message, else the title of the record.',
  }),
  body: Body,
  message_ids: z.array(z.int().min(1)).max(maxForwardedMessages).meta({
    description: 'The incoming messages of the record that are passed on, with their files. In this order.',
  }),
  comment_ids: z.array(z.int().min(1)).max(maxForwardedMessages).optional().meta({
    description: 'Comments that are passed on; internal ones only by those with `<table>.comment_internal`.',
  }),
  attachments: Attachments.optional(),
})
export type ForwardInput = z.output<typeof ForwardInput>

export const CommentChange = CommentInput.omit({ send: true, cc: true, subject: true, conversation: true })
  .partial()
  .extend({
    version: z.int().optional().meta({ description: 'The version that was read: the same as `If-Match`.' }),
  })
export type CommentChange = z.output<typeof CommentChange>

export const watchReasons = ['added', 'creator', 'assignee', 'commenter'] as const
export type WatchReason = (typeof watchReasons)[number]

export const WatcherAnswer = z.object({
  watchers: z.array(Person.extend({ reasons: z.array(z.enum(watchReasons)) })),
  is_watching: z.boolean().meta({ description: 'Whether you are one of them.' }),
})
export type WatcherAnswer = z.output<typeof WatcherAnswer>

export const WatchersInput = z
  .strictObject({
    user_ids: z.array(z.int().min(1)).min(1).max(maxWatchers).optional().meta({
      description: 'Yourself when left out. Others need update on the record.',
    }),
  })
  .optional()
export type WatchersInput = z.output<typeof WatchersInput>

export const MentionableQuery = z.object({
  search: z.string().max(maxMentionSearchCharacters).optional().meta({ description: 'A part of the name.' }),
  is_internal: z.enum(['true', 'false']).optional().meta({
    description: '`true`: only those who may read internal comments.',
  }),
})
export type MentionableQuery = z.output<typeof MentionableQuery>

export const MentionablePeople = z.object({
  people: z.array(Person).meta({ description: 'The first ten, by name, without yourself.' }),
})
export type MentionablePeople = z.output<typeof MentionablePeople>

/** What the link in a mail ends. */
export const EndedNotices = z.object({
  company: z.string(),
  accent_color: z.string().optional().meta({ description: 'The color of the company, when it has one.' }),
  record: z
    .object({ label: z.string(), number: z.int(), title: z.string().nullable() })
    .nullable()
    .meta({ description: 'The record, as far as the person may read it.' }),
  is_of_record: z.boolean().meta({ description: 'False: the link ends the mails of all subscriptions.' }),
  is_ended: z.boolean(),
})
export type EndedNotices = z.output<typeof EndedNotices>

import * as z from 'zod'
import { LinkedDecision, LinkedDecisionBody, LinkedOutcome } from '../../../shared/automation/portal/schema.ts'
import { maxLinkTokenCharacters } from '../../../shared/kernel/limits/accounts.ts'
import { defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'

const tag = 'Processes'
const byLink = z.object({
  token: z.string().max(maxLinkTokenCharacters).meta({ description: 'The signed token of the link.' }),
})
const token = '1.2.17.1796256000000.abcdefghijklmnopqrstuvwxyz234567'

export const readMailedDecision = defineRoute({
  method: 'GET',
  path: '/api/decide/{token}',
  operationId: 'getMailedDecision',
  tag,
  summary: 'Read what a mail asked you to decide',
  description:
    'What the page at `/decide/{token}` shows before it asks once more. Mails about a task have a button for each outcome; they work for 14 days and once, for the person to whom the mail went, and end with the sessions of that account. Reading decides nothing, so programs that look at links do no harm. 403 and 409 say why the task cannot be decided (any more): by whom and when it was.',
  open: true,
  alsoFails: [403, 404, 409, 429],
  params: byLink,
  answer: LinkedDecision,
  example: {
    params: { token },
    answer: {
      id: 17,
      name: 'May it be bought?',
      is_claimed: true,
      due_at: null,
      form: [],
      outcomes: ['approved', 'rejected'],
      created_at: '2026-11-20T07:17:00.000Z',
      request: null,
      company: 'Demo',
      person: 'Ada Lovelace',
      record: { label: 'Requests', number: 1, title: 'A laptop for Grace' },
      url: 'https://desk.example.com/e/requests/1',
      may_comment: true,
      is_sign_in_needed: false,
    },
  },
})

export const decideByMail = defineRoute({
  method: 'POST',
  path: '/api/decide/{token}',
  operationId: 'decideByMail',
  tag,
  summary: 'Decide what a mail asked for',
  description:
    'Completes the task as the person to whom the mail went, exactly as `POST /api/sys/process-tasks/{id}/complete` does: the same checks, the same history. `comment` is written before, as with `POST /api/portal/approvals/{id}/comments`. A repeat is 409 and says what was decided. 403 for an account with a second factor, which decides in the app.',
  open: true,
  alsoFails: [403, 404, 409, 429],
  params: byLink,
  body: LinkedDecisionBody,
  answer: LinkedOutcome,
  example: {
    params: { token },
    body: { outcome: 'approved', comment: 'The smaller one is enough.' },
    answer: { outcome: 'approved' },
  },
})

export const mailedDecisionRoutes: readonly Route[] = [readMailedDecision, decideByMail]

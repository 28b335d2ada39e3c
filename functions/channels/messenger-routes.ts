import * as z from 'zod'
import { allButThePerson, defineRoute, type Route, signedIn } from '../../shared/http/routing/define-route.ts'
import { MessengerLink } from '../../shared/messenger/schema.ts'

const tag = 'Accounts'

export const linkMessenger = defineRoute({
  method: 'POST',
  path: '/api/user/messenger-link',
  tag,
  summary: 'Link your messenger',
  description:
    'Answers a code that links one chat with your account: open `url`, or send `/start <code>` to the bot of your company. It works once, for 15 minutes. Scripts then reach you with `sendMessenger`. A chat that is linked before is replaced; one that belongs to another user of the company is not taken. A bot that you block is unlinked.',
  permission: signedIn,
  refusedTo: allButThePerson,
  answer: MessengerLink,
  example: {
    answer: {
      code: 'q83vEjRWeJCrze8SNFZ4kA',
      url: 'https://t.me/acme_desk_bot?start=q83vEjRWeJCrze8SNFZ4kA',
      expires_at: '2026-11-20T08:15:00.000Z',
    },
  },
})

export const unlinkMessenger = defineRoute({
  method: 'DELETE',
  path: '/api/user/messenger-link',
  tag,
  summary: 'Unlink your messenger',
  description: 'Messages of scripts do not reach your chat any more. Without a linked chat nothing happens.',
  permission: signedIn,
  refusedTo: allButThePerson,
  answer: z.undefined(),
  status: 204,
})

export const messengerRoutes: readonly Route[] = [linkMessenger, unlinkMessenger]

import { MessengerLink, WebhookAnswer, WebhookInput } from '../../../shared/messages/messenger/schema.ts'
import {
  administrator,
  delegatedTokens,
  defineRoute,
  type Route,
  signedIn,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'

const tag = 'Accounts'

export const linkMessenger = defineRoute({
  method: 'POST',
  path: '/api/user/messenger-link',
  operationId: 'linkMessenger',
  tag,
  summary: 'Link your messenger',
  description:
    'Answers a code that links one chat with your account: open `url`, or send `/start <code>` to the bot of your company. It works once, for 15 minutes. Scripts then reach you with `sendMessenger`. A chat that is linked before is replaced; one that belongs to another user of the company is not taken. A bot that you block is unlinked.',
  permission: signedIn,
  refusedTo: delegatedTokens,
  answer: MessengerLink,
  example: {
    answer: {
      code: 'q83vEjRWeJCrze8SNFZ4kA',
      url: null,
      expires_at: '2026-11-20T08:15:00.000Z',
    },
  },
})

export const unlinkMessenger = defineRoute({
  method: 'DELETE',
  path: '/api/user/messenger-link',
  operationId: 'unlinkMessenger',
  tag,
  summary: 'Unlink your messenger',
  description: 'Messages of scripts do not reach your chat any more. Without a linked chat nothing happens.',
  permission: signedIn,
  refusedTo: delegatedTokens,
  ...noContent,
})

export const setWebhook = defineRoute({
  method: 'POST',
  path: '/api/settings/messenger/set-webhook',
  operationId: 'setMessengerWebhook',
  tag: 'Settings',
  summary: 'Register the webhook of a bot',
  description:
    'Has the Bot API send what is written to the bot to this service, with a secret of its own. From then on every message, edit, button and vote becomes an incoming message. Register again at any time: the former secret ends. With several incoming channels name one (422). 422 `bot_api_failed` says what the Bot API refused; it demands an https address. While somebody else registers the same bot: 409.',
  permission: administrator,
  body: WebhookInput.optional(),
  answer: WebhookAnswer,
  alsoFails: [409],
  example: {
    body: { channel_id: 5 },
    answer: { url: 'https://api.example.com/api/messenger/webhook', channel_id: 5 },
  },
})

export const messengerRoutes: readonly Route[] = [linkMessenger, unlinkMessenger, setWebhook]

import * as z from 'zod'
import { maxBodyBytes } from '../../../shared/kernel/limits/requests.ts'
import { defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'

export const receiveUpdate = defineRoute({
  method: 'POST',
  path: '/api/messenger/webhook',
  operationId: 'receiveMessengerUpdate',
  tag: 'Incoming messages',
  summary: 'Take an update of the messenger',
  description:
    'Called by the Bot API, with the secret that `POST /api/settings/messenger/set-webhook` gave it in `x-telegram-bot-api-secret-token`; anything else is 401. Every kind of update is stored, once, as a message with the channel `messenger`; an update of a disabled channel is not. The answer is empty.',
  open: true,
  anyBody: true,
  maxBytes: maxBodyBytes,
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/plain; charset=utf-8',
  alsoFails: [401],
  example: { answer: '' },
})

export const routes: readonly Route[] = [receiveUpdate]

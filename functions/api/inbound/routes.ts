import * as z from 'zod'
import { maxInboundTokenCharacters } from '../../../shared/kernel/limits/incoming.ts'
import { maxBodyBytes } from '../../../shared/kernel/limits/requests.ts'
import { defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'

export const receiveRequest = defineRoute({
  method: 'POST',
  path: '/api/in/{token}',
  operationId: 'receiveInbound',
  tag: 'Inbound sources',
  summary: 'Send a message in from another system',
  description:
    'For webhooks of other systems: the token in the address says which source sends (`POST /api/sys/inbound-sources`). Takes any body up to 4 MB: the object of a JSON body, or the fields of a form, become the `payload` of a message with the channel `api`; other JSON stands under `value`, other text under `text`. Where the source has an `hmac`, a request must be signed. A repeated `webhook-id` is stored once. JSON that is none (400), and JSON or a form beyond the limits of every body (422), are refused, and nothing is stored.',
  open: true,
  anyBody: true,
  maxBytes: maxBodyBytes,
  params: z.object({
    token: z.string().max(maxInboundTokenCharacters).meta({ description: 'The token of the source.' }),
  }),
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/plain; charset=utf-8',
  alsoFails: [400, 401, 404, 422],
  example: { params: { token: 'mJ0cVxE2yqS1wA8tQ4rN7uB3kH6gD9fL5zX0pY2oI1s' }, answer: '' },
})

export const routes: readonly Route[] = [receiveRequest]

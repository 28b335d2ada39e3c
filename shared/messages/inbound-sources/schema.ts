import * as z from 'zod'
import {
  maxPrefixCharacters,
  maxSourceNameCharacters,
  maxSourceSecretCharacters,
} from '../../kernel/limits/incoming.ts'
import { readOnly, stamps } from '../../platform/configured-objects/schema.ts'
import { signingSecret } from '../../platform/secrets/signing-secret.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(maxSourceNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })

const secretText = z.string().min(8).max(maxSourceSecretCharacters)
/** How requests of a source are signed. */
const Hmac = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('standard-webhooks'), secret: signingSecret }),
  z.strictObject({
    scheme: z.literal('header'),
    secret: secretText,
    header: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,100}$/, { error: 'The name of a header has letters, digits and dashes.' })
      .transform((name) => name.toLowerCase()),
    algorithm: z.enum(['sha256', 'sha1', 'sha512']).default('sha256'),
    encoding: z.enum(['hex', 'base64']).default('hex'),
    prefix: z
      .string()
      .max(maxPrefixCharacters)
      .default('')
      .meta({ description: 'What stands before the signature: `sha256=`.' }),
  }),
])
export type Hmac = z.output<typeof Hmac>

const hmacOf =
  'How requests are signed; unsigned ones are taken when it is null. `standard-webhooks`: `webhook-id`, `webhook-timestamp` and `webhook-signature` with a secret `whsec_...`; an id is taken once. `header`: an HMAC of the body in a header of your choice, as GitHub (`x-hub-signature-256`, prefix `sha256=`), GitLab and Shopify send it. The secret is answered as `********`, which on write means unchanged.'

const head = { id: z.int(), name: z.string(), is_active: z.boolean() }
export const SourceAnswer = z.object({
  ...head,
  hmac: z.record(z.string(), z.unknown()).nullable().meta({ description: hmacOf }),
  ...stamps,
})
export type SourceAnswer = z.output<typeof SourceAnswer>

/** A source with its token, which is answered once. */
export const SourceWithToken = SourceAnswer.extend({
  token: z.string(),
  url: z.string().meta({ description: 'Where the other system sends to. Whoever knows it can send.' }),
})
export type SourceWithToken = z.output<typeof SourceWithToken>

export const SourceInput = z.strictObject({
  ...readOnly,
  name: Name,
  is_active: z.boolean().optional().meta({ description: 'True when left out.' }),
  hmac: Hmac.nullish().meta({ description: hmacOf }),
})
export type SourceInput = z.output<typeof SourceInput>

export const SourceChange = SourceInput.partial().extend({
  new_token: z.boolean().optional().meta({ description: 'True makes a new token; the one before ends at once.' }),
})
export type SourceChange = z.output<typeof SourceChange>

import * as z from 'zod'

export const SsoBody = z.strictObject({
  token: z.string().meta({ description: 'A JWT of the identity provider, in compact form.' }),
})

import * as z from 'zod'
import { mask } from './mask.ts'

/** A secret by which Standard Webhooks are signed: 24 to 64 bytes. */
export const signingSecret = z.string().refine(
  (value) => {
    if (value === mask) return true
    const bytes = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1]
    const length = bytes === undefined ? 0 : Buffer.from(bytes, 'base64').length
    return length >= 24 && length <= 64
  },
  { error: 'A secret is whsec_ followed by 24 to 64 bytes in base64, as `openssl rand -base64 32` makes them.' },
)

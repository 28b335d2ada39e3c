import * as z from 'zod'
import {
  maxChannelTextCharacters,
  maxHeaderCharacters,
  maxRetries,
  maxRetryDelaySeconds,
  maxUrlCharacters,
} from '../../../kernel/limits/messages.ts'
import { authHeader, headerValue, userName } from './channel-headers.ts'

/* Members that the configurations of several types of channels have. */

export const text = z.string().trim().min(1).max(maxChannelTextCharacters)
/** KMS seals 4,096 bytes; a character has at most three. */
export const secret = z.string().min(1).max(maxHeaderCharacters)

const isHttpUrl = (value: string): boolean => {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}
export const httpUrl = z.string().trim().max(maxUrlCharacters).refine(isHttpUrl, {
  error: 'An http or https address is needed, without user and password: those belong into auth.',
})

/** How the service says to a receiver over HTTP who it is. */
export const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('basic'), username: userName, password: secret }),
  z.strictObject({ type: z.literal('bearer'), token: headerValue.min(1) }),
  authHeader,
])
export const authSecrets = ['auth.password', 'auth.token', 'auth.value'] as const

/** Seconds before each attempt. */
export const retrySchedule = z.array(z.int().min(0).max(maxRetryDelaySeconds)).min(1).max(maxRetries).optional()

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** The member at a path such as `auth.token`; undefined when there is none. */
export const memberAt = (config: Members, path: string): unknown =>
  path.split('.').reduce<unknown>((inside, name) => (isMembers(inside) ? inside[name] : undefined), config)

/** A copy with the member at a path set, or removed when the value is undefined. */
export function withMember(config: Members, path: string, value: unknown): Members {
  const [name = '', ...rest] = path.split('.')
  const inside = config[name]
  if (rest.length > 0)
    return isMembers(inside) ? { ...config, [name]: withMember(inside, rest.join('.'), value) } : config
  const { [name]: _, ...others } = config
  return value === undefined ? others : { ...others, [name]: value }
}

import * as z from 'zod'
import { keyHash } from '../store/keys/key.ts'

/** The request that caused a message, for the log lines of its consumer; nothing when the body names none. */
export function messageCause(body: string): { readonly request_id?: string } {
  try {
    const { request_id: id } = JSON.parse(body) as { readonly request_id?: unknown }
    return typeof id === 'string' ? { request_id: id } : {}
  } catch {
    // The schema of the message refuses it.
    return {}
  }
}

/**
 * The version of a message's format: during a deployment, functions of the version before and after meet in
 * a queue. A reader takes its own version and the next one, and ignores keys that it does not know. So version n + 1 only
 * adds keys that a reader of n may ignore; what does not fit that takes two deployments: first the readers, then the
 * senders (docs/decisions/0066).
 */
export const MessageVersion = z.literal([1, 2])

/** Fewer than the consumers of any queue: work of a tenant that is slow or fails leaves the others to everybody else. */
const lanes = 4

/**
 * The group of work in a FIFO queue that all tenants share: what is about the same thing has the same group, and a
 * tenant has four groups in all.
 */
export const tenantLane = (tenantId: number, about: string): string =>
  `${tenantId}.${(Buffer.from(keyHash(about), 'base64url')[0] as number) % lanes}`

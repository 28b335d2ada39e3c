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

/** Fewer than the consumers of any queue: work of a tenant that is slow or fails leaves the others to everybody else. */
const lanes = 4

/**
 * The group of work in a FIFO queue that all tenants share: what is about the same thing has the same group, and a
 * tenant has four groups in all.
 */
export const tenantLane = (tenantId: number, about: string): string =>
  `${tenantId}.${(Buffer.from(keyHash(about), 'base64url')[0] as number) % lanes}`

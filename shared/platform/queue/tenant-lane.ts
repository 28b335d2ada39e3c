import { keyHash } from '../store/keys/key.ts'

/** Fewer than the consumers of any queue: work of a tenant that is slow or fails leaves the others to everybody else. */
const lanes = 4

/**
 * The group of work in a FIFO queue that all tenants share: what is about the same thing has the same group, and a
 * tenant has four groups in all.
 */
export const tenantLane = (tenantId: number, about: string): string =>
  `${tenantId}.${(Buffer.from(keyHash(about), 'base64url')[0] as number) % lanes}`

import { isDeepStrictEqual } from 'node:util'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Actor } from '../actor.ts'
import type { RecordData } from '../record-item.ts'

/** What field rules leave to the sender of a request. A set that is missing limits nothing. */
export interface FieldAccess {
  readonly readable?: ReadonlySet<string>
  readonly writable?: ReadonlySet<string>
}

export const fieldAccess = (actor: Actor, table: string, action: 'create' | 'update'): FieldAccess => ({
  readable: permittedFields(actor, table, 'read'),
  writable: permittedFields(actor, table, action),
})

export const mayRead = ({ readable }: FieldAccess, field: string): boolean => readable?.has(field) ?? true
export const mayWrite = ({ writable }: FieldAccess, field: string): boolean => writable?.has(field) ?? true

/**
 * Whether the sender may send this value. A record may be sent back as it was read, so the value that a readable field
 * already has is no change; of a hidden field that would confirm a guess.
 */
export const maySend = (access: FieldAccess, field: string, value: unknown, before: RecordData | undefined): boolean =>
  mayWrite(access, field) ||
  (before !== undefined && mayRead(access, field) && isDeepStrictEqual(before[field] ?? null, value))

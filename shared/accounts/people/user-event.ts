import { isDeepStrictEqual } from 'node:util'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Write } from '../../platform/store/store.ts'
import { type FieldChange, trailEvent } from '../../platform/trail/trail-event.ts'
import { describeUser, type User } from './user.ts'

/**
 * The trail says that these changed, but not their values. So personal data is in the user's row only, where it can be
 * erased.
 */
const masked: ReadonlySet<string> = new Set(['name', 'email'])
const mask = '********'
const omitted: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at', 'version'])

/**
 * The trail event of a change of a user, to be written in the same transaction. `before` is undefined for a new user;
 * `passwordSet` says that the person got a new password.
 */
export function userEvent(
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  by: PrincipalRef,
  before: User | undefined,
  after: User,
  { passwordSet = false }: { readonly passwordSet?: boolean } = {},
): Write {
  const is: Record<string, unknown> = describeUser(after)
  const was: Record<string, unknown> | undefined = before && describeUser(before)
  const changes = Object.keys(is)
    .filter((name) => !omitted.has(name) && !isDeepStrictEqual(was?.[name] ?? null, is[name] ?? null))
    .map((name): [string, FieldChange] => [name, { old: shown(name, was?.[name]), new: shown(name, is[name]) }])
  const action = before ? 'update' : 'create'
  return trailEvent(clock, tenant, by, {
    action,
    model: 'sys_users',
    id: after.id,
    version: after.version,
    changes: {
      ...Object.fromEntries(changes),
      ...(passwordSet && { password: { old: was ? mask : null, new: mask } }),
    },
  })
}

const shown = (name: string, value: unknown): unknown =>
  value === undefined || value === null ? null : masked.has(name) ? mask : value

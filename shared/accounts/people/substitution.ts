import type { TenantRef } from '../../kernel/tenancy.ts'
import { substituteKey } from '../../platform/store/keys/auth.ts'
import type { Step } from '../../platform/store/writes/commit.ts'

/** Who gets somebody's tasks meanwhile. Times are ISO 8601 in UTC. */
export interface Substitution {
  readonly substituteId: number
  readonly from: string
  /** When it is over; null: until it is ended. */
  readonly to: string | null
}

export const isInForce = ({ from, to }: Pick<Substitution, 'from' | 'to'>, nowMs: number): boolean =>
  Date.parse(from) <= nowMs && (to === null || nowMs < Date.parse(to))

/** Whether two substitutions are in force at the same time. */
export const doOverlap = (one: Pick<Substitution, 'from' | 'to'>, other: Pick<Substitution, 'from' | 'to'>): boolean =>
  (one.to === null || other.from < one.to) && (other.to === null || one.from < other.to)

interface Substituted {
  readonly id: number
  readonly substitution: Substitution | null
}

/** The steps of a user's transaction that keep the row under the substitute, by which a substitute finds whom they stand in for. */
export function moveSubstitution(tenant: TenantRef, before: Substituted, after: Substituted): Step[] {
  const [was, is] = [before.substitution, after.substitution]
  if (JSON.stringify(was) === JSON.stringify(is)) return []
  return [
    ...(was && was.substituteId !== is?.substituteId
      ? [{ write: { remove: substituteKey(tenant, was.substituteId, before.id) } }]
      : []),
    ...(is
      ? [
          {
            write: {
              put: {
                ...substituteKey(tenant, is.substituteId, after.id),
                kind: 'substitute',
                v: 1,
                from: is.from,
                to: is.to,
              },
            },
          },
        ]
      : []),
  ]
}

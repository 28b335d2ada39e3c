import type { CurrentUser } from '../api/session.ts'

/** Whose something is that is kept in this browser. A person has another id in each company. */
export interface Keeper {
  readonly tenant: string
  readonly userId: number
}

/** Who keeps something in the session that is open. */
export const keeperOf = ({ id, tenant }: Pick<CurrentUser, 'id' | 'tenant'>): Keeper => ({
  tenant: tenant.slug,
  userId: id,
})

const nameOf = ({ tenant, userId }: Keeper, what: string): string => `${what} ${tenant} ${userId}`

/** What somebody chose last, in this browser; null for nothing. */
export function lastChoice(keeper: Keeper, what: string): string | null {
  try {
    return localStorage.getItem(nameOf(keeper, what))
  } catch {
    return null
  }
}

export function rememberChoice(keeper: Keeper, what: string, choice: string): void {
  try {
    localStorage.setItem(nameOf(keeper, what), choice)
  } catch {
    // A browser that keeps nothing begins anew each time.
  }
}

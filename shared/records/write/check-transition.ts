import type { Field } from '../../tables/schema.ts'
import type { Actor } from '../actor.ts'

/** Why a state may not change from `before` to `after`, as a message; undefined when it may, or stays. */
export function checkTransition(
  field: Field,
  before: unknown,
  after: unknown,
  actor: Pick<Actor, 'roles' | 'isAdministrator'>,
): string | undefined {
  const from = before ?? null
  if (from === after) return undefined
  if (from === null) {
    const isInitial = field.states?.some(({ slug, is_initial }) => slug === after && is_initial)
    return isInitial ? undefined : `The ${field.name} may not move from no state to ${after}.`
  }
  if (after === null) return `The ${field.name} may not move from ${from} to no state.`
  const transition = field.transitions?.filter((one) => one.from === from && one.to === after) ?? []
  if (transition.length === 0) return `The ${field.name} may not move from ${from} to ${after}.`
  const allowed = transition.some(
    ({ roles }) => !roles?.length || actor.isAdministrator || roles.some((role) => actor.roles.includes(role)),
  )
  return allowed ? undefined : `Your roles may not move the ${field.name} from ${from} to ${after}.`
}

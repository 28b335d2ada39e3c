import { listed } from '../../../kernel/text/did-you-mean.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Actor } from '../actor.ts'

/**
 * Why a state may not change from `before` to `after`, as a message that names the moves that are allowed; undefined when
 * it may, or stays.
 */
export function checkTransition(
  field: Field,
  before: unknown,
  after: unknown,
  actor: Pick<Actor, 'roles' | 'isAdministrator'>,
): string | undefined {
  const from = before ?? null
  if (from === after) return undefined
  if (from === null) {
    const initial = field.states?.flatMap(({ slug, is_initial }) => (is_initial ? [slug] : [])) ?? []
    if (initial.includes(String(after))) return undefined
    return `The ${field.name} may not move from no state to ${after}. ${allowed(initial)}`
  }
  const mayMove = ({ roles }: { readonly roles?: readonly string[] }): boolean =>
    !roles?.length || actor.isAdministrator || roles.some((role) => actor.roles.includes(role))
  const moves = field.transitions?.filter((one) => one.from === from) ?? []
  const open = [...new Set(moves.filter(mayMove).map(({ to }) => to))]
  if (after === null) return `The ${field.name} may not move from ${from} to no state. ${allowed(open)}`
  if (open.includes(String(after))) return undefined
  return moves.some(({ to }) => to === after)
    ? `Your roles may not move the ${field.name} from ${from} to ${after}. ${allowed(open)}`
    : `The ${field.name} may not move from ${from} to ${after}. ${allowed(open)}`
}

const allowed = (states: readonly string[]): string =>
  states.length === 0 ? 'From here it may not move.' : `Allowed: ${listed(states)}.`

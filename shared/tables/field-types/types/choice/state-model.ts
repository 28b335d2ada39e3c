import * as z from 'zod'
import { say } from '../../../../kernel/failures/sentence.ts'
import { maxRequiredFields, maxStates, maxTransitions } from '../../../../kernel/limits/tables.ts'
import { didYouMean } from '../../../../kernel/text/did-you-mean.ts'
import { Condition, defineFieldType, type FieldWith, Label, type Mover, Name } from '../../declaration.ts'
import { choiceMembers, choiceType, offeredBy, repeated } from './choice-type.ts'

const State = z.strictObject({
  ...choiceMembers,
  is_initial: z.boolean().optional(),
  is_final: z.boolean().optional(),
})
const Transition = z.strictObject({
  from: z.string().meta({ description: 'The slug of a state, or `*` for any other than `to`.' }),
  to: z.string(),
  label: Label.optional(),
  roles: z.array(z.string()).optional(),
  required_fields: z.array(Name).max(maxRequiredFields).optional().meta({
    description: 'Fields that need a value in a record that makes this move.',
  }),
  condition: Condition.optional().meta({
    description: 'A filter of lists that a record must match, as it would be stored, to make this move.',
  }),
})
const properties = {
  states: z.array(State).max(maxStates).optional(),
  transitions: z.array(Transition).max(maxTransitions).optional(),
}

export const stateModel = defineFieldType({
  ...choiceType<FieldWith<typeof properties>>('state', ({ states = [] }) => states),
  description: 'One of the states of the field. A record begins in an initial one and moves by the transitions.',
  properties,
  mayBeUnique: false,
  isWatched: true,
  checkField({ states = [], transitions = [] }, at, list) {
    if (states.length === 0) list.add(`${at}.states`, 'A state_model needs at least one state.')
    else if (initialStates({ states }).length === 0)
      list.add(`${at}.states`, 'One active state must have is_initial: true.')
    for (const index of repeated(states))
      list.add(`${at}.states.${index}.slug`, `The slug ${states[index]?.slug} is used twice.`)
    const known = new Set(states.map(({ slug }) => slug))
    transitions.forEach((transition, index) => {
      for (const end of ['from', 'to'] as const) {
        const state = transition[end]
        if (!known.has(state) && !(end === 'from' && state === anyState))
          list.add(`${at}.transitions.${index}.${end}`, `There is no state ${state}.${didYouMean(state, known)}`)
      }
    })
  },
  lifecycle: {
    initial: initialStates,
    moves: ({ transitions = [] }) => transitions,
    movesFrom: (field, state, mover) => movesFrom(field, state).filter((one) => mayMove(one, mover)),
    checkMove(field, before, after, mover) {
      const { name, states } = field
      const from = before ?? null
      if (from === after) return undefined
      if (from === null) {
        const initial = initialStates({ states })
        if (initial.includes(String(after))) return undefined
        return say('no_such_first_state', { field: name, to: String(after), allowed: initial })
      }
      const moves = movesFrom(field, from)
      const open = [...new Set(moves.filter((one) => mayMove(one, mover)).map(({ to }) => to))]
      if (after === null) return say('state_not_cleared', { field: name, from: String(from), allowed: open })
      if (open.includes(String(after))) return undefined
      const code = moves.some(({ to }) => to === after) ? 'move_not_yours' : 'no_such_move'
      return say(code, { field: name, from: String(from), to: String(after), allowed: open })
    },
    roles: ({ transitions = [] }) =>
      transitions.flatMap(({ roles = [] }, transition) =>
        roles.map((role, position) => ({ role, at: `transitions.${transition}.roles.${position}` })),
      ),
  },
})

function initialStates({ states = [] }: { readonly states?: readonly z.output<typeof State>[] }): readonly string[] {
  return offeredBy(states.filter(({ is_initial }) => is_initial))
}

/** From any state but the one that the move leads to. */
const anyState = '*'

/** The moves from a state to others that are active. */
function movesFrom({ states = [], transitions = [] }: FieldWith<typeof properties>, state: unknown) {
  const offered = new Set(offeredBy(states))
  return transitions.filter(
    ({ from, to }) => (from === state || (from === anyState && to !== state)) && offered.has(to),
  )
}

const mayMove = ({ roles }: z.output<typeof Transition>, mover: Mover): boolean =>
  !roles?.length || mover.isAdministrator || roles.some((role) => mover.roles.includes(role))

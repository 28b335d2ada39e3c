import type { FieldChange } from '../../../platform/trail/trail-event.ts'
import type { Side } from './batch-chain.ts'

/** A version of a record, as an undo looks at it. */
export interface Version {
  /** What it means for the batch; undefined: somebody else made it. */
  readonly side: Side | undefined
  readonly userId: number
  readonly changes: Readonly<Record<string, FieldChange>>
}

/** What an undo may set, and what it has to leave alone: field to who changed it last. */
export interface Reversal {
  readonly values: Readonly<Record<string, unknown>>
  readonly kept: ReadonlyMap<string, number>
}

type State =
  /** The last write of the field is the batch's: its value before is the one to return to. */
  | { readonly is: 'open'; readonly value: unknown }
  | { readonly is: 'settled'; readonly value: unknown }
  /** It has been taken back already. */
  | { readonly is: 'taken back' }
  /** Somebody changed it since; `isOurs` once the batch turns out to have changed it before. */
  | { readonly is: 'foreign'; readonly userId: number; readonly isOurs: boolean }

/**
 * The former values of the fields whose last write is the batch's, from the versions of a record since the batch, newest
 * first. Fields that somebody changed since are kept, if the batch had changed them at all.
 */
export function revertFields(newestFirst: readonly Version[]): Reversal {
  const fields = new Map<string, State>()
  for (const { side, userId, changes } of newestFirst) {
    for (const [name, { old }] of Object.entries(changes)) {
      const state = fields.get(name)
      if (state === undefined) fields.set(name, stateAt(side, userId, old))
      else if (state.is === 'open')
        fields.set(name, side === 'made' ? { is: 'open', value: old } : { ...state, is: 'settled' })
      else if (state.is === 'foreign' && side === 'made') fields.set(name, { ...state, isOurs: true })
    }
  }
  const states = [...fields]
  return {
    values: Object.fromEntries(
      states.flatMap(([name, state]) => ('value' in state ? [[name, state.value ?? null]] : [])),
    ),
    kept: new Map(
      states.flatMap(([name, state]) => (state.is === 'foreign' && state.isOurs ? [[name, state.userId]] : [])),
    ),
  }
}

function stateAt(side: Side | undefined, userId: number, old: unknown): State {
  if (side === 'made') return { is: 'open', value: old }
  return side === 'taken back' ? { is: 'taken back' } : { is: 'foreign', userId, isOurs: false }
}

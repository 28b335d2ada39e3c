import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { changeRecord } from '../../../records/records/write/change-record.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import { actingFor, type PortalDependencies } from '../dependencies.ts'
import { type OpenedRequest, withRequest } from './open-request.ts'

const everybody = { isAdministrator: true, roles: [] }

/** Whether a request is closed, and a transition leads from there to the state that its item names. */
export function mayReopen({ item, state, record, isClosed }: OpenedRequest): boolean {
  const to = item?.reopen_state ?? null
  if (!state || to === null || !isClosed) return false
  const moves = typeOfField(state).lifecycle?.movesFrom(state, record.data[state.name], everybody) ?? []
  return moves.some((move) => move.to === to)
}

/**
 * Returns a closed request to the state that its item names, where it is taken care of; roles of the transition do not limit
 * requesters. Throws NotFound, and Conflict when it is open, or may not be reopened.
 */
export const reopenRequest = (services: PortalDependencies, caller: Caller, id: number): Promise<void> =>
  withRequest(services, caller, id, async (opened) => {
    const { item, state, survivor, table, isClosed } = opened
    if (!isClosed) throw new Conflict('request_open', say('request_not_closed', {}))
    if (!item || !state || !mayReopen(opened)) throw notReopenable()
    const to = item.reopen_state
    try {
      await changeRecord(services.records, actingFor(caller), table, survivor.id, { [state.name]: to })
    } catch (error) {
      // A condition of the transition, or a hook, whose message is for people.
      if (error instanceof Invalid) throw notReopenable(error.code === 'refused_by_hook' ? error : undefined)
      throw error
    }
  })

const notReopenable = (refusal?: Invalid): Conflict =>
  new Conflict(
    'request_not_reopenable',
    refusal?.message ?? 'This request cannot be reopened. Send a new one, or write a comment.',
  )

import type { RowAccess } from '../../accounts/access/row-access.ts'
import { Forbidden, Invalid } from '../../kernel/failures/faults.ts'
import { mayOnTable, permittedFields, type TableAction } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { IncomingAction } from './incoming-action.ts'
import type { RepliedRecord } from './run/replied-record.ts'

type Access = Pick<RowAccess, 'require'>
type Fields = Readonly<Record<string, unknown>>

/**
 * Throws unless the caller may do what a rule is about to do in the caller's name: create a record, or act on `replied`,
 * the record that the message replies to, as if the caller did it there. Throws NotFound for a record that the caller
 * may not read, Forbidden, and Invalid for fields of `data` that the caller may not write.
 */
export async function requireRuleRights(
  access: Access,
  caller: Caller,
  { targetModel: model, onReply }: Pick<IncomingAction, 'targetModel' | 'onReply'>,
  replied: RepliedRecord | undefined,
  data: Fields = {},
): Promise<void> {
  requireOnTable(caller, model, 'create')
  if (!replied || onReply === 'none') return requireWritable(caller, model, 'create', data)
  await requireReadableRecord(access, caller, model, replied.ref.id, replied.item)
  if (onReply === 'comment') {
    requireOnTable(caller, model, 'comment')
    return requireWritable(caller, model, 'create', data)
  }
  requireOnTable(caller, model, 'update')
  await access.require(caller, model, replied.ref.id, 'update', replied.item)
  requireWritable(caller, model, 'update', data)
}

/** Throws what a request for the record would: Forbidden without read on its table, NotFound when it is hidden. */
export async function requireReadableRecord(
  access: Access,
  caller: Caller,
  model: string,
  id: number,
  item: Item | undefined,
): Promise<void> {
  requireOnTable(caller, model, 'read')
  await access.require(caller, model, id, 'read', item)
}

const deeds: Readonly<Record<'create' | 'read' | 'update' | 'comment', string>> = {
  create: 'create records in',
  read: 'read records of',
  update: 'update records of',
  comment: 'comment on records of',
}

/** Throws Forbidden without the permission. */
export function requireOnTable(caller: Caller, model: string, action: TableAction & keyof typeof deeds): void {
  if (!mayOnTable(caller, model, action))
    throw new Forbidden(
      'forbidden',
      `You may not ${deeds[action]} ${model}: it needs the permission ${model}.${action}.`,
    )
}

/** A rule sets what it wants; what the caller adds is limited as in every request. */
function requireWritable(caller: Caller, model: string, action: 'create' | 'update', data: Fields): void {
  const writable = permittedFields(caller, model, action)
  const refused = writable ? Object.keys(data).filter((name) => !writable.has(name)) : []
  if (refused.length > 0)
    throw new Invalid(Object.fromEntries(refused.map((name) => [`data.${name}`, ['You may not change this field.']])))
}

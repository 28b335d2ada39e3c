import { isDeepStrictEqual } from 'node:util'
import { byName, own } from '../../../kernel/collections/own-members.ts'
import { Fault, type FieldErrors, Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { nearestWord } from '../../../kernel/text/did-you-mean.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { begunBy } from '../../../platform/store/rows/conversation-state.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { prepareFirstComment } from '../../../records/comments/write/write-comment.ts'
import { newRequestWrites, portalRequestSequence } from '../../../records/portal-requests/request-row.ts'
import type { Actor } from '../../../records/records/actor.ts'
import { isEmpty, isVisible } from '../../../records/records/rules/check-conditions.ts'
import { openStoredRules } from '../../../records/records/rules/open-rules.ts'
import { prepareNewRecord, storeNewRecord } from '../../../records/records/write/create-record.ts'
import { type AnswerCodec, keyedRequest } from '../../../records/records/write/keyed-request.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import { pathsIn } from '../../../tables/files/claims.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { defaultsFor, type PortalItem } from '../../portal-items/portal-item.ts'
import { findItemFor } from '../../portal-items/portal-items.ts'
import { actingFor, type PortalDependencies } from '../dependencies.ts'
import type { NewPortalRequest } from '../schema.ts'
import { requireOwnFiles, requireShownReferences } from './check-references.ts'

const idAnswer: AnswerCodec<number> = {
  write: (id) => ({ answer: id }),
  read: ({ answer }) => Number(answer),
}

/**
 * Sends a request: its record is made with all that a create brings (hooks, history, processes, notifications), and the
 * request, its files and the record are one transaction. The item is the permission: only its fields are taken, and its
 * defaults are set. Answers the id of the request. `key`: an Idempotency-Key. Throws Invalid with paths as `data.<field>`.
 */
export async function createRequest(
  services: PortalDependencies,
  caller: Caller,
  input: NewPortalRequest,
  key: string | undefined,
): Promise<number> {
  if (key === undefined) return send(services, caller, input)
  const request = keyedRequest(services.records, caller, 'POST /api/portal/requests', key, input, idAnswer)
  const known = await request.earlier()
  if (known !== undefined) return known
  try {
    return await send(services, caller, input, request)
  } catch (error) {
    // An equal request may have been faster and be the cause of the refusal.
    const faster = error instanceof TransactionRefused || error instanceof Fault ? await request.earlier() : undefined
    if (faster !== undefined) return faster
    throw error
  }
}

async function send(
  services: PortalDependencies,
  caller: Caller,
  { item_id, data, files = [] }: NewPortalRequest,
  keyed?: ReturnType<typeof keyedRequest<number>>,
): Promise<number> {
  const { records, comments } = services
  const { store, clock } = records
  const { tenant, userId } = caller
  const item = await itemToSend(services, caller, item_id)
  const table = await records.tables.require(tenant, item.model)
  requireFieldsOfItem(item, data)
  await requireOwnFiles(services, caller, filesIn(table, { data, files }))
  const actor = actingFor(caller)
  const prepared = await underData(item, async () => {
    const defaults = defaultsFor(table, item, userId)
    // What the service sets may be hidden from the caller; what the caller chose may not.
    await requireShownReferences(services, caller, table, data, defaults)
    const made = await prepareNewRecord(records, actor, table, { ...defaults, ...data })
    await requireAskedFields(services, actor, table, { item, sent: data, defaults, made: made.data })
    return made
  })
  const firstComment =
    files.length === 0
      ? undefined
      : await prepareFirstComment(comments, caller, table.name, {
          body: files.map((path) => path.slice(path.lastIndexOf('/') + 1)).join(', '),
          attachments: files,
        })
  const id = await reserveIds(store, tenant, portalRequestSequence, 1)
  const createdAt = isoTime(clock.now())
  const request = { id, itemId: item.id, model: table.name, userId, createdAt, rev: 1 }
  await underData(item, () =>
    storeNewRecord(records, actor, table, prepared, {
      conversation: begunBy('portal'),
      extraWrites: (record) => [
        ...newRequestWrites(tenant, { ...request, recordId: record.id }),
        ...(firstComment?.(record.id) ?? []),
        ...(keyed ? [keyed.claim(id)] : []),
      ],
    }),
  )
  return id
}

async function itemToSend(services: PortalDependencies, caller: Caller, id: number): Promise<PortalItem> {
  try {
    return await findItemFor(services, caller, id)
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    throw new Invalid({
      item_id: [say('no_such_item', {})],
    })
  }
}

function requireFieldsOfItem({ name, fields }: PortalItem, data: NewPortalRequest['data']): void {
  const errors: FieldErrors = Object.fromEntries(
    Object.keys(data)
      .filter((field) => !fields.includes(field))
      .map((field) => [
        `data.${field}`,
        [say('not_in_form', { form: name, field, nearest: nearestWord(field, fields) })],
      ]),
  )
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

type Data = Readonly<Record<string, unknown>>

/**
 * Throws Invalid naming each value of a field that the form does not show for these values. What the form presets may be
 * sent back.
 */
async function requireAskedFields(
  { records }: PortalDependencies,
  actor: Actor,
  table: Table,
  values: { readonly item: PortalItem; readonly sent: Data; readonly defaults: Data; readonly made: Data },
): Promise<void> {
  const { item, sent, defaults, made } = values
  const asked = Object.entries(sent).flatMap(([name, value]) => {
    const field = table.fieldsByName.get(name)
    const preset = own(defaults, name) ?? field?.default
    return field?.visible_if && !isEmpty(value) && !isDeepStrictEqual(value, preset) ? [field] : []
  })
  if (asked.length === 0) return
  const rules = (await openStoredRules(records, actor, table))()
  const hidden = asked.filter((field) => !isVisible(rules, field, made))
  if (hidden.length > 0)
    throw new Invalid(
      Object.fromEntries(hidden.map(({ name }) => [name, [say('not_asked', { form: item.name, field: name })]])),
    )
}

/** The files that a request holds, and the path of the error of each. */
const filesIn = (
  { fieldsByName }: Table,
  { data, files = [] }: Pick<NewPortalRequest, 'data' | 'files'>,
): { readonly at: string; readonly path: string }[] => [
  ...Object.entries(data).flatMap(([name, value]) => {
    const field = fieldsByName.get(name)
    return field && typeOfField(field).files ? pathsIn(value).map((path) => ({ at: `data.${name}`, path })) : []
  }),
  ...files.map((path, index) => ({ at: `files.${index}`, path })),
]

/** Errors of fields of the form stand under `data`; those of others are about what the service sets, and under `item_id`. */
async function underData<T>({ fields }: PortalItem, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Invalid) || Object.keys(error.errors).length === 0) throw error
    const moved: FieldErrors = byName()
    for (const [path, messages] of Object.entries(error.problems)) {
      const [field = ''] = path.split('.')
      const at = fields.includes(field) ? `data.${path}` : 'item_id'
      moved[at] = [...(moved[at] ?? []), ...messages]
    }
    throw error.withErrors(moved)
  }
}

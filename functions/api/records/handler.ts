import { findMacro } from '../../../shared/automation/macros/macros.ts'
import { nextRecord } from '../../../shared/automation/macros/next-record.ts'
import { runMacro } from '../../../shared/automation/macros/run-macro.ts'
import { describeCancelled } from '../../../shared/automation/processes/instances/cancelled-instances.ts'
import { mayOnTable, permittedFields } from '../../../shared/kernel/permissions.ts'
import { type NamesTables, publicTable } from '../../../shared/kernel/table-names.ts'
import type { TenantRef } from '../../../shared/kernel/tenancy.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { publicUrl, Reply } from '../../../shared/platform/http/routing/envelope.ts'
import { readIdempotencyKey } from '../../../shared/platform/http/routing/idempotency-key.ts'
import { type CallerRequest, implement } from '../../../shared/platform/http/routing/implement.ts'
import { etag } from '../../../shared/platform/http/routing/input/if-match.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { describeReturned } from '../../../shared/records/records/delete/retention.ts'
import { createRecordForms } from '../../../shared/records/records/form/create-record-forms.ts'
import { createPointInTimeReads } from '../../../shared/records/records/read/point-in-time-reads.ts'
import { selectedRecord } from '../../../shared/records/records/read/selected-record.ts'
import { answerRecord, type StoredRecord } from '../../../shared/records/records/record-item.ts'
import type { EntityRecord } from '../../../shared/records/records/schema.ts'
import { createRecords } from '../../../shared/records/records/service.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { queries } from '../../wiring/lists/queries.ts'
import { config } from '../../wiring/platform/config.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { store } from '../../wiring/platform/store.ts'
import { comments } from '../../wiring/records/comments.ts'
import { macroDependencies } from '../../wiring/records/macros.ts'
import { presence } from '../../wiring/records/presence.ts'
import { recordReads } from '../../wiring/records/record-reads.ts'
import { recordWrites } from '../../wiring/records/record-writes.ts'
import { snoozes } from '../../wiring/records/snoozes.ts'
import { viewDependencies } from '../../wiring/records/views.ts'
import { tables } from '../../wiring/tables/tables.ts'
import { commentEndpoints } from './comment-endpoints.ts'
import * as look from './presence-routes.ts'
import * as route from './routes.ts'
import * as snooze from './snooze-routes.ts'
import { unsubscribeEndpoints } from './unsubscribe-endpoints.ts'

const records = createRecords(recordWrites)
const forms = createRecordForms(recordWrites)
const pointInTimeReads = createPointInTimeReads({ ...recordWrites, ...lazyObjects })

const itself = (tenant: TenantRef, { model, id }: { model: string; id: number }) => [recordKey(tenant, model, id)]
const withEtag = (record: EntityRecord): Reply<EntityRecord> => new Reply(record, { etag: etag(record.version) })
/** Programs that follow links find the record that a merged one became part of. */
const linkOf = (
  tenant: NamesTables,
  model: string,
  { merged_into: into }: EntityRecord,
): Readonly<Record<string, string>> =>
  into === undefined ? {} : { link: `<${publicUrl()}/api/e/${publicTable(tenant, model)}/${into}>; rel="canonical"` }

type OneRecord = CallerRequest<typeof route.patchRecord | typeof route.deleteRecord>
const asRead = ({
  caller,
  params,
  preloaded,
  ifMatch,
}: Pick<OneRecord, 'caller' | 'params' | 'preloaded' | 'ifMatch'>) => ({
  preloaded: preloaded.get(recordKey(caller.tenant, params.model, params.id)) as Item | null | undefined,
  ifMatch,
})

const update = async (request: CallerRequest<typeof route.patchRecord>): Promise<Reply<EntityRecord>> =>
  withEtag(await records.change(request.caller, request.params.model, request.params.id, request.body, asRead(request)))

type GetRequest = CallerRequest<typeof route.getRecord>
const getCurrent = (request: GetRequest): Promise<EntityRecord> =>
  recordReads.get(request.caller, request.params.model, request.params.id, asRead(request).preloaded)
const getAt = ({ caller, params }: GetRequest, at: string): Promise<EntityRecord> =>
  pointInTimeReads.getAt(caller, params.model, params.id, at)

export const handler = endpointGroup({ authenticate }, [
  implement(
    route.getRecord,
    async (request) => {
      const { as_of: at, fields, expand } = request.query
      const record = await (at === undefined ? getCurrent(request) : getAt(request, at))
      const { caller, params } = request
      const until =
        at === undefined ? await snoozes.untilOf(caller, params.model, record, asRead(request).preloaded) : null
      const { conversation } = record
      const meta =
        until === null && !conversation
          ? undefined
          : { ...(until !== null && { snoozed_until: until }), ...(conversation && { conversation }) }
      const headers = { etag: etag(record.version), ...linkOf(caller.tenant, params.model, record) }
      if (!fields && !expand) return new Reply(record, headers, meta)
      const selected = await selectedRecord({ tables, queries }, caller, params.model, record, { fields, expand })
      const { merged_into, merged_from } = record
      const merged = { ...(merged_into !== undefined && { merged_into }), ...(merged_from && { merged_from }) }
      return new Reply({ ...selected, ...merged }, headers, meta)
    },
    itself,
  ),
  implement(route.getForm, ({ caller, params, query }) => forms.describe(caller, params.model, query.id)),
  implement(route.restoreRecord, async ({ caller, params, body }) => {
    const { model, id } = params
    const { record, missingFiles, back } = await records.restore(caller, model, id, body.as_of, lazyObjects.fetchObject)
    const cancelled = back && mayOnTable(caller, model, 'read') ? back.cancelled : []
    const meta = {
      missing_files: [...missingFiles],
      ...(back && {
        returned: describeReturned(caller, model, back.returned),
        cancelled_processes: await describeCancelled({ store, config }, caller.tenant, cancelled),
      }),
    }
    return new Reply({ success: true, data: record, message: 'OK', meta } as const, { etag: etag(record.version) })
  }),
  implement(route.runMacro, async ({ caller, params, query }) => {
    const { model, id, macro_id: macroId } = params
    const table = await tables.require(caller.tenant, model)
    const macro = await findMacro(macroDependencies, caller, macroId)
    // Before it runs: the record may leave the view.
    const next = macro.next
      ? await nextRecord({ queries, views: viewDependencies }, caller, table, id, query.view)
      : null
    const { record } = await runMacro({ ...recordWrites, comments }, caller, table, macro, id)
    const { version, ...answer } = answerRecord(table, record as StoredRecord, permittedFields(caller, model, 'read'))
    return new Reply({ ...answer, version }, { etag: etag(version) }, macro.next ? { next } : undefined)
  }),
  implement(route.createRecord, async ({ caller, params, body, headers }) =>
    withEtag(await records.create(caller, params.model, body, readIdempotencyKey(headers['idempotency-key']))),
  ),
  implement(route.putRecord, update, itself),
  implement(route.patchRecord, update, itself),
  implement(
    route.deleteRecord,
    (request) => records.remove(request.caller, request.params.model, request.params.id, asRead(request)),
    itself,
  ),
  implement(snooze.snoozeRecord, async ({ caller, params: { model, id }, body }) =>
    snoozes.set(caller, model, await recordReads.get(caller, model, id), body.until),
  ),
  implement(snooze.endSnooze, async ({ caller, params: { model, id } }) => {
    await snoozes.set(caller, model, await recordReads.get(caller, model, id), null)
  }),
  implement(snooze.listSnoozed, ({ caller, query }) => snoozes.list(caller, query)),
  implement(
    look.getPresence,
    ({ caller, params, headers, preloaded }) =>
      presence.read(
        caller,
        {
          ...params,
          item: preloaded.get(recordKey(caller.tenant, params.model, params.id)) as Item | null | undefined,
        },
        headers['if-none-match'],
      ),
    itself,
  ),
  implement(
    look.enterPresence,
    ({ caller, params, body, preloaded }) =>
      presence.enter(
        caller,
        {
          ...params,
          item: preloaded.get(recordKey(caller.tenant, params.model, params.id)) as Item | null | undefined,
        },
        body?.is_editing ?? false,
      ),
    itself,
  ),
  implement(look.leavePresence, ({ caller, params }) => presence.leave(caller, params)),
  ...commentEndpoints,
  ...unsubscribeEndpoints,
])

import type { EntityRecord } from '../../shared/entities/schema.ts'
import { etag, readIfMatch } from '../../shared/entities/if-match.ts'
import { readListOrder } from '../../shared/entities/list-cursor.ts'
import { Reply } from '../../shared/http/envelope.ts'
import { group } from '../../shared/http/group.ts'
import { implement, type CallerRequest } from '../../shared/http/implement.ts'
import { recordKey, sequenceKey } from '../../shared/store/keys.ts'
import type { Item } from '../../shared/store/marshal.ts'
import { sequenceOf } from '../../shared/store/sequence.ts'
import type { TenantRef } from '../../shared/tenancy.ts'
import { compose } from '../compose.ts'
import * as route from './routes.ts'

const { authenticate, entities } = compose()

const itself = (tenant: TenantRef, { model, id }: { model: string; id: number }) => [recordKey(tenant, model, id)]
const withEtag = (record: EntityRecord): Reply<EntityRecord> => new Reply(record, { etag: etag(record.version) })

type OneRecord = CallerRequest<typeof route.patchRecord | typeof route.deleteRecord>
const asRead = ({ caller, params, preloaded, headers }: Pick<OneRecord, 'caller' | 'params' | 'preloaded' | 'headers'>) => ({
  preloaded: preloaded.get(recordKey(caller.tenant, params.model, params.id)) as Item | null | undefined,
  ifMatch: readIfMatch(headers['if-match']),
})

const update = async (request: CallerRequest<typeof route.patchRecord>): Promise<Reply<EntityRecord>> =>
  withEtag(await entities.change(request.caller, request.params.model, request.params.id, request.body, asRead(request)))

export const handler = group({ authenticate }, [
  implement(
    route.listRecords,
    ({ caller, params, query, preloaded }) => {
      const sequence = sequenceOf(preloaded.get(sequenceKey(caller.tenant, params.model)) as Item | null | undefined)
      return entities.list(caller.tenant, params.model, sequence, query, readListOrder(query.sort))
    },
    (tenant, { model }) => [sequenceKey(tenant, model)],
  ),
  implement(
    route.getRecord,
    async (request) => withEtag(await entities.get(request.caller.tenant, request.params.model, request.params.id, asRead(request).preloaded)),
    itself,
  ),
  implement(route.createRecord, async ({ caller, params, body }) => withEtag(await entities.create(caller, params.model, body))),
  implement(route.putRecord, update, itself),
  implement(route.patchRecord, update, itself),
  implement(route.deleteRecord, (request) => entities.remove(request.caller, request.params.model, request.params.id, asRead(request)), itself),
])

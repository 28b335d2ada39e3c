import { historyReads, readHistory, readTrail } from '../../shared/history/service.ts'
import { group } from '../../shared/http/routing/endpoint-group.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { filesBucket } from '../../shared/objects/bucket.ts'
import type { Item } from '../../shared/store/marshal.ts'
import { compose } from '../wiring/compose.ts'
import * as route from './routes.ts'

const { authenticate, clock, entities, store, tables } = compose()
const { fetchObject } = filesBucket()

export const handler = group({ authenticate }, [
  implement(
    route.getHistory,
    async ({ caller, params, query, preloaded }) => {
      const rows = historyReads(caller.tenant, params.model, params.id).map(
        (key) => preloaded.get(key) as Item | null | undefined,
      )
      await entities.requireVisible(caller, params.model, params.id, rows, fetchObject)
      return readHistory({ store, tables, clock, fetchObject }, caller.tenant, params.model, params.id, query, rows)
    },
    (tenant, { model, id }) => historyReads(tenant, model, id),
  ),
  implement(route.getTrail, ({ caller, query }) => readTrail({ store, fetchObject }, caller.tenant, query)),
])

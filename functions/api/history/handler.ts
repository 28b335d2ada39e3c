import { clock } from '../../../shared/kernel/time/clock.ts'
import { readTimeline, type TimelineDependencies } from '../../../shared/operations/timeline/read-timeline.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement, implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { readChangeFeed } from '../../../shared/records/changes/read-change-feed.ts'
import { describeFollowed } from '../../../shared/records/follow/describe-followed.ts'
import { readHistory } from '../../../shared/records/history/read-history.ts'
import { readTrail } from '../../../shared/records/history/read-trail.ts'
import { recordAndTombstoneKeys } from '../../../shared/records/history/state-at.ts'
import { createPointInTimeReads } from '../../../shared/records/records/read/point-in-time-reads.ts'
import { authenticate, tokenGuard } from '../../wiring/authenticate.ts'
import { config } from '../../wiring/platform/config.ts'
import { objects } from '../../wiring/platform/objects.ts'
import { store } from '../../wiring/platform/store.ts'
import { rowAccess } from '../../wiring/records/row-access.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as route from './routes.ts'

const { fetchObject } = objects
const histories = { store, tables, clock, fetchObject }
const pointInTimeReads = createPointInTimeReads({ ...histories, access: rowAccess })

const timelines: TimelineDependencies = {
  ...histories,
  config,
  access: rowAccess,
  async judge(...subject) {
    await pointInTimeReads.requireVisible(...subject)
    return { mayUpdate: await pointInTimeReads.mayUpdate(...subject) }
  },
}

export const handler = endpointGroup({ authenticate }, [
  implement(
    route.getHistory,
    async ({ caller, params, query, preloaded }) => {
      const rows = recordAndTombstoneKeys(caller.tenant, params.model, params.id).map(
        (key) => preloaded.get(key) as Item | null | undefined,
      )
      await pointInTimeReads.requireVisible(caller, params.model, params.id, rows)
      return readHistory(histories, caller, params.model, params.id, query, rows)
    },
    (tenant, { model, id }) => recordAndTombstoneKeys(tenant, model, id),
  ),
  implement(
    route.getTimeline,
    ({ caller, params, query, preloaded }) =>
      readTimeline(
        timelines,
        caller,
        params.model,
        params.id,
        query,
        recordAndTombstoneKeys(caller.tenant, params.model, params.id).map(
          (key) => preloaded.get(key) as Item | null | undefined,
        ),
      ),
    (tenant, { model, id }) => recordAndTombstoneKeys(tenant, model, id),
  ),
  implement(route.listChanges, ({ caller, query }) =>
    readChangeFeed({ ...histories, access: rowAccess }, caller, query),
  ),
  implementOpen(route.followRecord, ({ params: { token }, sourceIp }) =>
    tokenGuard.open({ token, sourceIp }, () => describeFollowed({ ...histories, config }, token)),
  ),
  implement(route.getTrail, ({ caller, query }) => readTrail(histories, caller.tenant, query)),
])

import { endpointGroup } from '../../shared/http/routing/endpoint-group.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { dryRunScript } from '../../shared/records/service.ts'
import { declareTypes, listRuns, checkSource, ScriptSyntaxError } from '../../shared/scripts/service.ts'
import { authenticate } from '../wiring/authenticate.ts'
import { recordWrites } from '../wiring/records/record-writes.ts'
import { store } from '../wiring/store.ts'
import { tables } from '../wiring/tables.ts'
import * as route from './routes.ts'

export const handler = endpointGroup({ authenticate }, [
  implement(route.listScriptRuns, ({ caller, query }) => listRuns({ store, clock }, caller.tenant, query)),
  implement(route.checkScript, async ({ body }) => {
    try {
      checkSource(body.script)
    } catch (error) {
      throw error instanceof ScriptSyntaxError ? error.asValidationError() : error
    }
    return { ok: true as const }
  }),
  implement(route.runScript, async ({ caller, body }) =>
    dryRunScript(recordWrites, await recordWrites.openScripts(), caller, body),
  ),
  implement(route.getScriptTypes, async ({ caller, query }) => {
    if (query.model !== undefined) await tables.require(caller.tenant, query.model)
    return declareTypes(await tables.all(caller.tenant), query.model)
  }),
])

import { group } from '../../shared/http/routing/endpoint-group.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { declareTypes, listRuns, checkSource, ScriptSyntaxError } from '../../shared/scripts/service.ts'
import { compose } from '../wiring/compose.ts'
import * as route from './routes.ts'

const { authenticate, clock, entities, store, tables } = compose({
  loadScripts: () => import('../../shared/scripts/script-runtime.ts'),
})

export const handler = group({ authenticate }, [
  implement(route.listScriptRuns, ({ caller, query }) => listRuns({ store, clock }, caller.tenant, query)),
  implement(route.checkScript, async ({ body }) => {
    try {
      checkSource(body.script)
    } catch (error) {
      throw error instanceof ScriptSyntaxError ? error.asValidationError() : error
    }
    return { ok: true as const }
  }),
  implement(route.runScript, ({ caller, body }) => entities.dryRun(caller, body)),
  implement(route.getScriptTypes, async ({ caller, query }) => {
    if (query.model !== undefined) await tables.need(caller.tenant, query.model)
    return declareTypes(await tables.all(caller.tenant), query.model)
  }),
])

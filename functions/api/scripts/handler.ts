import { publicTable } from '../../../shared/kernel/table-names.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { withWarnings } from '../../../shared/platform/http/routing/envelope.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { withTableNames } from '../../../shared/platform/http/table-names/translate-names.ts'
import { dryRunScript } from '../../../shared/records/records/hooks/dry-run-script.ts'
import { declareTypes } from '../../../shared/scripts/api/declare-types.ts'
import { listRuns } from '../../../shared/scripts/list-runs.ts'
import { checkSource, ScriptSyntaxError } from '../../../shared/scripts/source/check-source.ts'
import { scriptWarnings } from '../../../shared/scripts/source/script-warnings.ts'
import { TableDocument } from '../../../shared/tables/tables/schema.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { store } from '../../wiring/platform/store.ts'
import { recordWrites } from '../../wiring/records/record-writes.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as route from './routes.ts'

export const handler = endpointGroup({ authenticate }, [
  implement(route.listScriptRuns, ({ caller, query }) => listRuns({ store, clock }, caller.tenant, query)),
  implement(route.checkScript, async ({ caller, body }) => {
    const table = body.model === undefined ? undefined : await tables.require(caller.tenant, body.model)
    try {
      checkSource(body.script)
    } catch (error) {
      throw error instanceof ScriptSyntaxError ? error.asValidationError() : error
    }
    const known = table && { name: table.name, fields: table.fieldsByName.keys() }
    const warnings = scriptWarnings(body.script, known).map((warning) => ({ path: 'script', ...warning }))
    return withWarnings({ ok: true as const }, warnings)
  }),
  implement(route.runScript, async ({ caller, body }) =>
    dryRunScript(recordWrites, await recordWrites.openScripts(), caller, body),
  ),
  implement(route.getScriptTypes, async ({ caller, query }) => {
    if (query.model !== undefined) await tables.require(caller.tenant, query.model)
    const { tenant } = caller
    const all = withTableNames(tenant, TableDocument.array(), (await tables.all(tenant)) as never)
    return declareTypes(all, query.model && publicTable(tenant, query.model))
  }),
])

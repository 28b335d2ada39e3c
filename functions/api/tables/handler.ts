import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { tableAsSeen } from '../../../shared/lists/query/conditions/table-as-seen.ts'
import { placeholdersByCode } from '../../../shared/messages/notification-templates/placeholders-by-code.ts'
import { renameWarnings, tableRenameWarnings } from '../../../shared/operations/warnings/rename-warnings.ts'
import { tableWarnings } from '../../../shared/operations/warnings/table-warnings.ts'
import { pageOfWholeList } from '../../../shared/platform/http/paging/whole-list.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { type Page, type Reply, withWarnings } from '../../../shared/platform/http/routing/envelope.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { findJob } from '../../../shared/platform/jobs/find-jobs.ts'
import { relationsOf } from '../../../shared/records/relations/relations-of-table.ts'
import type { TableDocument, TableHead } from '../../../shared/tables/tables/schema.ts'
import { type Table, tableDocument, tableHead } from '../../../shared/tables/tables/table.ts'
import { answerDeadline } from '../../wiring/answer-deadline.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { config } from '../../wiring/platform/config.ts'
import { store } from '../../wiring/platform/store.ts'
import { tableAdministration } from '../../wiring/tables/table-administration.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as route from './routes.ts'

async function document(tenant: Tenant, table: Table, withScripts: boolean): Promise<TableDocument> {
  const [ofTable, job] = await Promise.all([
    relationsOf({ config }, tenant, table.name),
    table.rebuilding && findJob(store, tenant, table.rebuilding.job_id),
  ])
  const rebuilding = table.rebuilding && {
    job_id: table.rebuilding.job_id,
    done: job?.done ?? 0,
    total: job?.total ?? null,
  }
  return tableDocument(table, ofTable, withScripts, rebuilding)
}

/** A saved document, with what it can hardly mean. */
async function saved(tenant: Tenant, table: Table): Promise<Reply<TableDocument>> {
  const roles = (await config.listFresh(tenant, 'ROLE')).map(({ name }) => name)
  const known = { roles, templates: () => placeholdersByCode(config, tenant) }
  const warnings = await tableWarnings(table, known)
  if (tenant.renamedTables) warnings.push(...(await tableRenameWarnings({ store, config }, tenant, table)))
  if (!table.renamed) return withWarnings(await document(tenant, table, true), warnings)
  const former = await renameWarnings({ store, config }, tenant, table)
  return withWarnings(await document(tenant, table, true), [...warnings, ...former])
}

export const handler = endpointGroup({ authenticate }, [
  implement(route.listTables, async ({ caller, query }): Promise<Page<TableHead>> => {
    const all = (await tables.all(caller.tenant)).map(tableHead)
    return pageOfWholeList('tables', all, query)
  }),
  implement(route.getTable, async ({ caller, params }) => {
    const table = await tables.require(caller.tenant, params.model)
    return document(caller.tenant, await tableAsSeen(caller, table), caller.isAdministrator)
  }),
  implement(route.createTable, async ({ caller, body }) =>
    saved(caller.tenant, await tableAdministration.create(caller, body)),
  ),
  implement(route.changeTable, async ({ caller, params, body: { dry_run, ...body }, ifMatch, remainingMs }) => {
    if (!dry_run) return saved(caller.tenant, await tableAdministration.change(caller, params.model, body, { ifMatch }))
    // What all sections of the configuration need takes long to load, and only a dry run looks at them.
    const { configurationSections: sections } = await import('../../wiring/configuration-sections.ts')
    const { previewTable } = await import('../../../shared/operations/configuration/preview/preview-table.ts')
    const { conditions } = await import('../../wiring/records/row-access.ts')
    const dependencies = { store, config, sections, administration: tableAdministration, conditions, clock }
    return previewTable(dependencies, caller, params.model, body, answerDeadline(remainingMs))
  }),
  implement(route.deleteTable, async ({ caller, params, ifMatch }) =>
    tableAdministration.remove(caller, params.model, ifMatch),
  ),
])

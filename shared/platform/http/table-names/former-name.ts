import { Fault } from '../../../kernel/failures/faults.ts'
import { formerTable, type NamesTables, publicTable, storedTable } from '../../../kernel/table-names.ts'
import type { HttpEvent } from '../routing/http-event.ts'
import { locationOf, unknownAddress } from '../routing/request-paths.ts'

/** The table that the address names was renamed; `location` is the address with its new name. */
export class TableRenamed extends Fault<'table_renamed'> {
  readonly location: string

  constructor(former: string, name: string, location: string) {
    super('table_renamed', `The former name ${former} leads to ${location}: the table is called ${name} now.`, {
      details: { name },
    })
    this.location = location
  }
}

/** The parameters of paths that name a table. */
const tableParams = ['model', 'table_name', 'sys_table_id'] as const

type Params = Readonly<Record<string, string | undefined>>

/**
 * The parameters of a path with the stored names of tables, and where the address leads to if it has a former name. `path`:
 * of the route.
 */
export function storedParams(
  tenant: NamesTables,
  path: string,
  params: Params,
  event: Pick<HttpEvent, 'rawPath' | 'rawQueryString'>,
  nowMs: number,
): { readonly params: Params; readonly moved?: Fault } {
  const param = tableParams.find((one) => params[one] !== undefined)
  const name = param && params[param]
  if (param === undefined || name === undefined) return { params }
  const former = formerTable(tenant, name, nowMs)
  if (!former) return { params: { ...params, [param]: storedTable(tenant, name) } }
  const now = publicTable(tenant, former.table)
  const steps = event.rawPath.split('/')
  steps[path.split('/').indexOf(`{${param}}`)] = now
  const location = locationOf(steps.join('/'), event.rawQueryString)
  const moved = location === undefined ? unknownAddress(event) : new TableRenamed(name, now, location)
  return { params: { ...params, [param]: former.table }, moved }
}

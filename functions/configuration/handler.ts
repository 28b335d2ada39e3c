import {
  processSection,
  relationSection,
  roleSection,
  createConfiguration,
  tableSection,
} from '../../shared/configuration/service.ts'
import { group } from '../../shared/http/routing/endpoint-group.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { checkSource } from '../../shared/scripts/service.ts'
import { compose } from '../wiring/compose.ts'
import * as route from './routes.ts'

const { authenticate, clock, store, config, tables, relations, processes } = compose({ checkScript: checkSource })
const templates = {
  ...processes,
  tables,
  compile: async (xml: string) =>
    (await import('../../shared/processes/definition/compile-process.ts')).compileProcess(xml),
  bindTable: tables.bindProcesses,
}
const sections = {
  tables: tableSection(tables),
  roles: roleSection({ store, config, clock }, tables),
  relations: relationSection({ config, relations }),
  processes: processSection(templates),
}
const configuration = createConfiguration({ store, sections })

export const handler = group({ authenticate }, [
  implement(route.readConfiguration, ({ caller }) => configuration.read(caller)),
  implement(route.applyConfiguration, ({ caller, body, query }) =>
    configuration.apply(caller, body, query.dry_run === 'true'),
  ),
])

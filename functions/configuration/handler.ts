import { relationSection } from '../../shared/configuration/relation-section.ts'
import { roleSection } from '../../shared/configuration/role-section.ts'
import { createConfiguration } from '../../shared/configuration/service.ts'
import { tableSection } from '../../shared/configuration/table-section.ts'
import { group } from '../../shared/http/group.ts'
import { implement } from '../../shared/http/implement.ts'
import { checkSource } from '../../shared/scripts/source/check-source.ts'
import { compose } from '../compose.ts'
import * as route from './routes.ts'

const { authenticate, clock, store, config, tables, relations } = compose({ checkScript: checkSource })
const sections = { tables: tableSection(tables), roles: roleSection({ store, config, clock }, tables), relations: relationSection({ config, relations }) }
const configuration = createConfiguration({ store, sections })

export const handler = group({ authenticate }, [
  implement(route.readConfiguration, ({ caller }) => configuration.read(caller)),
  implement(route.applyConfiguration, ({ caller, body, query }) => configuration.apply(caller, body, query.dry_run === 'true')),
])

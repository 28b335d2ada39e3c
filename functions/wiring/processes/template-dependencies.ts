import type { TemplateDependencies } from '../../../shared/automation/processes/templates/write-templates.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'
import { tables } from '../tables/tables.ts'
import { timeZone } from '../time-zone.ts'
import { openProcess } from './open-process.ts'

/** The dependencies of process templates. The BPMN compiler is loaded with the first document. */
export const templateDependencies: TemplateDependencies = {
  store,
  clock,
  config,
  tables,
  timeZone,
  openProcess,
  compile: async (xml) =>
    (await import('../../../shared/automation/bpmn/document/compile-process.ts')).compileProcess(xml),
}

import { compiledProcesses } from '../../../shared/automation/processes/templates/template.ts'
import { store } from '../platform/store.ts'

/** Answers the compiled process of a template's version, cached per instance of the function. */
export const openProcess = compiledProcesses(store, async (xml) =>
  (await import('../../../shared/automation/bpmn/document/compile-process.ts')).recompileGraph(xml),
)

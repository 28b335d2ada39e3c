import { compiledProcesses } from '../../shared/processes/service.ts'
import { store } from './store.ts'

/** The compiled process of a template's version, from the cache of this instance. */
export const openProcess = compiledProcesses(store)

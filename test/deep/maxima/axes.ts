/** One declared limit each, as what it adds to a table, its records, and what is done with them. */

import { accessAxes } from './axes/access.ts'
import { importAxes } from './axes/imports.ts'
import { processAxes } from './axes/processes.ts'
import { recordAxes } from './axes/records.ts'
import { scriptAxes } from './axes/scripts.ts'
import { tableAxes } from './axes/tables.ts'

export const axes = [...tableAxes, ...recordAxes, ...scriptAxes, ...accessAxes, ...importAxes, ...processAxes]

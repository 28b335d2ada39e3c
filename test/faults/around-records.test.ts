import { enumerates } from './enumerates.ts'
import { changeTable } from './operations/change-table.ts'
import { importRows } from './operations/import.ts'
import { readHistory } from './operations/read-history.ts'
import { relate } from './operations/relate.ts'
import { search } from './operations/search.ts'

enumerates([importRows, readHistory, search, relate, changeTable])
